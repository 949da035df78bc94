/** Composition of upload decoding, thumbnails and comparisons: in this process, or in its image process. */
import { readFile, stat } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { isCredentialFormat } from '../domain/credentials.ts'
import type { BlobStore, ImageFacts } from '../domain/image.ts'
import type { Checker } from '../engine/check/checked-workflow.ts'
import type { PixelBudget } from '../engine/run/pixel-budget.ts'
import type { Services } from '../http/services.ts'
import type { ImageProcess } from '../image-process/image-process.ts'
import type { Imaging } from '../imaging/raster/imaging.ts'
import { inspectFont } from '../imaging/vector/font-check.ts'
import { limits } from '../limits.ts'
import type { Brands } from '../services/brands.ts'
import type { CheckedDocuments } from '../services/checked-documents.ts'
import type { CheckedWorkflows } from '../services/checked-workflows.ts'
import { type ComparisonSlots, createComparisonSlots } from '../services/comparison-slots.ts'
import { type Comparisons, createComparisons } from '../services/comparisons.ts'
import type { Fonts, InspectFont } from '../services/fonts.ts'
import type { Inspect } from '../services/images.ts'
import { createReexecute, type Reexecute } from '../services/reexecutions.ts'
import { createRenderImage, type RenderImage } from '../services/render-image.ts'
import { createRenderings } from '../services/renderings.ts'
import { createPreviewEviction } from '../services/results/preview-eviction.ts'
import type { Sources } from '../services/sources.ts'
import { createThumbnails } from '../services/thumbnails.ts'
import type { Database } from '../storage/database/open.ts'
import { inTurn, type Turns } from '../worker/turns.ts'
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

/** Inspects a font within the memory budget. */
export function createInspectFont(pixels: PixelBudget): InspectFont {
  return async (file, options) => {
    const share = pixels.open(options.account)
    try {
      return await inspectFont(file, { ...options, reserve: share.reserveBytes })
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
  blobs: BlobStore
  check: Checker
  documents: CheckedDocuments
  checkedWorkflows: CheckedWorkflows
  imaging: Imaging
  inspect: ReturnType<typeof createInspect>
  pixels: PixelBudget
  sources: Sources
  fonts: Pick<Fonts, 'usable'>
  brands: Brands
  turns: Turns
  imageProcess: ImageProcess | undefined
}

export function createDecoding(dependencies: Dependencies): Decoding {
  const { config, log, database, blobs, imageProcess } = dependencies
  const slots = createComparisonSlots({
    runningMax: limits.comparisonsRunningMax,
    waitingMax: limits.comparisonsWaitingMax,
    seconds: config.syncWaitSeconds,
  })
  const comparisons = comparisonsHere(dependencies, slots)
  const work = imageProcess ?? workHere(dependencies, comparisons, reexecuteHere(dependencies, slots))
  const { clock } = database
  const { images, previews } = database.stores
  const thumbnails = createThumbnails({
    images,
    previews,
    blobs,
    render: work.renderImage,
    clock,
    evict: createPreviewEviction({ previews, clock, bytesMax: config.previewBytesMax }),
    retentionHours: config.previewHours,
    isMarked: config.markAiImages,
    perAccountMax: limits.thumbnailsPerAccountMax,
    seconds: limits.thumbnailSeconds,
    onError: (err) => log.warn({ err }, 'a thumbnail could not be stored'),
  })
  const { inspect, renderImage, reexecute } = work
  return {
    inspect,
    renderImage,
    reexecute,
    services: { comparisons: { ...comparisons, ...work.comparisons }, thumbnails },
  }
}

/** The work that an image process can do. */
type Work = Pick<ImageProcess, 'inspect' | 'renderImage' | 'reexecute' | 'comparisons'>

/** The work takes turns with an execution that could crash the process, so that the crash ends no other work. */
function workHere(
  { config, imaging, inspect, pixels, blobs, turns }: Dependencies,
  comparisons: Comparisons,
  reexecute: Reexecute,
): Work {
  const renderImage = createRenderImage({
    blobs,
    renderFile: imaging.renderFile,
    pixels,
    pixelsMax: config.imagePixelsMax,
    seconds: limits.thumbnailSeconds,
  })
  const run = <Value>(signal: AbortSignal | undefined, work: () => Promise<Value>) =>
    inTurn(turns, { signal, waitSecondsMax: limits.imageTurnWaitSeconds }, work)
  return {
    inspect: (file, options) => run(options.signal, () => inspect(file, options)),
    renderImage: (image, options) => run(options.signal, () => renderImage(image, options)),
    reexecute: (account, output, signal) => run(signal, () => reexecute(account, output, signal)),
    comparisons: {
      ...comparisons,
      preview: (account, id, document, options = {}) =>
        run(options.signal, () => comparisons.preview(account, id, document, options)),
    },
  }
}

function comparisonsHere(
  { config, log, database, blobs, check, documents, imaging, pixels, sources, fonts, brands }: Dependencies,
  slots: ComparisonSlots,
): Comparisons {
  return createComparisons({
    workflows: database.stores.workflows,
    sources,
    fonts,
    brands,
    renderings: createRenderings({
      check,
      encode: imaging.encode,
      named: imaging,
      stage: blobs.stage,
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
  { config, database, checkedWorkflows, imaging, pixels, sources, fonts }: Dependencies,
  slots: ComparisonSlots,
): Reexecute {
  return createReexecute({
    executions: database.stores.executions,
    checkedWorkflows,
    sources,
    fonts,
    slots,
    encode: imaging.encode,
    named: imaging,
    compare: imaging.compare,
    pixels,
    pixelsMax: config.imagePixelsMax,
    clock: database.clock,
    secondsEach: config.executionTimeoutSeconds,
    version,
  })
}
