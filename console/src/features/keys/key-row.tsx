import { ActionIcon, Badge, Group, Menu, Table, Text } from '@mantine/core'
import { Ban, EllipsisVertical, RefreshCw } from 'lucide-react'
import { inactiveReason, type KeyRecord } from '../../api/keys.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { tableClasses as classes } from '../../ui/table-classes.ts'
import { permissions } from './permissions.ts'

interface KeyRowProps {
  record: KeyRecord
  now: Date
  onRotate(): void
  onRevoke(): void
}

export function KeyRow({ record, now, onRotate, onRevoke }: KeyRowProps) {
  const inactive = inactiveReason(record, now)
  const { name, prefix, createdAt, lastUsedAt, expiresAt, revokedAt, current } = record
  return (
    <Table.Tr opacity={inactive === undefined ? 1 : 0.62}>
      <Table.Td>
        <Group gap={8}>
          <Text size="sm" fw={550} className={classes.name ?? ''}>
            {name === '' ? 'Unnamed' : name}
          </Text>
          {current && (
            <Badge variant="light" tt="none">
              This session
            </Badge>
          )}
          {inactive !== undefined && (
            <Badge color="gray" variant="default" tt="none">
              {inactive}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" ff="monospace">
          {prefix}…
        </Text>
      </Table.Td>
      <Table.Td data-label="Permissions">
        <Text size="sm">{permissionsText(record)}</Text>
      </Table.Td>
      <Table.Td data-label="Created">
        <RelativeTime at={createdAt} size="sm" />
      </Table.Td>
      <Table.Td data-label="Last used">
        {lastUsedAt === undefined ? (
          <Text size="sm" c="dimmed">
            Never
          </Text>
        ) : (
          <RelativeTime at={lastUsedAt} size="sm" />
        )}
      </Table.Td>
      <Table.Td data-label="Expires">
        <Text size="sm">{endText(revokedAt ?? expiresAt)}</Text>
      </Table.Td>
      <Table.Td className={classes.actions ?? ''}>
        {inactive === undefined && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Actions for ${name || prefix}`}>
                <EllipsisVertical size={18} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<RefreshCw size={16} />} onClick={onRotate}>
                Rotate…
              </Menu.Item>
              <Menu.Item leftSection={<Ban size={16} />} color="red" onClick={onRevoke}>
                Revoke…
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Table.Td>
    </Table.Tr>
  )

  function endText(end: string | undefined): string {
    if (end === undefined) return 'Never'
    const at = new Date(end)
    const day = at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
    return at > now && at.getTime() - now.getTime() < 86_400_000 ? at.toLocaleString('en-GB') : day
  }
}

function permissionsText({ permissions: granted }: KeyRecord): string {
  if (granted.includes('all')) return 'Full access'
  return permissions
    .filter(({ id }) => granted.includes(id))
    .map(({ label }) => label)
    .join(', ')
}
