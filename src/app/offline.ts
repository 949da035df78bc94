/** Composition for workflow files without a service: no database, no stored images, no network. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { systemClock } from '../domain/clock.ts'
import type { CompareImages } from '../domain/images/comparison.ts'
import { createChecker } from '../engine/check/check.ts'
import { createPixelBudget, type PixelBudget } from '../engine/run/pixel-budget.ts'
import { createImaging } from '../imaging/raster/imaging.ts'
import { limits } from '../limits.ts'
import { catalogue } from '../operations/index.ts'
import { Processes } from '../processes/processes.ts'
import { createDryRuns, type DryRuns } from '../services/workflows/dry-runs.ts'
import { createFsBlobs } from '../storage/blobs/fs.ts'
import { createModelTable } from './models.ts'

export interface Offline {
  dryRuns: DryRuns
  compare: CompareImages
  pixels: PixelBudget
  secondsEach: number
  lossless(bytes: Buffer, format: 'png' | 'webp'): Promise<{ bytes: Buffer; format: 'png' | 'webp' }>
  close(): Promise<void>
}

export async function createOffline(config: Config): Promise<Offline> {
  const { imagePixelsMax: pixelsMax, executionTimeoutSeconds: secondsEach } = config
  const processes = new Processes()
  const imaging = createImaging({ processes, pixelsMax, marksAiImages: config.markAiImages })
  const pixels = createPixelBudget(
    config.pixelsInFlightMax,
    limits.executionImagesMax * config.imagePixelsMax,
    config.executionMemoryBytesMax / 4,
  )
  // No model is called, but unsupported requests are reported.
  const check = createChecker(catalogue, await createModelTable(config))
  const folder = await mkdtemp(join(tmpdir(), 'tintype-dry-runs-'))
  return {
    dryRuns: createDryRuns({
      check,
      encode: imaging.encode,
      named: imaging,
      stage: createFsBlobs({ dir: folder }).stage,
      processes,
      pixels,
      pixelsMax,
      clock: systemClock,
    }),
    compare: imaging.compare,
    pixels,
    secondsEach,
    async lossless(bytes, format) {
      const context = { signal: new AbortController().signal, secondsLeft: () => secondsEach, pixelsMax, processes }
      const image = await imaging.imageOf(bytes, context)
      const keptFormat = image.animation ? 'webp' : format
      const encoded = await imaging.encode(image, { format: keptFormat, lossless: true, effort: 'high' }, context)
      return { bytes: encoded.bytes, format: keptFormat }
    },
    async close() {
      processes.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
