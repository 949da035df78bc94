/**
 * The cost of every operation from pixels to pixels, two megapixels of RGB, compared with sharp if sharp has the same
 * operation.
 */

import sharp, { type Sharp } from 'sharp'
import { checker } from '../../src/domain/validate.ts'
import { pixelsOf } from '../../src/imaging/raster/image.ts'
import type { ImageValue } from '../../src/imaging/types.ts'
import type { Operation, OperationContext } from '../../src/operations/define.ts'
import { catalogue } from '../../src/operations/index.ts'
import { Processes } from '../../src/processes/processes.ts'
import { inTurns, photograph } from './lab.ts'

export interface OperationCost {
  id: string
  cpuMs: number
  /** The cost with sharp, from pixels to pixels. */
  sharpMs?: number
}

const [width, height] = [1632, 1224]
const rounds = 5

const context: OperationContext = {
  processes: new Processes(),
  signal: new AbortController().signal,
  secondsLeft: () => 120,
  pixelsMax: 100_000_000,
  open: () => Promise.reject(new Error('there is nothing to open')),
}

/** Params, if those of the first example are for a small image, or too trivial. */
const paramsOf: Record<string, Record<string, unknown>> = {
  resize: { width: 800, height: 600 },
  crop: { x: 100, y: 100, width: 1200, height: 900 },
}

/** The same with sharp alone. */
const twins: Record<string, (image: Sharp) => Sharp> = {
  resize: (image) => image.resize(800, 600),
  crop: (image) => image.extract({ left: 100, top: 100, width: 1200, height: 900 }),
  flip: (image) => image.flop(),
  blur: (image) => image.blur(4),
  sharpen: (image) => image.sharpen(),
  median: (image) => image.median(3),
  invert: (image) => image.negate(),
  threshold: (image) => image.threshold(128),
  normalize: (image) => image.normalise(),
  equalize: (image) => image.clahe({ width: 200, height: 200 }),
  grayscale: (image) => image.grayscale(),
  tint: (image) => image.tint('#704214'),
  rotate: (image) => image.rotate(90),
}

export async function measureOperations(): Promise<OperationCost[]> {
  const { data } = await (await photograph(width, height)).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const pixels = { data, width, height, channels: 3 as const }
  const results: OperationCost[] = []
  for (const operation of catalogue.values()) {
    const [example] = operation.examples
    if (Object.keys(operation.inputs).length === 0 || example === undefined || example.requires !== undefined) continue
    if (operation.group === 'animation' || operation.usesModel !== undefined) continue
    const twin = twins[operation.id]
    const works = {
      ours: () => runOnce(operation, { width, height, hasAlpha: false, format: 'raw', pixels }),
      ...(twin && {
        sharp: () =>
          twin(sharp(data, { raw: pixels }))
            .raw()
            .toBuffer(),
      }),
    }
    const costs = await inTurns<'ours' | 'sharp'>(works as Record<'ours' | 'sharp', () => Promise<unknown>>, rounds)
    results.push({ id: operation.id, cpuMs: costs.ours.cpuMs, ...(twin && { sharpMs: costs.sharp.cpuMs }) })
  }
  return results
}

async function runOnce(operation: Operation, source: ImageValue): Promise<void> {
  const params = structuredClone(paramsOf[operation.id] ?? operation.examples[0]?.params ?? {})
  checker(operation.params)(params)
  const wired = Object.keys(operation.examples[0]?.inputs ?? {})
  const inputs = Object.fromEntries(
    wired.map((name) => [name, operation.inputs[name]?.many ? [source, source] : source]),
  )
  const { image } = await operation.run(inputs as never, params as never, context)
  if (image) await pixelsOf(image, context)
}
