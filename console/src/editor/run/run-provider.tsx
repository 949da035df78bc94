import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { cancelExecution, executeDraft, isEnded } from '../../api/executions.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { staleNodes } from '../document/stale.ts'
import { useEditor, useEditorStore } from '../state/editor-context.tsx'
import { NodeRunsContext, type ParameterValues, type Run, RunContext } from '../state/run-context.tsx'
import { nodeRuns } from './node-runs.ts'
import { useFollowed } from './use-followed.ts'
import { changedParameters, declaredValues } from './values.ts'

interface RunProviderProps {
  workflowId: string
  /** Resolves when what was changed on the canvas is stored in the draft: that is what runs, or the newest version where there is none. */
  saved(): Promise<void>
  children: ReactNode
}

interface Begun {
  /** What was run, to know what has changed since. */
  document: WorkflowDocument
  values: ParameterValues
}

/** Keeps the newest run of the draft, and follows it. */
export function RunProvider({ workflowId, saved, children }: RunProviderProps) {
  const editor = useEditorStore()
  const document = useEditor((state) => state.document)
  const [values, setValues] = useState<ParameterValues>({})
  const [begun, setBegun] = useState<Begun>()
  const [isStarting, setStarting] = useState(false)
  const [problem, setProblem] = useState<Error>()
  const [previousUrl, setPreviousUrl] = useState<string>()
  const { live, follow } = useFollowed(setProblem)
  const outputUrl = live?.execution.output?.url
  const newest = useRef({ values, saved, outputUrl })
  newest.current = { values, saved, outputUrl }

  const start = useCallback(
    async ({ node }: { node?: string } = {}) => {
      setStarting(true)
      setProblem(undefined)
      try {
        await newest.current.saved()
        const { document } = editor.getState()
        const { values } = newest.current
        const parameters = declaredValues(document, values)
        const { executionId } = await executeDraft(workflowId, {
          parameters,
          previews: true,
          ...(node === undefined ? {} : { node }),
        })
        setPreviousUrl((before) => newest.current.outputUrl ?? before)
        setBegun({ document, values })
        follow({ executionId, workflowId })
      } catch (error) {
        setProblem(error as Error)
        const [first] = error instanceof ApiError ? error.issues : []
        if (first !== undefined && !first.path.startsWith('parameters')) editor.getState().focusOn(first.path)
      } finally {
        setStarting(false)
      }
    },
    [editor, follow, workflowId],
  )

  const executionId = live?.execution.executionId
  const cancel = useCallback(() => {
    if (executionId !== undefined) cancelExecution(executionId).catch(setProblem)
  }, [executionId])

  const stale = useMemo(
    () =>
      begun === undefined
        ? undefined
        : staleNodes(begun.document, document, changedParameters(document, begun.values, values)),
    [begun, document, values],
  )
  const nodes = useMemo(() => nodeRuns(live, stale, begun?.document.nodes), [live, stale, begun])
  const run = useMemo(
    (): Run => ({
      values,
      setValues,
      execution: live?.execution,
      steps: live?.steps ?? [],
      nodes,
      previousUrl,
      isRunning: isStarting || (live !== undefined && !isEnded(live.execution)),
      problem,
      start: (options) => void start(options),
      cancel,
    }),
    [values, live, nodes, previousUrl, isStarting, problem, start, cancel],
  )
  return (
    <NodeRunsContext value={nodes}>
      <RunContext value={run}>{children}</RunContext>
    </NodeRunsContext>
  )
}
