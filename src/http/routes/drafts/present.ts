/** Converts drafts to response bodies. */
import { timestamp } from '../../../domain/clock.ts'
import type { Draft, DraftItem } from '../../../domain/workflows/draft.ts'

export function draftItem({ workflowId, name, projectId, baseVersion, revision, createdAt, updatedAt }: DraftItem) {
  const times = { createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) }
  return { workflowId, name, projectId, baseVersion, revision, ...times }
}

export function draftDetail(draft: Draft) {
  return { ...draftItem(draft), document: draft.document }
}

/** A revision number is never reused, so it is a strong validator. */
export function revisionEtag({ revision }: Pick<DraftItem, 'revision'>): string {
  return `"${revision}"`
}
