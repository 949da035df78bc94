/** What of a draft can be executed, as it is at this moment. */
import type { DraftStore } from '../domain/draft.ts'
import type { CheckedWorkflow, Checker } from '../engine/checked-workflow.ts'
import { pruneDraft } from '../engine/prune.ts'
import { type Issue, invalidRequest, notFound } from '../errors.ts'

export interface RunnableDrafts {
  /** What the draft's output needs, or this node. Throws `not_found`, and `invalid_request` with what is wrong with that. */
  take(accountId: string, workflowId: string, node?: string): Promise<RunnableDraft>
}

export interface RunnableDraft {
  baseVersion: number
  workflow: CheckedWorkflow
  /** An issue of what is executed as one of the draft. */
  told(issue: Issue): Issue
}

export function createRunnableDrafts({ drafts, check }: { drafts: DraftStore; check: Checker }): RunnableDrafts {
  return {
    async take(accountId, workflowId, node) {
      const draft = await drafts.find(accountId, workflowId)
      if (draft === undefined) throw notFound('draft')
      const pruned = pruneDraft(draft.document, node)
      if ('issues' in pruned) throw invalidRequest(pruned.issues)
      const { workflow, issues } = check(pruned.document)
      if (issues) throw invalidRequest(issues.map(pruned.told))
      return { baseVersion: draft.baseVersion, workflow, told: pruned.told }
    },
  }
}
