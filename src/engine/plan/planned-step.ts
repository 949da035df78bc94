import type { CheckedNode } from '../check/checked-workflow.ts'

/** A node of one execution, with all that is known before the first pixel. */
export interface PlannedStep {
  node: CheckedNode
  /** `run` and `skip` are decided; `decide` when the first values of other nodes are known; `unneeded` has no reader left. */
  action: 'run' | 'skip' | 'decide' | 'unneeded'
  /** Rendered params; undefined while they wait for values of other nodes. */
  params: Record<string, unknown> | undefined
}
