import { ActionIcon, Badge, Group, Menu, Table, Text } from '@mantine/core'
import { EllipsisVertical, KeyRound, Pencil, Power, Send, Trash2 } from 'lucide-react'
import type { WebhookEndpoint } from '../../api/webhooks.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { tableClasses as classes } from '../../ui/table-classes.ts'
import { disabledTexts } from './event-types.ts'

interface Props {
  endpoint: WebhookEndpoint
  onTest(): void
  onEdit(): void
  onSecret(): void
  onSwitch(): void
  onDelete(): void
}

export function EndpointRow({ endpoint, onTest, onEdit, onSecret, onSwitch, onDelete }: Props) {
  const { url, description, eventTypes, disabled, disabledReason, failingSince, createdAt } = endpoint
  return (
    <Table.Tr opacity={disabled ? 0.7 : 1}>
      <Table.Td>
        <Text size="sm" fw={550} lineClamp={2} title={url} className={classes.name ?? ''}>
          {url}
        </Text>
        {description !== '' && (
          <Text size="xs" c="dimmed">
            {description}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Events">
        <Text size="sm">{eventTypes?.join(', ') ?? 'All events'}</Text>
      </Table.Td>
      <Table.Td data-label="State">
        {disabled ? (
          <Text size="sm" c={disabledReason === 'caller' ? 'dimmed' : 'red'}>
            {disabledTexts[disabledReason ?? 'caller']}
          </Text>
        ) : failingSince === undefined ? (
          <Badge variant="light" tt="none" miw="max-content">
            Enabled
          </Badge>
        ) : (
          <Group gap={4}>
            <Badge color="red" variant="light" tt="none" miw="max-content">
              Failing
            </Badge>
            <RelativeTime at={failingSince} size="xs" />
          </Group>
        )}
      </Table.Td>
      <Table.Td data-label="Created">
        <RelativeTime at={createdAt} size="sm" />
      </Table.Td>
      <Table.Td className={classes.actions ?? ''}>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Actions for ${url}`}>
              <EllipsisVertical size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {!disabled && (
              <Menu.Item leftSection={<Send size={16} />} onClick={onTest}>
                Send a test event
              </Menu.Item>
            )}
            <Menu.Item leftSection={<Pencil size={16} />} onClick={onEdit}>
              Edit…
            </Menu.Item>
            <Menu.Item leftSection={<KeyRound size={16} />} onClick={onSecret}>
              Show secret…
            </Menu.Item>
            <Menu.Item leftSection={<Power size={16} />} onClick={onSwitch}>
              {disabled ? 'Enable' : 'Disable'}
            </Menu.Item>
            <Menu.Item leftSection={<Trash2 size={16} />} color="red" onClick={onDelete}>
              Delete…
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Table.Td>
    </Table.Tr>
  )
}
