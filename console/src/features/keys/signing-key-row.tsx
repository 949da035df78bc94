import { Text } from '@mantine/core'
import type { SigningKeyRecord } from '../../api/signing-keys.ts'
import { dollars } from '../../ui/format.ts'
import { KeyTableRow } from './key-table.tsx'

interface Props {
  record: SigningKeyRecord
  now: Date
  onRotate(): void
  onRevoke(): void
}

export function SigningKeyRow({ record, ...props }: Props) {
  const { id, name } = record
  return (
    <KeyTableRow
      record={record}
      id={id}
      of={name || id}
      cells={{
        'URLs of': <Text size="sm">{contentText(record)}</Text>,
        'Monthly budget': <Text size="sm">{budgetText(record)}</Text>,
      }}
      {...props}
    />
  )
}

function contentText({ workflows, images }: SigningKeyRecord): string {
  const some = workflows?.length === 1 ? '1 workflow' : `${workflows?.length} workflows`
  return `${workflows === undefined ? 'All workflows' : some}${images ? ', all images' : ''}`
}

function budgetText({ monthlyBudgetUsd, spentUsd = 0 }: SigningKeyRecord): string {
  return monthlyBudgetUsd === 0 ? 'None' : `${dollars(spentUsd)} of ${dollars(monthlyBudgetUsd)} spent`
}
