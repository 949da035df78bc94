import { Text } from '@mantine/core'
import { onThisOrigin } from '../../api/executions.ts'
import { Picture } from '../../ui/picture.tsx'
import { useRun } from '../state/editor-context.ts'
import classes from './run-panel.module.css'

/** The output of the run, or the reason why there is none. */
export function RunResult() {
  const isRunning = useRun((run) => run.isRunning)
  const execution = useRun((run) => run.execution)
  const previousUrl = useRun((run) => run.previousUrl)
  const output = execution?.output
  if (output === undefined)
    return (
      <Text size="sm" c="dimmed" className={classes.nothing ?? ''}>
        {isRunning ? 'Working on it …' : (execution?.error?.message ?? 'Your image will appear here.')}
      </Text>
    )
  return (
    <Picture
      url={onThisOrigin(output.url)}
      alt="The result"
      width={output.width}
      height={output.height}
      format={output.format}
      before={previousUrl === undefined ? undefined : { url: onThisOrigin(previousUrl), label: 'Compare with before' }}
    />
  )
}
