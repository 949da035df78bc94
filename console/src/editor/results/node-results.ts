/** The results of a random node in earlier runs of the draft. Each is stored, and comes back without a model call. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type LiveExecution, readExecution } from '../../api/execution-events.ts'
import { stepPreviewPath } from '../../api/executions.ts'
import { paidRunsQuery } from '../../api/paid-runs.ts'
import type { ParameterValues } from '../../api/workflow-document.ts'
import { dollars, fullTime } from '../../ui/format.ts'
import { starsOf } from '../document/node-records.ts'
import { useDocument, useEditor } from '../state/editor-context.ts'
import { paidFor } from './price.ts'

export interface NodeResult {
  node: string
  /** Identifies the result: its settings, all that it depends on, and its variation. */
  fingerprint: string
  variation: string
  /** All executions that have it, the newest first. */
  executionIds: readonly [string, ...string[]]
  /** ISO 8601, of the newest. */
  createdAt: string
  parameters: ParameterValues
  /** A path of this origin. At most 512 x 512 pixels. */
  previewUrl: string
  /** US dollars. */
  costUsd: number | undefined
  hasStar: boolean
}

/** More of them make the first view of a node slow. */
const runsMax = 24

/** The results of the node, those with a star first, then the newest first. Undefined while they load. */
export function useNodeResults(node: string): readonly NodeResult[] | undefined {
  const { workflowId } = useEditor()
  const { data: runs } = useQuery(paidRunsQuery(workflowId, runsMax))
  const layout = useDocument(({ document }) => document.layout)
  const stars = useMemo(() => starsOf({ name: '', nodes: {}, layout }, node), [layout, node])
  const known = new Set(runs?.map(({ execution }) => execution.executionId))
  const older = useQueries({
    queries: stars
      .filter((id) => runs !== undefined && !known.has(id))
      .map((id) => ({
        queryKey: ['execution', id, 'with steps'],
        queryFn: ({ signal }: { signal: AbortSignal }) => readExecution(id, signal),
        staleTime: Number.POSITIVE_INFINITY,
        // It can be deleted.
        retry: false,
      })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  })
  return useMemo(() => runs && resultsOf([...runs, ...older], node, stars), [runs, older, node, stars])
}

/** `runs`: the newest first. `stars`: the executions whose results have a star. */
export function resultsOf(runs: readonly LiveExecution[], node: string, stars: readonly string[]): NodeResult[] {
  const results = new Map<string, NodeResult>()
  for (const { execution, steps } of runs) {
    const step = steps.find((each) => each.node === node)
    if (step?.fingerprint === undefined || step.preview === undefined || step.status !== 'completed') continue
    const { executionId, createdAt = '', parameters = {}, variations = {} } = execution
    const known = results.get(step.fingerprint)
    const costUsd = known?.costUsd ?? paidFor(step)
    const hasStar = known?.hasStar === true || stars.includes(executionId)
    if (known !== undefined) {
      const executionIds = [...known.executionIds, executionId] as const
      results.set(step.fingerprint, { ...known, executionIds, costUsd, hasStar })
      continue
    }
    results.set(step.fingerprint, {
      node,
      fingerprint: step.fingerprint,
      variation: variations[node] ?? node,
      executionIds: [executionId],
      createdAt,
      parameters: parameters as ParameterValues,
      previewUrl: stepPreviewPath(executionId, node),
      costUsd,
      hasStar,
    })
  }
  return [...results.values()].sort((a, b) => Number(b.hasStar) - Number(a.hasStar))
}

/** `29 Nov 2026, 10:04:12, $0.03`. */
export function titleOf({ createdAt, costUsd }: NodeResult): string {
  return fullTime(createdAt) + (costUsd === undefined ? '' : `, ${dollars(costUsd)}`)
}
