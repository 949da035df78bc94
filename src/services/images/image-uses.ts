import type { BrandStore } from '../../domain/accounts/brand.ts'
import type { ProjectStore } from '../../domain/accounts/project.ts'
import { createFairQueue } from '../../domain/fair-queue.ts'
import type { ImageStore } from '../../domain/images/image.ts'
import type { Page, PageRequest, Place } from '../../domain/page.ts'
import type { DraftStore } from '../../domain/workflows/draft.ts'
import type { DocumentSearch, WorkflowStore } from '../../domain/workflows/workflow.ts'
import { notFound } from '../../errors.ts'
import { limits } from '../../limits.ts'

/** A workflow that names an image. At least one of `version` and `isInDraft` is set. */
export interface ImageUse {
  workflowId: string
  /** The name of the published workflow, or of a draft that was never published. */
  name: string
  /** The newest version, if it names the image. */
  version?: number
  isInDraft: boolean
}

/** Brand values that are an image. */
export interface BrandImageUse {
  /** Null for the values of the account. */
  projectId: string | null
  projectName?: string
  /** Their names. */
  values: string[]
}

export interface FoundUses {
  uses: ImageUse[]
  brands: BrandImageUse[]
  /** The search stopped before the end. */
  hasMore: boolean
}

export interface ImageUses {
  /**
   * Workflows whose newest version or draft names the image: the newest workflows first, then drafts; and brands. Searches the newest
   * `imageUsesSearchedMax` of each, and stops after `imageUsesBytesMax` or `imageUsesMax` of each. Waits for searches of others: one runs at a time, and
   * accounts alternate. Rejects with the reason of the signal.
   */
  find(accountId: string, imageId: string, signal: AbortSignal): Promise<FoundUses>
}

interface Dependencies {
  images: Pick<ImageStore, 'find'>
  workflows: Pick<WorkflowStore, 'list' | 'containing'>
  drafts: Pick<DraftStore, 'list' | 'containing'>
  brands: Pick<BrandStore, 'find' | 'containing'>
  projects: Pick<ProjectStore, 'list'>
}

/** Up to 2 MiB. SQLite searches in the main thread, 8 ms for each of them at worst, so other requests run between two queries. */
export const documentsPerQuery = 4
/** A brand has at most an eighth of the bytes of a document. */
const brandsPerQuery = 32
/** SQLite reads past the document of each draft to what is stored after it. */
const recordsPerQuery = 100

export function createImageUses({ images, workflows, drafts, brands, projects }: Dependencies): ImageUses {
  const searches = createFairQueue({ slots: 1 })

  async function findNow(accountId: string, imageId: string, signal: AbortSignal) {
    const published = await newest((page) => workflows.list(accountId, page, {}), signal)
    const inVersions = await search(
      published.items.map(({ id }) => id),
      (ids) => workflows.containing(accountId, ids, imageId),
      signal,
    )
    const edited = await newest((page) => drafts.list(accountId, page, {}), signal)
    const inDrafts = await search(
      edited.items.map(({ workflowId }) => workflowId),
      (ids) => drafts.containing(accountId, ids, imageId),
      signal,
    )
    const uses = new Map<string, ImageUse>()
    for (const { id, name, version } of published.items)
      if (inVersions.found.has(id)) uses.set(id, { workflowId: id, name, version, isInDraft: false })
    for (const { workflowId, name } of edited.items)
      if (inDrafts.found.has(workflowId))
        uses.set(workflowId, { ...(uses.get(workflowId) ?? { workflowId, name }), isInDraft: true })
    const isCut = [published, edited].some(({ next }) => next !== null)
    const ofBrands = await brandUses(accountId, imageId, signal)
    const hasMore = isCut || inVersions.hasMore || inDrafts.hasMore || ofBrands.hasMore
    return { uses: [...uses.values()], brands: ofBrands.uses, hasMore }
  }

  async function brandUses(accountId: string, imageId: string, signal: AbortSignal) {
    const { items, next } = await newest((page) => projects.list(accountId, page), signal)
    const names = new Map(items.map(({ id, name }) => [id, name]))
    const { found, hasMore } = await search(
      [accountId, ...names.keys()],
      (ids) => brands.containing(accountId, ids, imageId),
      signal,
      brandsPerQuery,
    )
    const uses: BrandImageUse[] = []
    for (const owner of found) {
      const projectId = owner === accountId ? null : owner
      const brand = await brands.find(accountId, projectId)
      const images = Object.entries(brand?.values ?? {}).filter(
        ([, { type, value }]) => type === 'image' && value.includes(imageId),
      )
      const projectName = names.get(owner)
      if (images.length > 0)
        uses.push({
          projectId,
          ...(projectName !== undefined && { projectName }),
          values: images.map(([name]) => name),
        })
    }
    return { uses, hasMore: hasMore || next !== null }
  }

  return {
    async find(accountId, imageId, signal) {
      if ((await images.find(accountId, imageId)) === undefined) throw notFound('image', imageId)
      return searches.run({ account: accountId, signal }, () => findNow(accountId, imageId, signal))
    },
  }
}

/** The newest `imageUsesSearchedMax` records of a list. */
async function newest<Item>(
  list: (page: PageRequest) => Promise<Page<Item>>,
  signal: AbortSignal,
): Promise<Page<Item>> {
  const items: Item[] = []
  let after: Place | undefined
  for (;;) {
    const { items: some, next } = await list({ limit: recordsPerQuery, offset: 0, after })
    items.push(...some)
    if (next === null || items.length >= limits.imageUsesSearchedMax) return { items, next }
    after = next
    signal.throwIfAborted()
  }
}

/** The first `imageUsesMax` ids that `containing` returns. */
async function search(
  ids: readonly string[],
  containing: (ids: readonly string[]) => Promise<DocumentSearch>,
  signal: AbortSignal,
  perQuery = documentsPerQuery,
) {
  const found: string[] = []
  let bytes = 0
  let start = 0
  while (start < ids.length && found.length <= limits.imageUsesMax && bytes < limits.imageUsesBytesMax) {
    const some = ids.slice(start, start + perQuery)
    const result = await containing(some)
    found.push(...some.filter((id) => result.ids.has(id)))
    bytes += result.bytes
    start += perQuery
    signal.throwIfAborted()
  }
  return {
    found: new Set(found.slice(0, limits.imageUsesMax)),
    hasMore: start < ids.length || found.length > limits.imageUsesMax,
  }
}
