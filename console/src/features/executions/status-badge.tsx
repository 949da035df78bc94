import { Badge } from '@mantine/core'
import { CircleCheck, CircleDashed, CircleX, LoaderCircle } from 'lucide-react'
import type { ExecutionStatus } from '../../api/types.ts'
import classes from './status-badge.module.css'

const looks = {
  pending: { label: 'Waiting', color: 'gray', Icon: CircleDashed },
  running: { label: 'Running', color: 'blue', Icon: LoaderCircle },
  completed: { label: 'Completed', color: 'teal', Icon: CircleCheck },
  failed: { label: 'Failed', color: 'red', Icon: CircleX },
  cancelled: { label: 'Cancelled', color: 'gray', Icon: CircleX },
} as const

interface Props {
  status: ExecutionStatus
  /** The reason of a failure. */
  reason?: unknown
}

/** The status of an execution with a label and a colour. A cancelled execution is not shown as failed. */
export function StatusBadge({ status, reason }: Props) {
  const { label, color, Icon } = looks[status === 'failed' && reason === 'cancelled' ? 'cancelled' : status]
  return (
    <Badge
      className={classes.badge ?? ''}
      variant="light"
      color={color}
      tt="none"
      leftSection={<Icon size={13} aria-hidden className={status === 'running' ? classes.turning : undefined} />}
    >
      {label}
    </Badge>
  )
}
