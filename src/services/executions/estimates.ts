/** Estimates the duration of an execution from the steps of earlier ones. */
import type { ExecutionStore, PastRun } from '../../domain/executions/execution.ts'
import type { Plan } from '../../engine/plan/plan.ts'

export interface Estimate {
  /** Milliseconds from start to stored output. Null if an operation has no earlier run. */
  duration: number | null
  /** Milliseconds by node. */
  steps: ReadonlyMap<string, number | null>
}

export interface Estimates {
  /** `served`: nodes that will not run. */
  estimate(accountId: string, plan: Plan, cached?: ReadonlySet<string>): Promise<Estimate>
  /** An estimator for several plans: reads the earlier executions once. */
  estimator(accountId: string): Promise<(plan: Plan, cached?: ReadonlySet<string>) => Estimate>
}

/** The number of newest completed executions that count: enough for a median, and fast to read. */
const runsMax = 50
/**
 * Size of the JSON of the steps, which is parsed without a pause for the event loop: 50 executions of 1,000 steps took
 * 0.1 s.
 */
const stepsBytesMax = 1_048_576

export function createEstimates({ executions }: { executions: Pick<ExecutionStore, 'recentRuns'> }): Estimates {
  const estimator: Estimates['estimator'] = async (accountId) => {
    const medians = mediansOf(await executions.recentRuns(accountId, runsMax, stepsBytesMax))
    return (plan, cached) => estimateBy(medians, plan, cached)
  }
  return {
    estimator,
    async estimate(accountId, plan, cached) {
      return (await estimator(accountId))(plan, cached)
    },
  }
}

/**
 * The longest path to an output, with the median duration of each operation, plus the median time after the last step for
 * encoding and storing.
 */
export function estimateBy(
  { ofOperation, rest }: Medians,
  { steps, workflow }: Pick<Plan, 'steps' | 'workflow'>,
  cached: ReadonlySet<string> = new Set(),
): Estimate {
  const times = new Map(
    steps.map(({ node, action }): [string, number | null] => {
      if (action === 'skip' || action === 'unneeded' || cached.has(node.id)) return [node.id, 0]
      return [node.id, ofOperation.get(node.operation.id) ?? null]
    }),
  )
  const ends = new Map<string, number | null>()
  for (const { node, action } of steps) {
    const before = action === 'unneeded' ? [] : node.needs.map((id) => ends.get(id) ?? null)
    const stepMs = times.get(node.id) ?? null
    ends.set(node.id, stepMs === null || before.includes(null) ? null : stepMs + Math.max(0, ...before.map(Number)))
  }
  const works = workflow.outputs.flatMap(({ nodes }) => nodes.map((id) => ends.get(id) ?? null))
  const work = works.includes(null) ? null : Math.max(...works.map(Number))
  return { duration: work === null || rest === null ? null : rounded(work + rest), steps: times }
}

/** Medians in milliseconds. */
interface Medians {
  ofOperation: ReadonlyMap<string, number | null>
  /** Time from the end of the last step to the end of the execution. */
  rest: number | null
}

export function mediansOf(runs: readonly PastRun[]): Medians {
  const times = new Map<string, number[]>()
  for (const { operation, status, durationMs, servedFrom } of runs.flatMap(({ steps }) => steps)) {
    // A cached step has no duration of the operation.
    if (status !== 'completed' || durationMs === null || servedFrom) continue
    const known = times.get(operation)
    if (known === undefined) times.set(operation, [durationMs])
    else known.push(durationMs)
  }
  const ofOperation = new Map([...times].map(([operation, values]) => [operation, median(values)]))
  return { ofOperation, rest: median(runs.flatMap(restOf)) }
}

function restOf({ steps, completedAt }: PastRun): number[] {
  // If the last step did not run, the output may not have been encoded either.
  if (steps.every(({ status, servedFrom }) => servedFrom || status === 'skipped')) return []
  const ends = steps.flatMap(({ startedAt, durationMs }) =>
    startedAt !== null && durationMs !== null ? startedAt + durationMs : [],
  )
  return ends.length === 0 ? [] : [Math.max(0, completedAt - Math.max(...ends))]
}

function median(values: number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)]
  return middle === undefined ? null : rounded(middle)
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}
