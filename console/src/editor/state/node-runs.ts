import type { Frame } from '../../../../shared/frames.ts'
import type { LiveExecution } from '../../api/execution-events.ts'
import { stepPreviewPath } from '../../api/executions.ts'
import { type Catalogue, operationOf } from '../../api/operations.ts'
import type { Step } from '../../api/types.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { nodesOf } from '../document/wires.ts'
import { stepsOfWorkflows, workflowRun } from './workflow-runs.ts'

/** The part of a run that one node has. */
export interface NodeRun {
  status: Step['status']
  /** Milliseconds. */
  duration?: number
  servedFrom?: Step['servedFrom']
  /** A path of this origin. */
  previewUrl?: string
  width?: number
  height?: number
  /** The areas that the step drew or read. */
  frames?: readonly Frame[]
  /** Identifies the work of the step. */
  fingerprint?: string
  error?: { message: string; details: Record<string, unknown> }
  /** Progress of a workflow that runs: its steps that have ended, and all of them. */
  progress?: { done: number; total: number }
  /** US dollars. */
  costUsd?: number
  /** The document changed after the run in a way that can change the result of this node. */
  isStale?: boolean
}

/** The same step gives the same object, so that its card does not render again. */
const cache = new WeakMap<Step, Map<string, NodeRun>>()

interface Executed {
  /** Steps whose work changed after the run. */
  stale: ReadonlySet<string>
  /** The executed nodes, to find the image that a skipped node passed on. */
  nodes: WorkflowDocument['nodes']
  catalogue: Catalogue
}

/** Node id -> its part of the run. */
export function nodeRuns(live: LiveExecution | undefined, executed: Executed): Map<string, NodeRun> {
  if (live === undefined) return new Map()
  const { stale, nodes, catalogue } = executed
  const { executionId } = live.execution
  const steps = new Map(live.steps.map((step) => [step.node, step]))
  const runs = new Map(
    live.steps.map((step) => [
      step.node,
      nodeRun(step, executionId, stale.has(step.node), previewNode(step, steps, nodes)),
    ]),
  )
  for (const [id, inner] of stepsOfWorkflows(live.steps)) {
    const output = operationOf(catalogue, nodes[id])?.outputNode
    runs.set(id, workflowRun(id, inner, runs, output))
  }
  return runs
}

/** The node whose preview shows the result of this step. */
function previewNode(
  { node, preview, status, width }: Step,
  steps: ReadonlyMap<string, Step>,
  nodes: WorkflowDocument['nodes'],
): string | undefined {
  if (preview !== undefined) return node
  if (status !== 'skipped' || width === undefined) return undefined
  const inputs = nodes[node]?.inputs ?? {}
  const [first] = nodesOf(inputs.image ?? Object.values(inputs)[0])
  const before = first === undefined ? undefined : steps.get(first)
  return before === undefined ? undefined : previewNode(before, steps, nodes)
}

function nodeRun(step: Step, executionId: string, isStale: boolean, previewOf: string | undefined): NodeRun {
  const runs = cache.get(step) ?? new Map<string, NodeRun>()
  cache.set(step, runs)
  const key = `${executionId} ${isStale} ${previewOf}`
  const run = runs.get(key) ?? createNodeRun(step, executionId, isStale, previewOf)
  runs.set(key, run)
  return run
}

function createNodeRun(
  { status, duration, servedFrom, width, height, frames, fingerprint, error, calls }: Step,
  executionId: string,
  isStale: boolean,
  previewOf: string | undefined,
): NodeRun {
  const costs = calls?.map(({ costUsd }) => costUsd ?? 0)
  return {
    status,
    ...(duration === undefined ? {} : { duration }),
    ...(servedFrom === undefined ? {} : { servedFrom }),
    ...(previewOf === undefined ? {} : { previewUrl: stepPreviewPath(executionId, previewOf) }),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(frames === undefined ? {} : { frames: frames as unknown as readonly Frame[] }),
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(error === undefined ? {} : { error }),
    ...(costs === undefined ? {} : { costUsd: costs.reduce((sum, cost) => sum + cost, 0) }),
    ...(isStale ? { isStale } : {}),
  }
}
