/** Compares the images of two versions of a workflow. */
import { isDeepStrictEqual } from 'node:util'
import type { BrandOwner } from '../../domain/accounts/brand.ts'
import type { CompareImages, ImageComparison } from '../../domain/images/comparison.ts'
import type { ImageFormat } from '../../domain/images/image.ts'
import type { Workflow, WorkflowDocument, WorkflowStore } from '../../domain/workflows/workflow.ts'
import type { CheckedWorkflow } from '../../engine/check/checked-workflow.ts'
import { type PixelBudget, pixelsFor } from '../../engine/run/pixel-budget.ts'
import { asFault, Fault, failure, type Issue, invalidRequest, notFound } from '../../errors.ts'
import type { Brands } from '../accounts/brands.ts'
import type { Fonts } from '../accounts/fonts.ts'
import type { Sources } from '../executions/sources.ts'
import type { ComparisonSlots } from './comparison-slots.ts'
import type { DocumentChecks } from './document-checks.ts'
import {
  type DryRuns,
  examplesOf,
  type RenderBounds,
  type Rendered,
  type RenderedName,
  type Rendering,
} from './dry-runs.ts'
import { noVersion } from './newest-version.ts'
import { newerVersion } from './workflows.ts'

export interface Comparisons {
  /**
   * Compares the document with the current version, without saving it. `ifVersion`: as for saving. Rejects with the reason of
   * `signal`, a fault.
   */
  preview(
    accountId: string,
    workflowId: string,
    document: unknown,
    options?: { ifVersion?: number; signal?: AbortSignal },
  ): Promise<{ workflow: Workflow; document: WorkflowDocument; warnings: Issue[]; examples: ComparedExample[] }>
  /** Compares two versions, of one workflow or of two, with their images. */
  versions(
    accountId: string,
    before: VersionName,
    after: VersionName,
    options?: { tolerance?: number },
  ): AsyncIterable<ExampleComparison>
  /** Ends running comparisons and rejects new ones. */
  close(): void
}

export interface VersionName {
  id: string
  version: number
}

export interface ExampleComparison {
  /** Name of the example. */
  name: string
  /** Undefined for the primary output. */
  output?: RenderedName
  before: Side
  after: Side
  /** Set if both sides have an image. */
  difference: ImageComparison | null
}

/** The comparison in numbers. */
export interface ComparedExample {
  name: string
  /** One of `outputs`; undefined for the primary output. */
  output?: string
  /** Page of a PDF, from 1. */
  page?: number
  /**
   * `encoded`: the same pixels in another format or quality. `resized`: other sizes or numbers of frames. `failed`: at least one
   * side has no image.
   */
  result: 'same' | 'encoded' | 'different' | 'resized' | 'failed'
  before: SideFacts
  after: SideFacts
  differing: number | null
  maxDifference: number | null
  psnr: number | null
}

export type SideFacts =
  | { width: number; height: number; format: ImageFormat; size: number }
  | { error: Pick<Fault, 'code' | 'message' | 'details'> }

/** The files of an image last until the next example. */
export type Side = { image: Rendering; fault?: undefined } | { image?: undefined; fault: Fault }

interface Dependencies {
  workflows: WorkflowStore
  sources: Sources
  fonts: Pick<Fonts, 'usable'>
  brands: Pick<Brands, 'usedBy' | 'warningsOf'>
  dryRuns: Pick<DryRuns, 'render'>
  documents: Pick<DocumentChecks, 'require' | 'checkVersion'>
  compare: CompareImages
  pixels: PixelBudget
  slots: ComparisonSlots
  /** Time for each side of one comparison. */
  secondsEach: number
}

export function createComparisons(dependencies: Dependencies): Comparisons {
  const { workflows, sources, fonts, brands, documents, slots } = dependencies

  async function checkedVersion(accountId: string, { id, version }: VersionName): Promise<ComparedWorkflow> {
    const workflow = await workflows.find(accountId, id)
    if (workflow === undefined) throw notFound('workflow', id)
    const found = await workflows.findVersion(id, version)
    if (found === undefined) throw noVersion(id, version)
    const { workflow: checked, issues } = await documents.checkVersion(accountId, found)
    if (issues) throw invalidRequest(issues)
    return withBrand(workflow, checked)
  }

  async function withBrand(owner: BrandOwner, workflow: CheckedWorkflow): Promise<ComparedWorkflow> {
    return { workflow, brand: (await brands.usedBy(owner, workflow)).values }
  }

  async function* compare(
    accountId: string,
    before: ComparedWorkflow,
    after: ComparedWorkflow,
    { tolerance = 0, signal: caller }: { tolerance?: number; signal?: AbortSignal | undefined },
  ) {
    const slot = await slots.open(accountId, caller)
    try {
      const { signal, secondsLeft } = slot
      const open: RenderBounds['open'] = (source, reserve) => sources.open(accountId, source, signal, { reserve })
      const resources = { open, fonts: () => fonts.usable(accountId) }
      const bounds = { ...dependencies, account: accountId, signal, secondsLeft, tolerance }
      for await (const example of compareExamples({ ...before, ...resources }, { ...after, ...resources }, bounds)) {
        caller?.throwIfAborted()
        yield example
        await slot.pass()
      }
    } finally {
      slot.end()
    }
  }

  return {
    async preview(accountId, workflowId, input, { ifVersion, signal } = {}) {
      const workflow = await workflows.find(accountId, workflowId)
      if (workflow === undefined) throw notFound('workflow', workflowId)
      const { workflow: after } = await documents.require(accountId, input, workflowId)
      if (ifVersion !== undefined && ifVersion !== workflow.version) throw newerVersion(workflow.version)
      const before = await checkedVersion(accountId, { id: workflowId, version: workflow.version })
      const examples: ComparedExample[] = []
      const edited = await withBrand(workflow, after)
      for await (const example of compare(accountId, before, edited, { signal })) examples.push(inFigures(example))
      const warnings = await brands.warningsOf(workflow, after)
      return { workflow, document: before.workflow.document, warnings, examples }
    },

    async *versions(accountId, before, after, options = {}) {
      const [old, now] = [await checkedVersion(accountId, before), await checkedVersion(accountId, after)]
      yield* compare(accountId, old, now, options)
    },

    close: slots.close,
  }
}

interface ComparedWorkflow extends Pick<RenderBounds, 'brand'> {
  workflow: CheckedWorkflow
}

/** A version, and the account of its sources. */
export type Version = ComparedWorkflow & Pick<RenderBounds, 'open' | 'fonts'>

export interface CompareBounds {
  dryRuns: Pick<DryRuns, 'render'>
  compare: CompareImages
  pixels: PixelBudget
  signal: AbortSignal
  /** The account of the comparison. */
  account?: string | undefined
  /** Seconds left for all examples together. */
  secondsLeft(): number
  /** Time for each side of one comparison. */
  secondsEach: number
  /** The largest difference of a channel that doesn't count. */
  tolerance: number
}

/** Renders the examples one after the other on both sides: those of the new version, or of the old one if it has none. */
export async function* compareExamples(
  before: Version,
  after: Version,
  { dryRuns, compare, pixels, signal, account, secondsLeft, secondsEach, tolerance }: CompareBounds,
): AsyncGenerator<ExampleComparison> {
  const render = async ({ workflow, ...resources }: Version, parameters: Record<string, unknown>) => {
    try {
      const bounds = { ...resources, account, signal, timeoutSeconds: Math.min(secondsEach, secondsLeft()) }
      return await dryRuns.render(workflow, declaredOf(workflow, parameters), bounds)
    } catch (error) {
      return asFault(error)
    }
  }
  const [{ workflow: old }, { workflow: now }] = [before, after]
  const withExamples = [now, old].find(({ document }) => document.examples?.length) ?? now
  for (const { name, parameters = {} } of examplesOf(withExamples)) {
    const was = await render(before, parameters)
    const is = await render(after, parameters)
    try {
      for (const output of outputsOf(was, is)) {
        const [old, now] = [sideOf(was, output), sideOf(is, output)]
        yield { name, ...(output && { output }), ...(await compareSides(old, now)) }
      }
    } finally {
      for (const rendered of [was, is]) if (!(rendered instanceof Fault)) await rendered.discard()
    }
  }

  async function compareSides(was: Side, is: Side): Promise<Omit<ExampleComparison, 'name' | 'output'>> {
    if (was.fault || is.fault) return { before: was, after: is, difference: null }
    const share = pixels.open(account)
    try {
      const [old, now] = [was.image.exact, is.image.exact]
      // Like images, so that the limit of an execution is for the files and their decoded pixels together.
      await share.reserve(pixelsFor(old.size + now.size), signal)
      const options = { tolerance, signal, secondsLeft, account, reserve: share.reserveBytes }
      return { before: was, after: is, difference: await compare(await old.read(), await now.read(), options) }
    } catch (error) {
      return { before: was, after: { fault: asFault(error) }, difference: null }
    } finally {
      share.close()
    }
  }
}

/** Outputs of both sides, each once. If a side failed, only the primary output: it has the fault. */
function outputsOf(was: Rendered | Fault, is: Rendered | Fault): (RenderedName | undefined)[] {
  if (was instanceof Fault || is instanceof Fault) return [undefined]
  const all = [...is.images, ...was.images].map(({ output }) => output)
  return all.filter((output, i) => all.findIndex((other) => isDeepStrictEqual(other, output)) === i)
}

function sideOf(rendered: Rendered | Fault, output: RenderedName | undefined): Side {
  if (rendered instanceof Fault) return { fault: rendered }
  const found = rendered.images.find((result) => isDeepStrictEqual(result.output, output))
  if (found) return { image: found.image }
  const name = output?.page === undefined ? 'output' : `page ${output.page} in the output`
  return { fault: failure('input_not_found', `This version has no ${name} "${output?.name}".`) }
}

export function inFigures({ name, output, before, after, difference }: ExampleComparison): ComparedExample {
  const { differing = null, maxDifference = null, psnr = null } = difference ?? {}
  return {
    name,
    ...(output && { output: output.name, ...(output.page !== undefined && { page: output.page }) }),
    result: resultOf(before, after, difference),
    before: sideFacts(before),
    after: sideFacts(after),
    differing,
    maxDifference,
    psnr,
  }
}

function resultOf({ image: was }: Side, { image: is }: Side, difference: ImageComparison | null) {
  if (difference === null) return 'failed'
  if (!difference.sameSize) return 'resized'
  if (difference.maxDifference !== 0) return 'different'
  return was && is?.file.sha256 === was.file.sha256 ? 'same' : 'encoded'
}

function sideFacts({ image, fault }: Side): SideFacts {
  if (fault) return { error: { code: fault.code, message: fault.message, details: fault.details } }
  const { width, height, format, file } = image
  return { width, height, format, size: file.size }
}

/** A version gets only the parameters that it declares: a parameter of only one version is not a difference. */
function declaredOf({ parameters }: CheckedWorkflow, values: Record<string, unknown>): Record<string, unknown> {
  const names = new Set(parameters.map(({ name }) => name))
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)))
}
