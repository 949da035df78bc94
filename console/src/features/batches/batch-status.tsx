import { Badge, Progress } from '@mantine/core'
import type { Batch } from '../../api/batches.ts'

const looks = {
  created: { label: 'Not started', color: 'gray' },
  running: { label: 'Running', color: 'blue' },
  paused: { label: 'Paused', color: 'yellow' },
  completed: { label: 'Completed', color: 'teal' },
  cancelled: { label: 'Cancelled', color: 'gray' },
} as const

const pausedBy = {
  requested: 'Paused',
  budget: 'Paused by its budget',
  storage: 'Paused: storage is full',
  quota: 'Paused by a quota',
  suspended: 'Paused: the account was suspended',
} as const

export function BatchStatus({ batch: { status, pauseReason } }: { batch: Batch }) {
  const { label, color } = looks[status]
  return (
    <Badge variant="light" color={color} tt="none">
      {pauseReason === undefined ? label : pausedBy[pauseReason]}
    </Badge>
  )
}

/** The parts of the rows that completed, failed and were cancelled. */
export function BatchProgress({ batch: { counts } }: { batch: Batch }) {
  const part = (count: number) => (counts.total === 0 ? 0 : (100 * count) / counts.total)
  const ended = counts.completed + counts.failed + counts.cancelled
  return (
    <Progress.Root size="md" aria-label={`${ended} of ${counts.total} rows have ended`}>
      <Progress.Section value={part(counts.completed)} color="teal" aria-label={`${counts.completed} completed`} />
      <Progress.Section value={part(counts.failed)} color="red" aria-label={`${counts.failed} failed`} />
      <Progress.Section value={part(counts.cancelled)} color="gray" aria-label={`${counts.cancelled} cancelled`} />
    </Progress.Root>
  )
}
