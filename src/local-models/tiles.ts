/** Runs a model for small images on a large one: tile by tile, each with a margin that is cropped. */

import type { JobContext } from '../imaging/raster/jobs.ts'
import type { Pixels } from '../imaging/types.ts'
import type { LocalModel, ModelImage } from './define-model.ts'
import { runModel } from './runner.ts'

/** Side of a tile in pixels; memory grows with its square, and so does the delay of a cancellation. */
const sideMax = 192

export interface Enlarger {
  model: LocalModel
  graph: string
  factor: number
  /**
   * Margin around a tile in pixels; chosen so that no channel differs by more than 2 from the image in one piece. The
   * image is mirrored beyond its edges: models would take the outside for black, and darken edges.
   */
  margin: number
}

/** An opaque image, `factor` times as large. The caller has checked the size. */
export async function enlarge(
  pixels: Pixels,
  { model, graph, factor, margin }: Enlarger,
  context: JobContext,
): Promise<Pixels> {
  const width = pixels.width * factor
  const data = Buffer.allocUnsafe(width * pixels.height * factor * 3)
  for (const [top, high] of parts(pixels.height, margin)) {
    for (const [left, wide] of parts(pixels.width, margin)) {
      const outputs = await runModel(model, graph, tileOf(pixels, { left, top, wide, high }, margin), context)
      const [enlarged] = Object.values(outputs)
      if (enlarged === undefined) throw new Error(`${model.name} gave nothing`)
      const from = Buffer.from(enlarged.data.buffer, enlarged.data.byteOffset, enlarged.data.byteLength)
      const fromWidth = (wide + 2 * margin) * factor
      for (let y = 0; y < high * factor; y += 1) {
        const start = ((y + margin * factor) * fromWidth + margin * factor) * 3
        from.copy(data, ((top * factor + y) * width + left * factor) * 3, start, start + wide * factor * 3)
      }
    }
  }
  return { data, width, height: pixels.height * factor, channels: 3 }
}

/** Splits a length into as few parts as possible of similar size: the start and length of each. */
function parts(length: number, margin: number): [number, number][] {
  const count = Math.ceil(length / (sideMax - 2 * margin))
  return Array.from({ length: count }, (_, at) => {
    const start = Math.floor((at * length) / count)
    return [start, Math.floor(((at + 1) * length) / count) - start]
  })
}

/** The tile and its margin, without alpha. */
function tileOf(
  pixels: Pixels,
  { left, top, wide, high }: { left: number; top: number; wide: number; high: number },
  margin: number,
): ModelImage {
  const [width, height] = [wide + 2 * margin, high + 2 * margin]
  const columns = Int32Array.from({ length: width }, (_, x) => mirrored(left + x - margin, pixels.width))
  const data = new Uint8Array(width * height * 3)
  let to = 0
  for (let y = 0; y < height; y += 1) {
    const row = mirrored(top + y - margin, pixels.height) * pixels.width
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
