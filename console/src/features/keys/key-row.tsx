import { Badge, Table, Text } from '@mantine/core'
import { inactiveReason, type KeyRecord } from '../../api/keys.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { tableClasses as classes } from '../../ui/table-classes.ts'
import { endText, KeyName, LastUsed } from './key-cells.tsx'
import { KeyMenu } from './key-menu.tsx'
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
        <KeyName name={name} id={`${prefix}…`} inactive={inactive}>
          {current && (
            <Badge variant="light" tt="none">
              This session
            </Badge>
          )}
        </KeyName>
      </Table.Td>
      <Table.Td data-label="Permissions">
        <Text size="sm">{permissionsText(record)}</Text>
      </Table.Td>
      <Table.Td data-label="Created">
        <RelativeTime at={createdAt} size="sm" />
      </Table.Td>
      <Table.Td data-label="Last used">
        <LastUsed at={lastUsedAt} />
      </Table.Td>
      <Table.Td data-label="Expires">
        <Text size="sm">{endText(revokedAt ?? expiresAt, now)}</Text>
      </Table.Td>
      <Table.Td className={classes.actions ?? ''}>
        {inactive === undefined && <KeyMenu of={name || prefix} onRotate={onRotate} onRevoke={onRevoke} />}
      </Table.Td>
    </Table.Tr>
  )
}

function permissionsText({ permissions: granted }: KeyRecord): string {
  if (granted.includes('all')) return 'Full access'
  return permissions
    .filter(({ id }) => granted.includes(id))
    .map(({ label }) => label)
    .join(', ')
}
