import { Text } from '@mantine/core'
import { Check, CircleDashed, CircleSlash, LoaderCircle, TriangleAlert, Zap } from 'lucide-react'
import type { Step } from '../../api/types.ts'
import { duration } from '../../ui/format.ts'
import classes from './step-list.module.css'

interface StepListProps {
  steps: readonly Step[]
  /** Called with the node of the clicked step. */
  onOpen?(node: string): void
}

/** The steps of a run with status and duration, or the source of a reused result. */
export function StepList({ steps, onOpen }: StepListProps) {
  const longest = Math.max(1, ...steps.map((step) => (step.servedFrom === undefined ? (step.duration ?? 0) : 0)))
  return (
    <ol className={classes.list} aria-label="Steps">
      {steps.map((step) => (
        <li key={step.node}>
          <button type="button" className={classes.row} data-status={step.status} onClick={() => onOpen?.(step.node)}>
            <Mark step={step} />
            <span className={classes.name}>
              <span className={classes.node}>{step.node}</span>
              <Text span size="xs" c="dimmed" truncate>
                {step.operation}
              </Text>
            </span>
            <span className={classes.time}>{timeText(step)}</span>
            {step.servedFrom === undefined && (
              <span className={classes.bar} style={{ width: `${((step.duration ?? 0) / longest) * 100}%` }} />
            )}
          </button>
        </li>
      ))}
    </ol>
  )
}

function timeText({ status, duration: ms, servedFrom }: Step): string {
  if (servedFrom === 'cache') return 'cached'
  if (servedFrom === 'resumed') return 'kept'
  return status === 'completed' && ms !== undefined ? duration(ms) : status
}

function Mark({ step: { status, servedFrom } }: { step: Step }) {
  const props = { size: 15, 'aria-hidden': true }
  if (status === 'failed') return <TriangleAlert {...props} />
  if (status === 'running') return <LoaderCircle {...props} className={classes.turning} />
  if (status === 'pending') return <CircleDashed {...props} />
  if (status === 'completed') return servedFrom === undefined ? <Check {...props} /> : <Zap {...props} />
  return <CircleSlash {...props} />
}
