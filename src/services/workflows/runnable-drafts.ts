/** The executable part of a draft. */

import type { Variations } from '../../domain/executions/execution.ts'
import type { Draft, DraftDocument, DraftStore } from '../../domain/workflows/draft.ts'
import { variationIssues } from '../../domain/workflows/variations.ts'
import type { WorkflowStore } from '../../domain/workflows/workflow.ts'
import type { CheckedWorkflow } from '../../engine/check/checked-workflow.ts'
import { pruneDraft } from '../../engine/check/prune.ts'
import { type Issue, invalidRequest } from '../../errors.ts'
import type { DocumentChecks } from './document-checks.ts'
import { findNewest } from './newest-version.ts'

export interface RunnableDrafts {
  /**
   * The part that the draft's output needs, or this node. Without a draft it is the newest version. `document`: in place of the stored
   * document. Throws `not_found`, and `invalid_request` with the problems of that part, and with variations of unknown nodes.
   */
  take(
    accountId: string,
    workflowId: string,
    request: {
      node?: string | undefined
      document?: DraftDocument | undefined
      /** Format of the image of the node. */
      format?: string | undefined
      variations?: Variations | undefined
      signal?: AbortSignal | undefined
    },
  ): Promise<RunnableDraft>
}

export interface RunnableDraft {
  baseVersion: number
  projectId: string
  workflow: CheckedWorkflow
  /** Converts an issue of the executed part to the paths of the draft. */
  mapIssue(issue: Issue): Issue
}

interface Dependencies {
  drafts: Pick<DraftStore, 'find'>
  workflows: Pick<WorkflowStore, 'find' | 'findVersion'>
  documents: Pick<DocumentChecks, 'check'>
}

export function createRunnableDrafts({ drafts, workflows, documents }: Dependencies): RunnableDrafts {
  return {
    async take(accountId, workflowId, { node, document: given, format, variations = {}, signal }) {
      const stored = (await drafts.find(accountId, workflowId)) ?? (await draftOf(accountId, workflowId))
      const { baseVersion, projectId } = stored
      const document = given ?? stored.document
      const wrong = variationIssues(variations, document)
      const pruned = pruneDraft(document, node, format)
      if ('issues' in pruned) throw invalidRequest([...pruned.issues, ...wrong])
      const { workflow, issues } = await documents.check(accountId, pruned.document, workflowId, signal)
      if (issues || wrong.length > 0) throw invalidRequest([...(issues ?? []).map(pruned.mapIssue), ...wrong])
      return { baseVersion, projectId, workflow, mapIssue: pruned.mapIssue }
    },
  }

  /** The document of a new draft. */
  async function draftOf(
    accountId: string,
    workflowId: string,
  ): Promise<Pick<Draft, 'document' | 'baseVersion' | 'projectId'>> {
    const { workflow, document } = await findNewest(workflows, accountId, workflowId)
    return { document, baseVersion: workflow.version, projectId: workflow.projectId }
  }
}
