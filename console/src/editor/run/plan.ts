/** A forecast of a run. The service plans it like a real execution. */

import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { Validation } from '../../api/types.ts'
import type { ParameterValues, WorkflowDocument } from '../../api/workflow-document.ts'
import { counted } from '../../ui/format.ts'
import { forecast, useCallsModels, useStepCosts } from '../results/forecast.ts'
import { type Price, priceOf, type StepCosts } from '../results/price.ts'
import { useDocument, useEditor, useRun } from '../state/editor-context.ts'
import { type Variations, withNewVariations } from '../state/variations.ts'

const debounceMs = 500

export interface Plan {
  /** Steps with a reusable result. */
  reused: number
  runs: number
  price: Price
  expectedMs: number | null
}

interface Input {
  document: WorkflowDocument
  values: ParameterValues
  variations: Variations
  /** The run after which it was requested: a run stores results that the next one reuses. */
  after: string | undefined
}

/**
 * The forecast of the next run, and of one with new variations of the nodes `vary`. Each is undefined while it is unknown, and
 * for a document that cannot run. Also marks the nodes that changed since the last run.
 */
export function usePlans(vary: readonly string[]): { next: Plan | undefined; varied: Plan | undefined } {
  const { run } = useEditor()
  const document = useDocument((state) => state.document)
  const values = useRun((state) => state.values)
  const variations = useDocument((state) => state.variations)
  const isRunning = useRun((state) => state.isRunning)
  const after = useRun(({ execution }) => execution?.completedAt)
  const [input] = useDebouncedValue({ document, values, variations, after }, debounceMs)
  const isCurrent =
    input.document === document && input.values === values && input.variations === variations && input.after === after
  const varying = vary.join(' ')
  const varied = useMemo(
    () => withNewVariations(input.variations, varying.split(' ').filter(Boolean)),
    [input.variations, varying],
  )
  const next = useValidation(input, input.variations, '', Object.keys(input.document.nodes).length > 0)
  const nextVaried = useValidation(input, varied, varying, varying !== '' && !isRunning)
  const costs = useStepCosts(useCallsModels())
  useEffect(() => {
    if (isCurrent && next?.valid) run.getState().setForecast(next.steps)
  }, [run, next, isCurrent])
  if (!isCurrent) return { next: undefined, varied: undefined }
  return { next: planOf(next, costs), varied: planOf(nextVaried, costs) }
}

/** `varying`: the nodes with new variations, which are random and not in the key of the query. */
function useValidation(
  input: Input,
  variations: Variations,
  varying: string,
  isEnabled: boolean,
): Validation | undefined {
  const editor = useEditor()
  const { workflowId } = editor
  const { document, values, after } = input
  const { data } = useQuery({
    queryKey: ['plan', workflowId, document, values, input.variations, after, varying],
    queryFn: ({ signal }) => forecast(editor, { document, values, variations, signal }),
    enabled: isEnabled,
    // A forecast is valid only for a moment.
    gcTime: 0,
  })
  return data
}

function planOf(data: Validation | undefined, costs: StepCosts): Plan | undefined {
  if (data === undefined || !data.valid) return undefined
  const needed = data.steps.filter(({ action }) => action === 'run' || action === 'decide')
  const reused = needed.filter(({ servedFrom }) => servedFrom !== null).length
  return { reused, runs: needed.length - reused, price: priceOf(data.steps, costs), expectedMs: data.expectedDuration }
}

/** `Next run: 2 steps, 6 cached`. */
export function planText({ reused, runs }: Plan): string {
  if (runs === 0 && reused > 0) return `Next run: all ${counted(reused, 'step')} cached`
  const parts = [counted(runs, 'step')]
  if (reused > 0) parts.push(`${reused} cached`)
  return `Next run: ${parts.join(', ')}`
}
