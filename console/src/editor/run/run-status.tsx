import { Text } from '@mantine/core'
import { dollars, duration } from '../../ui/format.ts'
import { useRun } from '../state/editor-context.ts'
import type { RunState } from '../state/run.ts'

/** The status of the run in words. Screen readers announce each change. */
export function RunStatus() {
  const text = useRun(statusText)
  const isFailed = useRun(({ problem, execution }) => problem !== undefined || execution?.status === 'failed')
  return (
    <Text size="sm" c={isFailed ? 'red' : 'dimmed'} role="status" truncate>
      {text}
    </Text>
  )
}

function statusText({ execution, steps, isRunning, problem }: RunState): string {
  if (problem !== undefined) return problem.message
  if (isRunning) {
    const ended = steps.filter(({ status }) => status !== 'pending' && status !== 'running').length
    return execution?.status === 'running' ? `Running, ${ended} of ${steps.length} steps done` : 'Waiting to run'
  }
  if (execution === undefined) return ''
  if (execution.status === 'failed') return execution.error?.message ?? 'The execution failed.'
  const cached = steps.filter(({ servedFrom }) => servedFrom === 'cache').length
  const parts = [`Done in ${duration(execution.duration ?? 0)}`]
  if (cached > 0) parts.push(`${cached} of ${steps.length} steps cached`)
  if (execution.cost?.usd) parts.push(dollars(execution.cost.usd))
  return parts.join(' · ')
}
