/** Composition of upload decoding and comparisons: in this process, or in its image process. */
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Clock } from '../domain/clock.ts'
import type { ImageFacts } from '../domain/image.ts'
import type { WorkflowStore } from '../domain/workflow.ts'
import type { Checker } from '../engine/check/checked-workflow.ts'
import type { PixelBudget } from '../engine/run/pixel-budget.ts'
import type { ImageProcess } from '../image-process/image-process.ts'
import type { Imaging } from '../imaging/raster/imaging.ts'
import { limits } from '../limits.ts'
import { type Comparisons, createComparisons } from '../services/comparisons.ts'
import type { Fonts } from '../services/fonts.ts'
import type { Inspect } from '../services/images.ts'
import { createRenderings } from '../services/renderings.ts'
import type { Sources } from '../services/sources.ts'
import { inTurn, type Turns } from '../worker/turns.ts'

export interface InspectOptions {
  account?: string
  signal?: AbortSignal | undefined
}

/** Inspects a file within the memory budget. */
export function createInspect(imaging: Imaging, pixels: PixelBudget) {
  return async (file: string, { account, signal }: InspectOptions): Promise<ImageFacts> => {
    const share = pixels.open(account)
    try {
      return await imaging.inspect(file, { account, signal, reserve: share.reserveBytes })
    } finally {
      share.close()
    }
  }
}

interface Decoding {
  config: Config
  log: Logger
  clock: Clock
  check: Checker
  imaging: Imaging
  inspect: ReturnType<typeof createInspect>
  pixels: PixelBudget
  workflows: WorkflowStore
  sources: Sources
  fonts: Pick<Fonts, 'usable'>
  turns: Turns
  imageProcess: ImageProcess | undefined
}

/** Work that clients wait for. It takes turns with an execution that could crash the process, so that the crash ends no other work. */
export function createDecoding(decoding: Decoding): { inspect: Inspect; comparisons: Comparisons } {
  const { inspect, turns, imageProcess } = decoding
  const comparisons = comparisonsHere(decoding)
  if (imageProcess)
    return { inspect: imageProcess.inspect, comparisons: { ...comparisons, ...imageProcess.comparisons } }
  const waitSecondsMax = limits.imageTurnWaitSeconds
  return {
    inspect: (file, options) => inTurn(turns, { signal: options.signal, waitSecondsMax }, () => inspect(file, options)),
    comparisons: {
      ...comparisons,
      preview: (account, id, document, options = {}) =>
        inTurn(turns, { signal: options.signal, waitSecondsMax }, () =>
          comparisons.preview(account, id, document, options),
        ),
    },
  }
}

function comparisonsHere({
  config,
  log,
  clock,
  check,
  imaging,
  pixels,
  workflows,
  sources,
  fonts,
}: Decoding): Comparisons {
  return createComparisons({
    workflows,
    sources,
    fonts,
    renderings: createRenderings({
      check,
      encode: imaging.encode,
      pixels,
      pixelsMax: config.imagePixelsMax,
      clock,
      onFailure({ message, details, cause }) {
        if (details.reason === 'internal') log.error({ problem: message, err: cause }, 'a comparison failed')
      },
    }),
    compare: imaging.compare,
    pixels,
    runningMax: limits.comparisonsRunningMax,
    waitingMax: limits.comparisonsWaitingMax,
    seconds: config.syncWaitSeconds,
    secondsEach: config.executionTimeoutSeconds,
  })
}
