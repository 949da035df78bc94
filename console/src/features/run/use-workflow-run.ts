import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { cancelExecution, executeDraft, executeWorkflow, executionQuery, isEnded } from '../../api/executions.ts'
import type { ParameterValues, WorkflowDocument } from '../../api/workflow-document.ts'
import { documentQuery, validateDocument, workflowQuery } from '../../api/workflows.ts'
import { useStepCosts } from '../../editor/results/forecast.ts'
import { free, type Price, priceOf } from '../../editor/results/price.ts'
import { useLiveExecution } from '../../editor/run/use-live-execution.ts'
import { useDocument, useEditor, useRun } from '../../editor/state/editor-context.ts'
import { declaredValues } from '../../editor/state/parameter-values.ts'
import { variableNodes } from '../../editor/state/variations.ts'

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
  const { projectId, catalogue } = useEditor()
  const { price, priceNow } = usePrice(workflowId, document, passed, projectId)
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
    /** The price of a run with these values; undefined while it is unknown, and if it calls no model. */
    price,
    /** The price, also before it is known. */
    priceNow,
    /** Each run makes another result. */
    isRandom: document !== undefined && variableNodes(document, catalogue).length > 0,
    isStarting: starting.isPending,
    isRunning,
    canRun: document !== undefined && !isRunning,
    run: () => starting.mutate(),
    cancel: () => {
      if (execution !== undefined) void cancelExecution(execution.executionId).catch(setProblem)
    },
  }
}

/** A published execution reuses no random results, so its forecast has no variations. */
function usePrice(
  workflowId: string,
  document: WorkflowDocument | undefined,
  parameters: ParameterValues,
  projectId: string | undefined,
): { price: Price | undefined; priceNow(): Price | Promise<Price> } {
  const [passed] = useDebouncedValue(parameters, 500, { leading: true })
  const forecast = (values: ParameterValues, signal?: AbortSignal) =>
    validateDocument(document as WorkflowDocument, { parameters: values, projectId, ...(signal ? { signal } : {}) })
  const { data } = useQuery({
    queryKey: ['plan', workflowId, 'run page', document, passed],
    queryFn: ({ signal }) => forecast(passed, signal),
    enabled: document !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const steps = data?.steps ?? []
  const callsModels = steps.some(({ cost }) => cost !== undefined && (cost === null || cost.maxUsd > 0))
  const costs = useStepCosts(callsModels)
  const price = callsModels ? priceOf(steps, costs) : undefined
  const priceNow = () =>
    data === undefined ? forecast(parameters).then((now) => priceOf(now.steps, costs)) : (price ?? free)
  return { price, priceNow }
}

export type WorkflowRun = ReturnType<typeof useWorkflowRun>
