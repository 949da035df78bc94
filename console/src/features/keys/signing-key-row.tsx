import { Table, Text } from '@mantine/core'
import { inactiveReason } from '../../api/keys.ts'
import type { SigningKeyRecord } from '../../api/signing-keys.ts'
import { dollars } from '../../ui/format.ts'
import { tableClasses as classes } from '../../ui/table-classes.ts'
import { endText, KeyName, LastUsed } from './key-cells.tsx'
import { KeyMenu } from './key-menu.tsx'

interface Props {
  record: SigningKeyRecord
  now: Date
  onRotate(): void
  onRevoke(): void
}

export function SigningKeyRow({ record, now, onRotate, onRevoke }: Props) {
  const inactive = inactiveReason(record, now)
  const { id, name, monthlyBudgetUsd, spentUsd = 0, lastUsedAt, expiresAt, revokedAt } = record
  return (
    <Table.Tr opacity={inactive === undefined ? 1 : 0.62}>
      <Table.Td>
        <KeyName name={name} id={id} inactive={inactive} />
      </Table.Td>
      <Table.Td data-label="URLs of">
        <Text size="sm">{contentText(record)}</Text>
      </Table.Td>
      <Table.Td data-label="Monthly budget">
        <Text size="sm">
          {monthlyBudgetUsd === 0 ? 'None' : `${dollars(spentUsd)} of ${dollars(monthlyBudgetUsd)} spent`}
        </Text>
      </Table.Td>
      <Table.Td data-label="Last used">
        <LastUsed at={lastUsedAt} />
      </Table.Td>
      <Table.Td data-label="Expires">
        <Text size="sm">{endText(revokedAt ?? expiresAt, now)}</Text>
      </Table.Td>
      <Table.Td className={classes.actions ?? ''}>
        {inactive === undefined && <KeyMenu of={name || id} onRotate={onRotate} onRevoke={onRevoke} />}
      </Table.Td>
    </Table.Tr>
  )
}

function contentText({ workflows, images }: SigningKeyRecord): string {
  const some = workflows?.length === 1 ? '1 workflow' : `${workflows?.length} workflows`
  return `${workflows === undefined ? 'All workflows' : some}${images ? ', all images' : ''}`
}
