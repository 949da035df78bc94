/** What of a draft can be executed, as it is at this moment. */
import type { Draft, DraftStore } from '../domain/draft.ts'
import type { WorkflowStore } from '../domain/workflow.ts'
import type { CheckedWorkflow, Checker } from '../engine/check/checked-workflow.ts'
import { pruneDraft } from '../engine/check/prune.ts'
import { type Issue, invalidRequest } from '../errors.ts'
import { findNewest } from './newest-version.ts'

export interface RunnableDrafts {
  /**
   * What the draft's output needs, or this node; of the newest version where there is no draft, since one would begin as that.
   * Throws `not_found`, and `invalid_request` with what is wrong with that.
   */
  take(accountId: string, workflowId: string, node?: string): Promise<RunnableDraft>
}

export interface RunnableDraft {
  baseVersion: number
  workflow: CheckedWorkflow
  /** An issue of what is executed as one of the draft. */
  mapIssue(issue: Issue): Issue
}

interface Dependencies {
  drafts: Pick<DraftStore, 'find'>
  workflows: Pick<WorkflowStore, 'find' | 'findVersion'>
  check: Checker
}

export function createRunnableDrafts({ drafts, workflows, check }: Dependencies): RunnableDrafts {
  return {
    async take(accountId, workflowId, node) {
      const { document, baseVersion } =
        (await drafts.find(accountId, workflowId)) ?? (await begun(accountId, workflowId))
      const pruned = pruneDraft(document, node)
      if ('issues' in pruned) throw invalidRequest(pruned.issues)
      const { workflow, issues } = await check.inTurns(pruned.document)
      if (issues) throw invalidRequest(issues.map(pruned.mapIssue))
      return { baseVersion, workflow, mapIssue: pruned.mapIssue }
    },
  }

  /** What a draft would begin as. */
  async function begun(accountId: string, workflowId: string): Promise<Pick<Draft, 'document' | 'baseVersion'>> {
    const { workflow, document } = await findNewest(workflows, accountId, workflowId)
    return { document, baseVersion: workflow.version }
  }
}
