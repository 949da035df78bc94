import type { Fault } from '../../errors.ts'
import type { CheckedNode } from '../check/checked-workflow.ts'

/** A node in one execution, with everything that is known before it starts. */
export interface PlannedStep {
  node: CheckedNode
  /** `run` and `skip` are final. `decide`: depends on values of other nodes. `unneeded`: no step reads it. */
  action: 'run' | 'skip' | 'decide' | 'unneeded'
  /** Rendered params; undefined if they depend on values of other nodes. */
  params: Record<string, unknown> | undefined
  /** Why it can't run, if that is known only during the execution: running it throws this. */
  fault?: Fault
}
