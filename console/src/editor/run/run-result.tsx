import { ScrollArea, Text } from '@mantine/core'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { OutputsView } from '../../ui/outputs-view.tsx'
import { PreviewFigure } from '../../ui/preview-figure.tsx'
import { sourceOf } from '../document/wires.ts'
import { useDocument, useEditor, usePreview, useRun } from '../state/editor-context.ts'
import { isOutdated } from '../state/outdated.ts'
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

/** The output, or, without one, the reason. */
function Output() {
  const isRunning = useRun((run) => run.isRunning)
  const execution = useRun((run) => run.execution)
  const previousUrls = useRun((run) => run.previousUrls)
  const nodes = useRun((run) => run.nodes)
  const executed = useRun((run) => run.executed)
  const document = useDocument((state) => state.document)
  const live = usePreview(outputNode(document), { isExact: true, maxSide: dockSide })
  if (live?.url !== undefined && live.problem === undefined && !live.isQuiet && !isRunning) {
    const { url, width, height, isStale } = live
    return <PreviewFigure {...{ url, width, height, isStale }} alt="Preview of the output" />
  }
  if (execution?.output === undefined)
    return (
      <Text size="sm" c="dimmed" className={classes.nothing ?? ''}>
        {isRunning ? 'Working on it …' : (execution?.error?.message ?? 'Your image will appear here.')}
      </Text>
    )
  return (
    <OutputsView
      execution={execution}
      alt="The result"
      before={{ urls: previousUrls, label: 'Compare with before' }}
      isOutdated={({ name }) => isOutdated({ execution, nodes, executed }, document, name)}
    />
  )
}

/** Pixels that the result has at most in this panel, on most screens. */
const dockSide = 1024

/** Undefined if it is a named output of a workflow that a node uses. */
function outputNode({ output }: WorkflowDocument): string | undefined {
  const { source, output: name } = sourceOf(output?.node ?? '')
  return source === '' || name !== undefined ? undefined : source
}
