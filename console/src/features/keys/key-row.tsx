import { Badge, Text } from '@mantine/core'
import type { KeyRecord } from '../../api/keys.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { KeyTableRow } from './key-table.tsx'
import { permissions } from './permissions.ts'

interface KeyRowProps {
  record: KeyRecord
  now: Date
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
        current && (
          <Badge variant="light" tt="none">
            This session
          </Badge>
        )
      }
      of={name || prefix}
      cells={{
        Permissions: <Text size="sm">{permissionsText(record)}</Text>,
        Created: <RelativeTime at={createdAt} size="sm" />,
      }}
      {...props}
    />
  )
}

function permissionsText({ permissions: granted }: KeyRecord): string {
  if (granted.includes('all')) return 'Full access'
  return permissions
    .filter(({ id }) => granted.includes(id))
    .map(({ label }) => label)
    .join(', ')
}
