import { timestamp } from '../../../domain/clock.ts'
import type { Draft, DraftItem } from '../../../domain/draft.ts'
import type { LastOutput } from '../../../domain/execution.ts'
import type { Images } from '../../../services/images.ts'

export function draftItem({ workflowId, name, projectId, baseVersion, revision, createdAt, updatedAt }: DraftItem) {
  const times = { createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) }
  return { workflowId, name, projectId, baseVersion, revision, ...times }
}

export function draftDetail(draft: Draft) {
  return { ...draftItem(draft), document: draft.document }
}

/** A revision is never given again, so it is a strong validator. */
export function revisionTag({ revision }: Pick<DraftItem, 'revision'>): string {
  return `"${revision}"`
}

/** As a field of what is listed; nothing where there is none. */
export function lastOutputField(last: LastOutput | undefined, images: Images) {
  if (last === undefined) return {}
  const { executionId, output, completedAt } = last
  const { imageId, width, height, format } = output
  const url = images.url({ id: imageId, format })
  return { lastOutput: { executionId, url, width, height, format, completedAt: timestamp(completedAt) } }
}
