/** Composition of thumbnails and comparisons, in this process or in its executor, and of the decoding of uploads in other processes. */
import { readFile, stat } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { isCredentialFormat } from '../domain/credentials/credentials.ts'
import type { FairQueue } from '../domain/fair-queue.ts'
import type { BlobStore, ImageFacts } from '../domain/images/image.ts'
import type { Retention } from '../domain/retention.ts'
import type { Checker } from '../engine/check/checked-workflow.ts'
import type { PixelBudget } from '../engine/run/pixel-budget.ts'
import type { ImageWork } from '../executor/executor.ts'
import type { Services } from '../http/services.ts'
import type { Imaging } from '../imaging/raster/imaging.ts'
import { prepareInspecting } from '../imaging/raster/read/inspect.ts'
import { convertSvg } from '../imaging/svg-import/convert-svg.ts'
import { inspectFont } from '../imaging/vector/font-check.ts'
import { limits } from '../limits.ts'
import type { Processes } from '../processes/processes.ts'
import type { Brands } from '../services/accounts/brands.ts'
import type { Fonts, InspectFont } from '../services/accounts/fonts.ts'
import { createReexecute, type Reexecute } from '../services/credentials/reexecutions.ts'
import type { Sources } from '../services/executions/sources.ts'
import { createImageRenderer, type RenderImage } from '../services/images/image-renderer.ts'
import type { Inspect } from '../services/images/images.ts'
import { createThumbnails } from '../services/images/thumbnails.ts'
import { type ComparisonSlots, createComparisonSlots } from '../services/workflows/comparison-slots.ts'
import { type Comparisons, createComparisons } from '../services/workflows/comparisons.ts'
import type { DocumentChecks } from '../services/workflows/document-checks.ts'
import { createDryRuns } from '../services/workflows/dry-runs.ts'
import type { ConvertSvg } from '../services/workflows/svg-imports.ts'
import type { VersionCache } from '../services/workflows/version-cache.ts'
import type { Database } from '../storage/database/open.ts'
import type { OpenCredentials } from './credentials.ts'
import { version } from './version.ts'

export interface InspectOptions {
  account?: string
  signal?: AbortSignal | undefined
}

/** Inspects a file and its Content Credentials within the memory budget. */
export function createInspect(imaging: Imaging, pixels: PixelBudget, credentialsOf: OpenCredentials['factsIn']) {
  return async (file: string, { account, signal = never }: InspectOptions): Promise<ImageFacts> => {
    const share = pixels.open(account)
    try {
      const facts = await imaging.inspect(file, { account, signal, reserve: share.reserveBytes })
      if (!isCredentialFormat(facts.format)) return facts
      const { size } = await stat(file)
      const release = await share.reserveBytes(size, signal)
      try {
        // The metadata has precedence.
        return { ...(await credentialsOf(await readFile(file), { account, signal })), ...facts }
      } finally {
        release()
      }
    } finally {
      share.close()
    }
  }
}

/** A download for `inspectSource`: a process for it starts meanwhile. */
export function downloadToInspect<Args extends unknown[]>(
  processes: Processes,
  download: (...args: Args) => Promise<Buffer>,
) {
  return (...args: Args): Promise<Buffer> => {
    prepareInspecting(processes)
    return download(...args)
  }
}

/** Inspects a font within the memory budget. */
export function createInspectFont(processes: Processes, pixels: PixelBudget): InspectFont {
  return async (file, options) => {
    const share = pixels.open(options.account)
    try {
      return await inspectFont(file, { ...options, processes, reserve: share.reserveBytes })
    } finally {
      share.close()
    }
  }
}

/** Converts an SVG within the memory budget. */
export function createConvertSvg(processes: Processes, pixels: PixelBudget): ConvertSvg {
  return async (job, options) => {
    const share = pixels.open(options.account)
    try {
      return await convertSvg(job, { ...options, processes, reserve: share.reserveBytes })
    } finally {
      share.close()
    }
  }
}

/** Work that clients wait for. */
export interface Decoding {
  inspect: Inspect
  renderImage: RenderImage
  reexecute: Reexecute
  services: Pick<Services, 'comparisons' | 'thumbnails'>
}

const never = new AbortController().signal

interface Dependencies {
  config: Config
  log: Logger
  database: Database
  retention: Retention
  blobs: BlobStore
  check: Checker
  documents: DocumentChecks
  versionCache: VersionCache
  imaging: Imaging
  inspect: ReturnType<typeof createInspect>
  processes: Processes
  pixels: PixelBudget
  sources: Sources
  fonts: Pick<Fonts, 'usable'>
  brands: Brands
  places: FairQueue
  /** Does the work in place of this process. */
  executor: ImageWork | undefined
}

export function createDecoding(dependencies: Dependencies): Decoding {
  const { config, log, database, retention, blobs, executor, inspect } = dependencies
  const slots = createComparisonSlots({
    runningMax: limits.comparisonsRunningMax,
    waitingMax: limits.comparisonsWaitingMax,
    seconds: config.syncWaitSeconds,
  })
  const comparisons = comparisonsHere(dependencies, slots)
  const work = executor ?? workHere(dependencies, comparisons, reexecuteHere(dependencies, slots))
  const { clock } = database
  const { images, previews } = database.stores
  const thumbnails = createThumbnails({
    images,
    previews,
    blobs,
    render: work.renderImage,
    clock,
    retention,
    retentionHours: config.previewHours,
    isMarked: config.markAiImages,
    perAccountMax: limits.thumbnailsPerAccountMax,
    seconds: limits.thumbnailSeconds,
    onError: (err) => log.warn({ err }, 'a thumbnail could not be stored'),
  })
  const { renderImage, reexecute } = work
  return {
    inspect,
    renderImage,
    reexecute,
    services: { comparisons: { ...comparisons, ...work.comparisons }, thumbnails },
  }
}

/** The work takes turns with an execution that could crash the process, so that the crash ends no other work. */
function workHere(
  { config, imaging, pixels, blobs, places }: Dependencies,
  comparisons: Comparisons,
  reexecute: Reexecute,
): ImageWork {
  const renderImage = createImageRenderer({
    blobs,
    renderFile: imaging.renderFile,
    pixels,
    pixelsMax: config.imagePixelsMax,
    seconds: limits.thumbnailSeconds,
  })
  return {
    renderImage: (image, options) => places.run({ signal: options.signal }, () => renderImage(image, options)),
    reexecute: (account, output, signal) => places.run({ signal }, () => reexecute(account, output, signal)),
    comparisons: {
      ...comparisons,
      preview: (account, id, document, options = {}) =>
        places.run({ signal: options.signal }, () => comparisons.preview(account, id, document, options)),
    },
  }
}

function comparisonsHere(
  { config, log, database, blobs, check, documents, imaging, processes, pixels, sources, fonts, brands }: Dependencies,
  slots: ComparisonSlots,
): Comparisons {
  return createComparisons({
    workflows: database.stores.workflows,
    sources,
    fonts,
    brands,
    dryRuns: createDryRuns({
      check,
      encode: imaging.encode,
      named: imaging,
      stage: blobs.stage,
      processes,
      pixels,
      pixelsMax: config.imagePixelsMax,
      clock: database.clock,
      onFailure({ message, details, cause }) {
        if (details.reason === 'internal') log.error({ problem: message, err: cause }, 'a comparison failed')
      },
    }),
    documents,
    compare: imaging.compare,
    pixels,
    slots,
    secondsEach: config.executionTimeoutSeconds,
  })
}

function reexecuteHere(
  { config, database, versionCache, imaging, processes, pixels, sources, fonts }: Dependencies,
  slots: ComparisonSlots,
): Reexecute {
  return createReexecute({
    executions: database.stores.executions,
    versionCache,
    sources,
    fonts,
    slots,
    encode: imaging.encode,
    named: imaging,
    compare: imaging.compare,
    processes,
    pixels,
    pixelsMax: config.imagePixelsMax,
    clock: database.clock,
    secondsEach: config.executionTimeoutSeconds,
    version,
  })
}
