import { setImmediate } from 'node:timers/promises'
import type { DraftStore } from '../domain/draft.ts'
import type { ImageStore } from '../domain/image.ts'
import type { WorkflowStore } from '../domain/workflow.ts'
import { notFound } from '../errors.ts'
import { limits } from '../limits.ts'

/** A workflow that names an image. At least one of `version` and `isInDraft` is set. */
export interface ImageUse {
  workflowId: string
  /** The name of the published workflow, or of a draft that was never published. */
  name: string
  /** The newest version, if it names the image. */
  version?: number
  isInDraft: boolean
}

export interface ImageUses {
  /**
   * Workflows whose newest version or draft names the image: the newest workflows first, then drafts. Searches the newest `imageUsesSearchedMax` workflows and
   * the newest drafts, and stops after `imageUsesMax` of each. `hasMore`: it stopped before the end.
   */
  find(accountId: string, imageId: string): Promise<{ uses: ImageUse[]; hasMore: boolean }>
}

interface Dependencies {
  images: Pick<ImageStore, 'find'>
  workflows: Pick<WorkflowStore, 'list' | 'containing'>
  drafts: Pick<DraftStore, 'list' | 'containing'>
}

/** Documents per query, up to 10 MiB. SQLite reads in the main thread, so other requests run between two queries. */
const documentsPerQuery = 20
const searched = { limit: limits.imageUsesSearchedMax, offset: 0 }

export function createImageUses({ images, workflows, drafts }: Dependencies): ImageUses {
  return {
    async find(accountId, imageId) {
      if ((await images.find(accountId, imageId)) === undefined) throw notFound('image', imageId)
      const published = await workflows.list(accountId, searched, {})
      const inVersions = await search(
        published.items.map(({ id }) => id),
        (ids) => workflows.containing(accountId, ids, imageId),
      )
      const edited = await drafts.list(accountId, searched, {})
      const inDrafts = await search(
        edited.items.map(({ workflowId }) => workflowId),
        (ids) => drafts.containing(accountId, ids, imageId),
      )
      const uses = new Map<string, ImageUse>()
      for (const { id, name, version } of published.items)
        if (inVersions.found.has(id)) uses.set(id, { workflowId: id, name, version, isInDraft: false })
      for (const { workflowId, name } of edited.items)
        if (inDrafts.found.has(workflowId))
          uses.set(workflowId, { ...(uses.get(workflowId) ?? { workflowId, name }), isInDraft: true })
      const isCut = [published, edited].some(({ items, total }) => total > items.length)
      return { uses: [...uses.values()], hasMore: isCut || inVersions.hasMore || inDrafts.hasMore }
    },
  }
}

/** The first `imageUsesMax` ids that `containing` returns. */
async function search(ids: readonly string[], containing: (ids: readonly string[]) => Promise<ReadonlySet<string>>) {
  const found: string[] = []
  for (let start = 0; start < ids.length && found.length <= limits.imageUsesMax; start += documentsPerQuery) {
    const some = ids.slice(start, start + documentsPerQuery)
    const matching = await containing(some)
    found.push(...some.filter((id) => matching.has(id)))
    await setImmediate()
  }
  return { found: new Set(found.slice(0, limits.imageUsesMax)), hasMore: found.length > limits.imageUsesMax }
}
