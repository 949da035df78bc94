import type { LiveExecution } from '../api/execution-events.ts'
import { stepPreviewPath } from '../api/executions.ts'
import type { Step } from '../api/types.ts'
import type { NodeRun } from './run-context.tsx'

const none: ReadonlySet<string> = new Set()
/** A node's run is the same object while its step is, so that its card is not drawn again. */
const known = new WeakMap<Step, Map<string, NodeRun>>()

/** Node -> how it stands in the run. */
export function nodeRuns(live: LiveExecution | undefined, stale: ReadonlySet<string> = none): Map<string, NodeRun> {
  if (live === undefined) return new Map()
  const { executionId } = live.execution
  return new Map(live.steps.map((step) => [step.node, nodeRun(step, executionId, stale.has(step.node))]))
}

function nodeRun(step: Step, executionId: string, isStale: boolean): NodeRun {
  const runs = known.get(step) ?? new Map<string, NodeRun>()
  known.set(step, runs)
  const key = `${executionId} ${isStale}`
  const run = runs.get(key) ?? made(step, executionId, isStale)
  runs.set(key, run)
  return run
}

function made(
  { node, status, duration, servedFrom, preview, width, height, error, calls }: Step,
  executionId: string,
  isStale: boolean,
): NodeRun {
  const costs = calls?.map(({ costUsd }) => costUsd ?? 0)
  return {
    status,
    ...(duration === undefined ? {} : { duration }),
    ...(servedFrom === undefined ? {} : { servedFrom }),
    ...(preview === undefined ? {} : { previewUrl: stepPreviewPath(executionId, node) }),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(error === undefined ? {} : { error }),
    ...(costs === undefined ? {} : { costUsd: costs.reduce((sum, cost) => sum + cost, 0) }),
    ...(isStale ? { isStale } : {}),
  }
}
