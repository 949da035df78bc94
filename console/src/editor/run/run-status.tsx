import { Text } from '@mantine/core'
import { dollars, duration, fullTime } from '../../ui/format.ts'
import { useRun } from '../state/editor-context.ts'
import type { RunState } from '../state/run.ts'

/** The status of the run in words. Screen readers announce each change. */
export function RunStatus() {
  const text = useRun(statusText)
  const isFailed = useRun(({ problem, execution }) => problem !== undefined || execution?.status === 'failed')
  return (
    <Text
      size="sm"
      c={isFailed ? 'red' : 'dimmed'}
      role="status"
      title={isFailed ? text : undefined}
      {...(isFailed ? { lineClamp: 2 } : { truncate: true })}
    >
      {text}
    </Text>
  )
}

function statusText({ execution, steps, isRunning, isEarlier, problem }: RunState): string {
  if (problem !== undefined) return problem.message
  if (isRunning) {
    const ended = steps.filter(({ status }) => status !== 'pending' && status !== 'running').length
    return execution?.status === 'running' ? `Running, ${ended} of ${steps.length} steps done` : 'Waiting to run'
  }
  if (execution === undefined) return ''
  const earlier = isEarlier && execution.createdAt !== undefined ? [`Run of ${fullTime(execution.createdAt)}`] : []
  if (execution.status === 'failed')
    return [...earlier, execution.error?.message ?? 'The execution failed.'].join(' · ')
  const cached = steps.filter(({ servedFrom }) => servedFrom === 'cache').length
  const parts = [...earlier, `Done in ${duration(execution.duration ?? 0)}`]
  if (isEarlier && steps.every(({ preview }) => preview === undefined))
    parts.push(
      execution.previews
        ? 'the step images have expired: run again to see them'
        : 'this execution stored no step images: run again to see them',
    )
  if (cached > 0) parts.push(`${cached} of ${steps.length} steps cached`)
  if (execution.cost?.usd) parts.push(dollars(execution.cost.usd))
  return parts.join(' · ')
}
