/**
 * The fast guided filter (He and Sun 2015, arXiv:1505.00996): a coarse matte is brought to the edges of its picture. In
 * each neighbourhood the matte is taken for a linear function of the picture's luma; its two factors are found at the
 * coarse size, and applied at the full one.
 */
import type { Pixels } from '../define.ts'
import type { JobContext } from '../raster/jobs.ts'
import { eachRow } from '../raster/rows.ts'
import { lumaAt } from '../raster/table.ts'

/** Pixels of the coarse picture around each one. */
const radius = 2

/** Variance of luma (0 to 1) below which there is no edge to follow. */
const epsilon = 0.0002

/** Both of the coarse size: a grey matte, and the picture; then the picture in full. */
export async function guided(matte: Pixels, coarse: Pixels, full: Pixels, context: JobContext): Promise<Pixels> {
  const { slope, offset } = factors(matte, coarse)
  const { width, height } = full
  const data = Buffer.allocUnsafe(width * height * 3)
  const columns = Array.from({ length: width }, (_, x) => between(x, width, matte.width))
  await eachRow(full, context, (y) => {
    const row = between(y, height, matte.height)
    const [above, below] = [row.at * matte.width, row.next * matte.width]
    for (let x = 0; x < width; x += 1) {
      const { at, next, part } = columns[x] as Between
      const mixed = (plane: Float32Array) => {
        const top = (plane[above + at] as number) * (1 - part) + (plane[above + next] as number) * part
        const bottom = (plane[below + at] as number) * (1 - part) + (plane[below + next] as number) * part
        return top * (1 - row.part) + bottom * row.part
      }
      const luma = lumaAt(full.data, (y * width + x) * full.channels) / 255
      const value = Math.round(Math.max(0, Math.min(1, mixed(slope) * luma + mixed(offset))) * 255)
      const to = (y * width + x) * 3
      data[to] = value
      data[to + 1] = value
      data[to + 2] = value
    }
  })
  return { data, width, height, channels: 3 }
}

function factors(matte: Pixels, coarse: Pixels): { slope: Float32Array; offset: Float32Array } {
  const { width, height } = matte
  const count = width * height
  const mean = (at: (pixel: number) => number) =>
    boxMean(
      Float32Array.from({ length: count }, (_, p) => at(p)),
      width,
    )
  const luma = Float32Array.from({ length: count }, (_, pixel) => lumaAt(coarse.data, pixel * coarse.channels) / 255)
  const level = Float32Array.from({ length: count }, (_, pixel) => (matte.data[pixel * 3] as number) / 255)
  const meanLuma = boxMean(luma, width)
  const meanLevel = boxMean(level, width)
  const meanProduct = mean((pixel) => (luma[pixel] as number) * (level[pixel] as number))
  const meanSquare = mean((pixel) => (luma[pixel] as number) ** 2)
  const slope = new Float32Array(count)
  const offset = new Float32Array(count)
  for (let pixel = 0; pixel < count; pixel += 1) {
    const own = meanLuma[pixel] as number
    const covariance = (meanProduct[pixel] as number) - own * (meanLevel[pixel] as number)
    const variance = (meanSquare[pixel] as number) - own * own
    slope[pixel] = covariance / (variance + epsilon)
    offset[pixel] = (meanLevel[pixel] as number) - (slope[pixel] as number) * own
  }
  return { slope: boxMean(slope, width), offset: boxMean(offset, width) }
}

/** The mean of the square around each pixel, as far as there are pixels. */
function boxMean(plane: Float32Array, width: number): Float32Array {
  const height = plane.length / width
  const rows = new Float32Array(plane.length)
  for (let y = 0; y < height; y += 1) slide(plane, rows, { start: y * width, step: 1, count: width })
  const means = new Float32Array(plane.length)
  for (let x = 0; x < width; x += 1) slide(rows, means, { start: x, step: width, count: height })
  return means
}

function slide(
  from: Float32Array,
  to: Float32Array,
  { start, step, count }: { start: number; step: number; count: number },
): void {
  let sum = 0
  let first = 0
  let end = 0
  for (let at = 0; at < count; at += 1) {
    for (; end < Math.min(count, at + radius + 1); end += 1) sum += from[start + end * step] as number
    for (; first < at - radius; first += 1) sum -= from[start + first * step] as number
    to[start + at * step] = sum / (end - first)
  }
}

interface Between {
  at: number
  next: number
  /** How much of the next, 0 to 1. */
  part: number
}

/** Where the middle of a pixel lies between the middles of fewer, larger ones. */
function between(place: number, count: number, coarse: number): Between {
  const exact = Math.max(0, Math.min(coarse - 1, ((place + 0.5) * coarse) / count - 0.5))
  const at = Math.floor(exact)
  return { at, next: Math.min(coarse - 1, at + 1), part: exact - at }
}
