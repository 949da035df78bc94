/** A forecast of a run. The service plans it like a real execution. */

import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Validation } from '../../api/types.ts'
import { validateDocument } from '../../api/workflows.ts'
import { counted, dollars } from '../../ui/format.ts'
import { useDocument, useRun } from '../state/editor-context.ts'
import { declaredValues } from '../state/parameter-values.ts'

const debounceMs = 700

export interface Plan {
  /** Steps with a reusable result. */
  reused: number
  runs: number
  cost: Validation['cost']
  expectedMs: number | null
}

/** Undefined while it is unknown, and for a document that cannot run. */
export function usePlan(isShown: boolean): Plan | undefined {
  const document = useDocument((state) => state.document)
  const values = useRun((state) => state.values)
  const completedAt = useRun(({ execution }) => execution?.completedAt)
  const [input] = useDebouncedValue({ document, values, after: completedAt }, debounceMs)
  const { data } = useQuery({
    queryKey: ['plan', input],
    queryFn: ({ signal }) =>
      validateDocument(input.document, { parameters: declaredValues(input.document, input.values), signal }),
    enabled: isShown && Object.keys(document.nodes).length > 0,
    placeholderData: keepPreviousData,
    // A forecast is valid only for a moment.
    gcTime: 0,
  })
  if (data === undefined || !data.valid) return undefined
  const needed = data.steps.filter(({ action }) => action === 'run' || action === 'decide')
  const reused = needed.filter(({ servedFrom }) => servedFrom !== null).length
  return { reused, runs: needed.length - reused, cost: data.cost, expectedMs: data.expectedDuration }
}

/** `Next run: 2 steps, 6 cached, $0.04`. */
export function planText({ reused, runs, cost }: Plan): string {
  if (runs === 0 && reused > 0) return `Next run: all ${counted(reused, 'step')} cached`
  const parts = [counted(runs, 'step')]
  if (reused > 0) parts.push(`${reused} cached`)
  if (cost !== null && cost.maxUsd > 0)
    parts.push(
      cost.minUsd === cost.maxUsd ? dollars(cost.maxUsd) : `${dollars(cost.minUsd)} to ${dollars(cost.maxUsd)}`,
    )
  return `Next run: ${parts.join(', ')}`
}
