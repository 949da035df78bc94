/** Runs a model for small images on a large one: tile by tile, each with a margin that is cropped. */

import type { JobContext } from '../imaging/raster/jobs.ts'
import type { Pixels } from '../imaging/types.ts'
import type { LocalModel, ModelImage, ModelOutput, PackagedModel } from './define-model.ts'
import { tileSideUsual } from './manifest/manifest.ts'
import type { WithManifest } from './manifest/manifest-models.ts'
import { runManifestModel, runModel } from './runner.ts'

/** Side of a tile in pixels; memory grows with its square, and so does the delay of a cancellation. */
const sideMax = 192

export interface Enlarger {
  model: LocalModel
  factor: number
  tiling: Tiling
  enlarge(tile: ModelImage, context: JobContext): Promise<ModelOutput | undefined>
}

export interface Tiling {
  /** Maximum side of a tile with its margin. */
  side: number
  /** Whether each tile has this side. Otherwise a tile is only as large as necessary. */
  isFixed?: boolean
  /** Number of which the sides of a tile are multiples. Default: 1. */
  multipleOf?: number
  /**
   * Margin around a tile in pixels. The image is mirrored beyond its edges: models would take the outside for black, and
   * darken edges.
   */
  margin: number
}

/** `margin`: chosen so that no channel differs by more than 2 from the image in one piece. */
export function packagedEnlarger(
  model: PackagedModel,
  { graph, factor, margin }: { graph: string; factor: number; margin: number },
): Enlarger {
  return {
    model,
    factor,
    tiling: { side: sideMax, margin },
    enlarge: async (tile, context) => Object.values(await runModel(model, graph, tile, context))[0],
  }
}

export function manifestEnlarger({ model, manifest }: WithManifest<'upscale'>): Enlarger {
  const { input, tile, scale } = manifest
  const { size, multipleOf = 1 } = input
  return {
    model,
    factor: scale,
    tiling: {
      side: size ?? tile.size ?? tileSideUsual,
      isFixed: size !== undefined,
      multipleOf,
      margin: tile.overlap,
    },
    enlarge: (image, context) => runManifestModel(model, image, context),
  }
}

/** An opaque image, `factor` times as large. The caller has checked the size. */
export async function enlarge(
  pixels: Pixels,
  { factor, tiling, enlarge: run }: Enlarger,
  context: JobContext,
): Promise<Pixels> {
  const { margin } = tiling
  const width = pixels.width * factor
  const data = Buffer.allocUnsafe(width * pixels.height * factor * 3)
  for (const [top, high] of parts(pixels.height, tiling)) {
    for (const [left, wide] of parts(pixels.width, tiling)) {
      const size = { width: sideOf(wide, tiling), height: sideOf(high, tiling) }
      const enlarged = await run(tileOf(pixels, { left: left - margin, top: top - margin, ...size }), context)
      if (enlarged === undefined) throw new Error('the model gave nothing')
      const from = Buffer.from(enlarged.data.buffer, enlarged.data.byteOffset, enlarged.data.byteLength)
      const fromWidth = size.width * factor
      for (let y = 0; y < high * factor; y += 1) {
        const start = ((y + margin * factor) * fromWidth + margin * factor) * 3
        from.copy(data, ((top * factor + y) * width + left * factor) * 3, start, start + wide * factor * 3)
      }
    }
  }
  return { data, width, height: pixels.height * factor, channels: 3 }
}

/** Side of the tile of a part, with its margins. */
function sideOf(length: number, { side, isFixed = false, multipleOf = 1, margin }: Tiling): number {
  return isFixed ? side : Math.ceil((length + 2 * margin) / multipleOf) * multipleOf
}

/** Splits a length into as few parts as possible of similar size: the start and length of each. */
function parts(length: number, { side, margin }: Tiling): [number, number][] {
  const count = Math.ceil(length / (side - 2 * margin))
  return Array.from({ length: count }, (_, at) => {
    const start = Math.floor((at * length) / count)
    return [start, Math.floor(((at + 1) * length) / count) - start]
  })
}

/** A part of the image, without alpha. It can exceed the image. */
function tileOf(
  pixels: Pixels,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
): ModelImage {
  const columns = Int32Array.from({ length: width }, (_, x) => mirrored(left + x, pixels.width))
  const data = new Uint8Array(width * height * 3)
  let to = 0
  for (let y = 0; y < height; y += 1) {
    const row = mirrored(top + y, pixels.height) * pixels.width
    for (const column of columns) {
      const from = (row + column) * pixels.channels
      data[to] = pixels.data[from] as number
      data[to + 1] = pixels.data[from + 1] as number
      data[to + 2] = pixels.data[from + 2] as number
      to += 3
    }
  }
  return { data, width, height }
}

/** The position within `length` that mirrors one outside. */
function mirrored(position: number, length: number): number {
  if (length === 1) return 0
  const period = 2 * (length - 1)
  const at = ((position % period) + period) % period
  return at < length ? at : period - at
}
