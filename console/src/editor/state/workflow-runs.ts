/** The runs of nodes with workflows: their steps are those of the nodes inside, such as `card/title`. */
import type { Step } from '../../api/types.ts'
import type { NodeRun } from './node-runs.ts'

/** Node of the document -> the steps inside, in the order of the run. */
export function stepsOfWorkflows(steps: readonly Step[]): Map<string, Step[]> {
  const found = new Map<string, Step[]>()
  for (const step of steps) {
    const slash = step.node.indexOf('/')
    if (slash < 0) continue
    const id = step.node.slice(0, slash)
    const inner = found.get(id)
    if (inner === undefined) found.set(id, [step])
    else inner.push(step)
  }
  return found
}

/** The same steps give the same object, so that the card does not render again. */
const cache = new WeakMap<Step, Map<string, NodeRun>>()

/** `runs`: of the steps. `output`: the node inside whose image is the output; undefined if it is not known. */
export function workflowRun(
  id: string,
  steps: readonly Step[],
  runs: ReadonlyMap<string, NodeRun>,
  output: string | undefined,
): NodeRun {
  const inner = steps.flatMap(({ node }) => runs.get(node) ?? [])
  const last = runs.get(id) ?? outputRun(id, steps, runs, output)
  const failed = steps.find(({ error }) => error !== undefined)
  const ended = inner.filter(({ status }) => status !== 'pending' && status !== 'running').length
  const status = statusOf(inner)
  const servedFrom = servedFromOf(inner)
  const costUsd = sum(inner.map((step) => step.costUsd))
  const run: NodeRun = {
    status,
    duration: sum(inner.map((step) => (step.servedFrom === undefined ? step.duration : 0))) ?? 0,
    ...(servedFrom === undefined ? {} : { servedFrom }),
    ...(last?.previewUrl === undefined ? {} : { previewUrl: last.previewUrl }),
    ...(last?.width === undefined ? {} : { width: last.width }),
    ...(last?.height === undefined ? {} : { height: last.height }),
    ...(failed?.error === undefined
      ? {}
      : { error: { ...failed.error, message: `${failed.node.slice(id.length + 1)}: ${failed.error.message}` } }),
    ...(status === 'running' ? { progress: { done: ended, total: inner.length } } : {}),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(inner.some(({ isStale }) => isStale) ? { isStale: true } : {}),
  }
  const [first] = steps
  if (first === undefined) return run
  const known = cache.get(first) ?? new Map<string, NodeRun>()
  cache.set(first, known)
  const key = JSON.stringify(run)
  const same = known.get(key) ?? run
  known.set(key, same)
  return same
}

/** The run of the output: of its node, of the last step of the workflow that the node uses, or of the last item. */
function outputRun(
  id: string,
  steps: readonly Step[],
  runs: ReadonlyMap<string, NodeRun>,
  output: string | undefined,
): NodeRun | undefined {
  const isOutput = ({ node }: Step) => {
    const path = node.slice(id.length + 1).replace(/^\d+\//, '')
    return path === output || path.startsWith(`${output}/`)
  }
  const step = steps.findLast(isOutput) ?? (output === undefined ? steps.at(-1) : undefined)
  return step && runs.get(step.node)
}

function statusOf(runs: readonly NodeRun[]): NodeRun['status'] {
  const has = (status: NodeRun['status']) => runs.some((run) => run.status === status)
  if (has('failed')) return 'failed'
  if (has('cancelled')) return 'cancelled'
  if (has('running')) return 'running'
  if (has('pending')) return has('completed') || has('skipped') ? 'running' : 'pending'
  return has('completed') ? 'completed' : 'skipped'
}

/** Set if nothing was computed. */
function servedFromOf(runs: readonly NodeRun[]): NodeRun['servedFrom'] {
  const completed = runs.filter(({ status }) => status === 'completed')
  const [first] = completed
  if (completed.some((run) => run.servedFrom === undefined)) return undefined
  return first?.servedFrom
}

/** Undefined if there is none. */
function sum(values: readonly (number | undefined)[]): number | undefined {
  const known = values.flatMap((value) => value ?? [])
  return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0)
}
