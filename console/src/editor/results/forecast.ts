/** Forecasts of runs, for the price before and for what a run would reuse. */
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { operationOf, workflowType } from '../../api/operations.ts'
import { paidRunsQuery } from '../../api/paid-runs.ts'
import type { Validation } from '../../api/types.ts'
import type { ParameterValues, WorkflowDocument } from '../../api/workflow-document.ts'
import { validateDocument } from '../../api/workflows.ts'
import { partUpTo } from '../document/part.ts'
import type { Editor } from '../state/editor.ts'
import { useDocument, useEditor, useRun } from '../state/editor-context.ts'
import { declaredValues } from '../state/parameter-values.ts'
import { declaredVariations, type Variations, withOfferedVariation } from '../state/variations.ts'
import { runsCounted, type StepCosts, stepCosts } from './price.ts'

interface Forecasted {
  document?: WorkflowDocument
  values?: ParameterValues
  /** Null: of an execution of the published version, which reuses no random results. */
  variations?: Variations | null
  /** Last node of the run. Default: the output. */
  node?: string | undefined
  signal?: AbortSignal
}

/** The forecast of a run of the draft as it is now, or with the given parts in place of those. */
export function forecast(editor: Editor, { node, signal, ...given }: Forecasted = {}): Promise<Validation> {
  const state = editor.document.getState()
  const { document: whole = state.document, variations = state.variations } = given
  const { values = editor.run.getState().values } = given
  const document = node === undefined ? whole : partUpTo(whole, node)
  return validateDocument(document, {
    parameters: declaredValues(document, values),
    projectId: editor.projectId,
    ...(variations === null
      ? {}
      : { workflowId: editor.workflowId, variations: declaredVariations(document, variations) }),
    ...(signal ? { signal } : {}),
  })
}

/** Whether a run can cost something. A workflow in it may call models. */
export function useCallsModels(): boolean {
  const { catalogue } = useEditor()
  return useDocument(({ document }) =>
    Object.values(document.nodes).some(
      (node) => node.type === workflowType || (operationOf(catalogue, node)?.asks ?? null) !== null,
    ),
  )
}

const noCosts: StepCosts = new Map()

/** The costs of earlier steps of the workflow. Empty while they load. */
export function useStepCosts(isEnabled = true): StepCosts {
  const { workflowId } = useEditor()
  const { data } = useQuery({ ...paidRunsQuery(workflowId, runsCounted), enabled: isEnabled })
  return useMemo(() => (data === undefined ? noCosts : stepCosts(data)), [data])
}

const debounceMs = 500

export interface NodeForecast {
  /** The step of the node in a run up to it. */
  step: Validation['steps'][number] | undefined
  steps: Validation['steps']
}

/**
 * The forecast of a run up to the node, and of one with a new variation of it. Undefined while it is unknown, and if the node can't run.
 * Works for an unfinished draft, too.
 */
export function useNodeForecast(node: string): { now: NodeForecast | undefined; varied: NodeForecast | undefined } {
  const document = useDocument((state) => state.document)
  const variations = useDocument((state) => state.variations)
  const values = useRun((run) => run.values)
  const after = useRun(({ execution }) => execution?.completedAt)
  const offered = useRun((run) => run.offered.get(node) ?? 0)
  const [input] = useDebouncedValue({ document, variations, values, after, offered }, debounceMs)
  const isCurrent =
    input.document === document &&
    input.variations === variations &&
    input.values === values &&
    input.after === after &&
    input.offered === offered
  const now = useForecast(node, input, false)
  const varied = useForecast(node, input, true)
  return isCurrent ? { now, varied } : { now: undefined, varied: undefined }
}

interface Input {
  document: WorkflowDocument
  variations: Variations
  values: ParameterValues
  after: string | undefined
  offered: number
}

function useForecast(node: string, { document, variations, values, after, offered }: Input, isVaried: boolean) {
  const editor = useEditor()
  const { data } = useQuery({
    queryKey: ['plan', editor.workflowId, 'up to', node, document, variations, values, after, offered, isVaried],
    queryFn: ({ signal }) =>
      forecast(editor, {
        document,
        values,
        variations: isVaried ? withOfferedVariation(variations, node) : variations,
        node,
        signal,
      }),
    enabled: Object.hasOwn(document.nodes, node),
    // A forecast is valid only for a moment.
    gcTime: 0,
  })
  return useMemo(
    () => (data?.valid ? { steps: data.steps, step: data.steps.find((step) => step.node === node) } : undefined),
    [data, node],
  )
}
