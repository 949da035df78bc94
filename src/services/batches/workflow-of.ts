import { Fault } from '../../errors.ts'
import type { CheckedWorkflows } from '../checked-workflows.ts'
import { refused } from './refused.ts'

/** The version that a batch runs. Throws `invalid_request` if this release or the current models reject it. */
export async function workflowOf(
  batch: { accountId: string; workflowId: string; workflowVersion: number },
  checkedWorkflows: Pick<CheckedWorkflows, 'get'>,
): ReturnType<CheckedWorkflows['get']> {
  try {
    return await checkedWorkflows.get(batch)
  } catch (error) {
    throw error instanceof Fault && error.code === 'workflow_failed' ? refused(error.message) : error
  }
}
