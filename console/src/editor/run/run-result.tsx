import { ScrollArea, Text } from '@mantine/core'
import { onThisOrigin } from '../../api/executions.ts'
import { ImageView } from '../../ui/image-view.tsx'
import { useEditor, useRun } from '../state/editor-context.ts'
import classes from './run-panel.module.css'
import { StepList } from './step-list.tsx'

/** The output of the run, and its steps. */
export function RunResult() {
  const { document: store } = useEditor()
  const steps = useRun((run) => run.steps)
  return (
    <>
      <div className={classes.result}>
        <Output />
      </div>
      <ScrollArea className={classes.steps ?? ''} type="auto">
        <StepList steps={steps} onOpen={(node) => store.getState().focusOn(`nodes.${node}`)} />
      </ScrollArea>
    </>
  )
}

/** Without an output, the reason. */
function Output() {
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
    <ImageView
      url={onThisOrigin(output.url)}
      alt="The result"
      width={output.width}
      height={output.height}
      format={output.format}
      before={previousUrl === undefined ? undefined : { url: onThisOrigin(previousUrl), label: 'Compare with before' }}
    />
  )
}
