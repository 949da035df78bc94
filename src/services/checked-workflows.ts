/** Versions never change, so each is read and checked once and kept for as long as it is asked for. */
import type { Execution, ExecutionStore } from '../domain/execution.ts'
import type { WorkflowStore } from '../domain/workflow.ts'
import type { CheckedWorkflow, Checker } from '../engine/checked-workflow.ts'
import { failure, notValidNow } from '../errors.ts'

const keptMax = 500

export interface CheckedWorkflows {
  /** Throws a `Fault` where the operations of this release, or the models that there are now, no longer take the document. */
  get(workflowId: string, version: number): Promise<CheckedWorkflow>
  /** What this execution runs. Throws as `get` does. */
  of(execution: Pick<Execution, 'id' | 'workflowId' | 'workflowVersion' | 'isDraft'>): Promise<CheckedWorkflow>
}

export function createCheckedWorkflows({
  workflows,
  executions,
  check,
}: {
  workflows: WorkflowStore
  executions: Pick<ExecutionStore, 'findDocument'>
  check: Checker
}): CheckedWorkflows {
  const kept = new Map<string, CheckedWorkflow>()
  async function get(workflowId: string, version: number): Promise<CheckedWorkflow> {
    const key = `${workflowId}/${version}`
    const hit = kept.get(key)
    if (hit) {
      // To the back of the map: what was not asked for longest goes first.
      kept.delete(key)
      kept.set(key, hit)
      return hit
    }
    const stored = await workflows.findVersion(workflowId, version)
    if (stored === undefined) throw failure('input_not_found', `Version ${version} of the workflow is gone.`)
    const { workflow, issues, overLimit } = await check.inTurns(stored.document)
    if (issues) throw notValidNow(`Version ${version} of the workflow is not valid any more`, issues, overLimit)
    kept.set(key, workflow)
    for (const oldest of kept.keys()) {
      if (kept.size <= keptMax) break
      kept.delete(oldest)
    }
    return workflow
  }

  return {
    get,
    async of({ id, workflowId, workflowVersion, isDraft }) {
      if (!isDraft) return get(workflowId, workflowVersion)
      const document = await executions.findDocument(id)
      if (document === undefined) throw failure('input_not_found', 'What the execution runs is gone.')
      const { workflow, issues, overLimit } = await check.inTurns(document)
      if (issues)
        throw notValidNow('The draft is not valid any more, as it was when the execution began', issues, overLimit)
      return workflow
    },
  }
}
