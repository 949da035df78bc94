/** Brand values of accounts and projects, and those that a workflow reads. */
import type { BrandValue, BrandValues } from '../../../shared/brand.ts'
import { show } from '../../../shared/text.ts'
import {
  type Brand,
  type BrandOwner,
  type BrandStore,
  brandIssues,
  brandValuePath,
  mergedValues,
  type UsedBrandValues,
} from '../../domain/accounts/brand.ts'
import type { ProjectStore } from '../../domain/accounts/project.ts'
import type { Clock } from '../../domain/clock.ts'
import { missingBrandIssues } from '../../engine/check/brand-uses.ts'
import type { CheckedWorkflow } from '../../engine/check/checked-workflow.ts'
import { type Fault, type Issue, invalidRequest, notFound, outdatedIfMatch } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Sources } from '../executions/sources.ts'

export interface Brands {
  /** An account or project without values has an empty brand. Throws `not_found`. */
  find(owner: BrandOwner): Promise<BrandState>
  /**
   * Replaces all values. `ifRevision`: rejects if the brand was saved in the meantime. Throws `invalid_request` with every problem, also for images that
   * the account doesn't have, and `not_found`.
   */
  replace(owner: BrandOwner, values: BrandValues, options?: { ifRevision?: number | undefined }): Promise<BrandState>
  /**
   * The values that the workflow reads, and the problems of them: those that are missing, and deleted images. `owner`: with the project of the
   * workflow. No query if it reads none.
   */
  usedBy(owner: BrandOwner, workflow: Pick<CheckedWorkflow, 'brandUses'>): Promise<UsedBrand>
  /**
   * Warnings of the workflow, and the problems of the brand values that it reads: they can be added before it is
   * executed.
   */
  warningsOf(owner: BrandOwner, workflow: Pick<CheckedWorkflow, 'brandUses' | 'warnings'>): Promise<Issue[]>
}

export interface UsedBrand {
  /** Values that exist. Undefined if the workflow reads none. */
  values: UsedBrandValues | undefined
  issues: Issue[]
}

export interface BrandState extends Brand {
  /** Set for the brand of a project: the values of the account that it doesn't replace. */
  inherited: BrandValues
}

interface Dependencies {
  brands: BrandStore
  projects: Pick<ProjectStore, 'find'>
  sources: Pick<Sources, 'missing'>
  clock: Clock
}

export function createBrands({ brands, projects, sources, clock }: Dependencies): Brands {
  async function requireOwner({ accountId, projectId }: BrandOwner): Promise<void> {
    if (projectId === undefined) return
    if ((await projects.find(accountId, projectId)) === undefined) throw notFound('project', projectId)
  }

  async function find(owner: BrandOwner): Promise<BrandState> {
    await requireOwner(owner)
    const { accountId, projectId = null } = owner
    const found = await brands.findBoth(owner)
    const stored = projectId === null ? found.account : found.project
    const brand = stored ?? { accountId, projectId, values: {}, revision: 0, updatedAt: null }
    const inherited = Object.entries(found.account?.values ?? {}).filter(([name]) => !Object.hasOwn(brand.values, name))
    return { ...brand, inherited: projectId === null ? {} : Object.fromEntries(inherited) }
  }

  return {
    find,

    async replace(owner, values, { ifRevision } = {}) {
      await requireOwner(owner)
      const { accountId, projectId = null } = owner
      const issues = [...brandIssues(values), ...(await imageIssues(accountId, values))]
      if (issues.length > 0) throw invalidRequest(issues.slice(0, limits.issuesMax))
      const revision = await brands.save({ accountId, projectId, values, updatedAt: clock.now() }, ifRevision)
      const now = await find(owner)
      if (revision === undefined) throw outdated(now)
      return now
    },

    usedBy,

    async warningsOf(owner, workflow) {
      return [...workflow.warnings, ...(await usedBy(owner, workflow)).issues]
    },
  }

  async function usedBy(owner: BrandOwner, workflow: Pick<CheckedWorkflow, 'brandUses'>): Promise<UsedBrand> {
    const { brandUses } = workflow
    if (brandUses.length === 0) return { values: undefined, issues: [] }
    const { account, project } = await brands.findBoth(owner)
    const all = mergedValues(account?.values ?? {}, project?.values ?? {})
    const used = brandUses.flatMap(({ name, path }) => {
      const value = Object.hasOwn(all, name) ? all[name] : undefined
      return value === undefined ? [] : [{ name, path, ...value }]
    })
    const deleted = await missingImages(owner.accountId, used)
    return {
      values: Object.fromEntries(used.map(({ name, value }) => [name, value])),
      issues: [
        ...missingBrandIssues(workflow, all),
        ...deleted.map(({ name, path, value }) => ({ path, message: deletedImage(name, value) })),
      ],
    }
  }

  async function imageIssues(accountId: string, values: BrandValues): Promise<Issue[]> {
    const all = Object.entries(values).map(([name, value]) => ({ name, ...value }))
    const missing = await missingImages(accountId, all)
    return missing.map(({ name, value }) => ({ path: brandValuePath(name), message: unknownImage(value) }))
  }

  async function missingImages<Value extends BrandValue>(accountId: string, values: Value[]): Promise<Value[]> {
    const images = values.filter(({ type }) => type === 'image')
    if (images.length === 0) return []
    const missing = await sources.missing(
      accountId,
      images.map(({ value }) => value),
    )
    return images.filter(({ value }) => missing.has(value))
  }
}

function unknownImage(image: string): string {
  return `is ${show(image)}, which was not found. It may have been deleted, or belong to another account. Upload the image, and use its id.`
}

function deletedImage(name: string, image: string): string {
  return `uses the brand value ${show(name)}, which is ${show(image)}. This image was not found: it may have been deleted. Upload the image, and save its id in the brand.`
}

/** The error for an `If-Match` with another revision. */
function outdated({ revision }: Brand): Fault {
  return outdatedIfMatch(
    `the brand was saved in the meantime. Get its newest values (ETag "${revision}"), and save again.`,
  )
}
