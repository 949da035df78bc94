/** The parameters of a request: their plan, the images that they name, and the `data:` URLs that become stored images. */

import { joined } from '../../../shared/json-schema.ts'
import { isDataUrl } from '../../../shared/parameter-formats.ts'
import { visitImages } from '../../../shared/parameters.ts'
import { show } from '../../../shared/text.ts'
import type { BrandOwner, UsedBrandValues } from '../../domain/accounts/brand.ts'
import { processorMs } from '../../domain/clock.ts'
import { createPauses } from '../../domain/pauses.ts'
import type { ParameterDeclaration, ParameterValues } from '../../domain/workflows/workflow.ts'
import type { CheckedWorkflow } from '../../engine/check/checked-workflow.ts'
import { bindParameters } from '../../engine/check/parameters.ts'
import { filesOfPlan, type PlanResult, planBound } from '../../engine/plan/plan.ts'
import { Fault, type Issue, invalidRequest } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Brands } from '../accounts/brands.ts'
import type { Images } from '../images/images.ts'
import type { Sources } from './sources.ts'

export interface RequestParameters {
  /**
   * The plan for these parameters, or every problem of them: also images that the account doesn't have. Stores nothing. `brand`: instead of the
   * current values of the owner. `storesNothing`: also for a run, so `data:` URLs are a problem.
   */
  plan(
    owner: BrandOwner,
    workflow: CheckedWorkflow,
    passed: Record<string, unknown>,
    options?: { brand?: UsedBrandValues | undefined; storesNothing?: boolean },
  ): Promise<PlanResult>
  /**
   * The values for an execution, or every problem as `plan` reports it. `data:` URLs are stored as images, each file once, and
   * their ids are the values. Throws `invalid_request` with the path if one isn't an image. `brand`: of the execution that it repeats, instead of
   * the current values of the owner.
   */
  accept(
    owner: BrandOwner,
    workflow: CheckedWorkflow,
    passed: Record<string, unknown>,
    brand?: UsedBrandValues,
  ): Promise<Accepted>
  /**
   * The problems of each of these rows of a batch. Rows can't have `data:` URLs. `planning`: the CPU time for problems that only a plan shows;
   * later rows are not planned. `brand`: of the batch.
   */
  rowIssues(
    accountId: string,
    workflow: CheckedWorkflow,
    rows: readonly Record<string, unknown>[],
    bounds: RowBounds,
  ): Promise<Issue[][]>
}

export interface RowBounds {
  planning: { msLeft: number }
  brand: UsedBrandValues | undefined
}

export type Accepted =
  /** `files`: of the outputs, as far as their number is known before the execution. */
  | { values: ParameterValues; brand: UsedBrandValues | undefined; files: number; issues?: undefined }
  | { values?: undefined; issues: Issue[] }

interface Dependencies {
  sources: Pick<Sources, 'missing'>
  images: Pick<Images, 'storeOnce'>
  brands: Pick<Brands, 'usedBy'>
}

interface Use {
  source: string
  path: string
  replace(source: string): void
}

export function createRequestParameters({ sources, images, brands }: Dependencies): RequestParameters {
  return {
    async plan(owner, workflow, passed, { brand, storesNothing } = {}) {
      const { result, dataUrls } = await check(owner, workflow, passed, brand)
      if (!storesNothing || dataUrls.length === 0) return result
      const unstored = dataUrls.map(({ path }) => ({ path, message: notStored }))
      return { issues: [...(result.issues ?? []), ...unstored].slice(0, limits.issuesMax) }
    },

    async accept(owner, workflow, passed, recorded) {
      const { result, values, dataUrls, brand } = await check(owner, workflow, passed, recorded)
      if (result.issues) return { issues: result.issues }
      for (const use of dataUrls) use.replace(await stored(owner.accountId, use))
      return { values, brand, files: filesOfPlan(result.plan) }
    },

    rowIssues,
  }

  async function rowIssues(
    accountId: string,
    workflow: CheckedWorkflow,
    rows: readonly Record<string, unknown>[],
    { planning, brand }: RowBounds,
  ): Promise<Issue[][]> {
    const checked: CheckedRow[] = []
    const pauseIfDue = createPauses()
    for (const passed of rows) {
      const startedMs = processorMs()
      checked.push(checkRow(workflow, passed, planning.msLeft > 0 ? { brand } : undefined))
      planning.msLeft -= processorMs() - startedMs
      await pauseIfDue()
    }
    const sources = checked.flatMap(({ uses }) => uses.map(({ source }) => source))
    const missing = await missingSources(accountId, sources)
    return checked.map(({ issues, uses }) => [...issues, ...missingIssues(uses, missing)].slice(0, limits.issuesMax))
  }

  async function check(
    owner: BrandOwner,
    workflow: CheckedWorkflow,
    passed: Record<string, unknown>,
    recorded: UsedBrandValues | undefined,
  ): Promise<{ result: PlanResult; values: ParameterValues; dataUrls: Use[]; brand: UsedBrandValues | undefined }> {
    const { parameters } = workflow
    const { values, issues: unbound } = bindParameters(parameters, passed)
    const { values: brand, issues: unread } = recorded
      ? { values: recorded, issues: [] }
      : await brands.usedBy(owner, workflow)
    const unusable = [...unbound, ...unread]
    if (unusable.length > 0)
      return { result: { issues: unusable.slice(0, limits.issuesMax) }, values, dataUrls: [], brand }
    const { uses, dataUrls, result } = planUses(workflow, values, brand)
    if (uses.length === 0) return { result, values, dataUrls, brand }
    const issues = [...(result.issues ?? []), ...(await imageIssues(owner.accountId, uses))].slice(0, limits.issuesMax)
    return { result: issues.length > 0 ? { issues } : result, values, dataUrls, brand }
  }

  async function imageIssues(accountId: string, uses: readonly Use[]): Promise<Issue[]> {
    const tooMany = tooManyImages(uses)
    if (tooMany) return [tooMany]
    const named = uses.filter(({ source }) => !isDataUrl(source))
    return missingIssues(
      named,
      await missingSources(
        accountId,
        named.map(({ source }) => source),
      ),
    )
  }

  async function missingSources(accountId: string, named: readonly string[]): Promise<ReadonlySet<string>> {
    return named.length === 0 ? new Set() : sources.missing(accountId, named)
  }

  async function stored(accountId: string, { source, path }: Use): Promise<string> {
    const bytes = bytesOf(source)
    try {
      return (await images.storeOnce(accountId, bytes, path.replace('parameters.', ''), { isPassing: true })).id
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'invalid_request') throw error
      throw invalidRequest([{ path, message: `is a data: URL of a file that can't be used: ${error.message}` }])
    }
  }
}

/** Fetch (WHATWG), "data: URL processor". */
function bytesOf(dataUrl: string): Buffer {
  const [, head = '', body = ''] = /^([^,]*),([^#]*)/.exec(dataUrl.replace(/[\t\n\r]/g, '')) ?? []
  const text = Buffer.from(body).toString('latin1')
  const decoded = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(decoded, /;[\f ]*base64[\f ]*$/i.test(head) ? 'base64' : 'latin1')
}

/** The plan, and the images in the values, of which those that are `data:` URLs are not stored yet. */
function planUses(workflow: CheckedWorkflow, values: ParameterValues, brand: UsedBrandValues | undefined) {
  const { parameters } = workflow
  const uses = usesOf(parameters, values)
  const dataUrls = uses.filter(({ source }) => isDataUrl(source))
  const planned = dataUrls.length > 0 ? withPlaceholders(parameters, values) : values
  return { uses, dataUrls, result: planBound(workflow, planned, brand) }
}

interface CheckedRow {
  issues: Issue[]
  /** The images to look up. */
  uses: Use[]
}

/** `planned`: undefined if the plan is not made. */
function checkRow(
  workflow: CheckedWorkflow,
  passed: Record<string, unknown>,
  planned: Pick<RowBounds, 'brand'> | undefined,
): CheckedRow {
  const { values, issues } = bindParameters(workflow.parameters, passed)
  if (issues.length > 0) return { issues, uses: [] }
  const uses = usesOf(workflow.parameters, values)
  const inRow = uses.filter(({ source }) => isDataUrl(source))
  if (inRow.length > 0) return { issues: inRow.map(({ path }) => ({ path, message: notInRows })), uses: [] }
  const tooMany = tooManyImages(uses)
  if (tooMany) return { issues: [tooMany], uses: [] }
  return { issues: (planned && planBound(workflow, values, planned.brand).issues) || [], uses }
}

const notStored = 'is a data: URL, which a preview does not accept. Upload the image, and pass its id.'
const notInRows = 'is a data: URL, which a batch does not accept. Upload the image, and pass its id.'

/** An issue of the first image above the maximum. */
function tooManyImages(uses: readonly Use[]): Issue | undefined {
  const max = limits.parameterImagesMax
  const first = uses[max]
  return (
    first && { path: first.path, message: `is one of ${uses.length} images, and the maximum is ${max}. Remove some.` }
  )
}

function missingIssues(uses: readonly Use[], missing: ReadonlySet<string>): Issue[] {
  return uses.filter(({ source }) => missing.has(source)).map(({ source, path }) => missingIssue(source, path))
}

/** Other values for the plan: a `data:` URL is stored only if the plan has no issues. The given values stay as they are. */
function withPlaceholders(declarations: readonly ParameterDeclaration[], values: ParameterValues): ParameterValues {
  const copy = structuredClone(values)
  for (const { source, replace } of usesOf(declarations, copy)) if (isDataUrl(source)) replace(placeholder)
  return copy
}

const placeholder = `img_${'0'.repeat(28)}`

function usesOf(declarations: readonly ParameterDeclaration[], values: ParameterValues): Use[] {
  const uses: Use[] = []
  for (const declaration of declarations) {
    const { name } = declaration
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) continue
    visitImages(
      declaration,
      value,
      (source, path, replace) => uses.push({ source, path: joined(`parameters.${name}`, path), replace }),
      (replacement) => {
        values[name] = replacement
      },
    )
  }
  return uses
}

function missingIssue(source: string, path: string): Issue {
  const message = `is ${show(source)}, which was not found. It may have been deleted, or belong to another account. Upload the image, and pass its id.`
  return { path, message }
}
