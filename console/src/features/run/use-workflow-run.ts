import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { cancelExecution, executeDraft, executeWorkflow, executionQuery, isEnded } from '../../api/executions.ts'
import { documentQuery, workflowQuery } from '../../api/workflows.ts'
import { useLiveExecution } from '../../editor/run/use-live-execution.ts'
import { useDocument, useRun } from '../../editor/state/editor-context.ts'
import { declaredValues } from '../../editor/state/parameter-values.ts'

/**
 * Runs of the published workflow, or of the draft if it was never published. The values are those of the editor's run form.
 * `from`: an execution to repeat the parameters of.
 */
export function useWorkflowRun(workflowId: string, from: string | undefined) {
  const draft = useDocument((state) => state.document)
  const published = useQuery(workflowQuery(workflowId))
  const isPublished = published.data !== null && published.data !== undefined
  const saved = useQuery({ ...documentQuery(workflowId), enabled: isPublished })
  const repeated = useQuery({ ...executionQuery(from ?? ''), enabled: from !== undefined })
  const values = useRun((run) => run.values)
  const setValues = useRun((run) => run.setValues)
  const repeat = useRun((run) => run.repeat)
  const navigate = useNavigate()
  const [problem, setProblem] = useState<Error>()
  /** The values of the shown execution as JSON. */
  const [executed, setExecuted] = useState('')
  const { live, follow } = useLiveExecution(setProblem)

  const isDraft = published.data === null
  const document = isPublished ? saved.data : isDraft ? draft : undefined
  const passed = document === undefined ? {} : declaredValues(document, values)
  useEffect(() => {
    if (repeated.data === undefined || document === undefined) return
    repeat(repeated.data, document)
    // Otherwise a reload would replace values that are typed from now on.
    void navigate({ to: '/workflows/$workflowId/run', params: { workflowId }, search: {}, replace: true })
  }, [repeated.data, document, repeat, navigate, workflowId])
  const starting = useMutation({
    mutationFn: async () => {
      if (document === undefined) return
      const execute = isPublished ? executeWorkflow : executeDraft
      const { executionId } = await execute(workflowId, { parameters: passed })
      setExecuted(JSON.stringify(passed))
      follow({ executionId, workflowId })
    },
    onMutate: () => setProblem(undefined),
    onError: setProblem,
  })
  const execution = live?.execution
  const isRunning = starting.isPending || (execution !== undefined && !isEnded(execution))
  return {
    /** Undefined while it loads. */
    document,
    isDraft,
    values,
    setValues,
    /** Why the parameters of `from` can't be read. */
    repeatError: repeated.error,
    execution,
    /** The values changed after the execution was started. */
    isOutdated: executed !== JSON.stringify(passed),
    steps: live?.steps ?? [],
    problem,
    isStarting: starting.isPending,
    isRunning,
    canRun: document !== undefined && !isRunning,
    run: () => starting.mutate(),
    cancel: () => {
      if (execution !== undefined) void cancelExecution(execution.executionId).catch(setProblem)
    },
  }
}

export type WorkflowRun = ReturnType<typeof useWorkflowRun>
