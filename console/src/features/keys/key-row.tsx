import { Badge, Text } from '@mantine/core'
import type { KeyRecord } from '../../api/keys.ts'
import { dollars } from '../../ui/format.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { KeyTableRow } from './key-table.tsx'
import { permissions } from './permissions.ts'

interface KeyRowProps {
  record: KeyRecord
  now: Date
  onEdit(): void
  onRotate(): void
  onRevoke(): void
}

export function KeyRow({ record, ...props }: KeyRowProps) {
  const { name, prefix, createdAt, current } = record
  return (
    <KeyTableRow
      record={record}
      id={`${prefix}…`}
      badge={
        <>
          {record.test && (
            <Badge variant="outline" tt="none">
              Test
            </Badge>
          )}
          {current && (
            <Badge variant="light" tt="none">
              This session
            </Badge>
          )}
        </>
      }
      of={name || prefix}
      cells={{
        Permissions: <Text size="sm">{permissionsText(record)}</Text>,
        Budget: <BudgetText {...record} />,
        Created: <RelativeTime at={createdAt} size="sm" />,
      }}
      {...props}
    />
  )
}

function BudgetText({ dailyBudgetUsd, monthlyBudgetUsd, spentTodayUsd = 0, spentThisMonthUsd = 0 }: KeyRecord) {
  const lines = [
    dailyBudgetUsd !== undefined && `${dollars(spentTodayUsd)} of ${dollars(dailyBudgetUsd)} today`,
    monthlyBudgetUsd !== undefined && `${dollars(spentThisMonthUsd)} of ${dollars(monthlyBudgetUsd)} this month`,
  ].filter((line) => line !== false)
  if (lines.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No limit
      </Text>
    )
  return lines.map((line) => (
    <Text key={line} size="sm">
      {line}
    </Text>
  ))
}

function permissionsText({ permissions: granted, workflowId }: KeyRecord): string {
  if (workflowId !== undefined) return 'Run link: runs one workflow'
  if (granted.includes('all')) return 'Full access'
  return permissions
    .filter(({ id }) => granted.includes(id))
    .map(({ label }) => label)
    .join(', ')
}
