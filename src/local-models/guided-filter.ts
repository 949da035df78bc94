/**
 * The fast guided filter (He and Sun 2015, arXiv:1505.00996): aligns a coarse matte with the edges of its image. In
 * each neighbourhood, the matte is modelled as a linear function of the image's luma; its two coefficients are
 * computed at the coarse size and applied at the full size.
 */
import type { JobContext } from '../imaging/raster/jobs.ts'
import { eachRow } from '../imaging/raster/rows.ts'
import { lumaAt } from '../imaging/raster/tone/table.ts'
import type { Pixels } from '../imaging/types.ts'

/** Radius of a neighbourhood, in pixels of the coarse image. */
const radius = 2

/** Variance of luma (0 to 1) below which there is no edge to follow. */
const epsilon = 0.0002

/** First both at the coarse size: a grey matte and the image; then the full image. */
export async function guidedFilter(matte: Pixels, coarse: Pixels, full: Pixels, context: JobContext): Promise<Pixels> {
  const { slope, offset } = await factors(matte, coarse)
  const { width, height, channels } = full
  const data = Buffer.allocUnsafe(width * height * 3)
  const columns = Array.from({ length: width }, (_, x) => between(x, width, matte.width))
  const [firsts, nexts] = [Uint32Array.from(columns, ({ at }) => at), Uint32Array.from(columns, ({ next }) => next)]
  const shares = Float32Array.from(columns, ({ part }) => part)
  const [slopes, offsets] = [new Float32Array(matte.width), new Float32Array(matte.width)]
  await eachRow({ width: width * cost, height }, context, (y) => {
    const row = between(y, height, matte.height)
    mixRows(slope, row, slopes)
    mixRows(offset, row, offsets)
    for (let x = 0, from = y * width * channels, to = y * width * 3; x < width; x += 1, from += channels, to += 3) {
      const [at, next, share] = [firsts[x] as number, nexts[x] as number, shares[x] as number]
      const a = (slopes[at] as number) * (1 - share) + (slopes[next] as number) * share
      const b = (offsets[at] as number) * (1 - share) + (offsets[next] as number) * share
      const value = Math.round(Math.max(0, Math.min(255, a * lumaAt(full.data, from) + b * 255)))
      data[to] = value
      data[to + 1] = value
      data[to + 2] = value
    }
  })
  return { data, width, height, channels: 3 }
}

/** The cost of one pixel in pixels of ordinary work, to yield accordingly. */
const cost = 4

/** The values of a row between two rows of the plane. */
function mixRows(plane: Float32Array, { at, next, part }: Between, into: Float32Array): void {
  const width = into.length
  for (let x = 0; x < width; x += 1) {
    into[x] = (plane[at * width + x] as number) * (1 - part) + (plane[next * width + x] as number) * part
  }
}

async function factors(matte: Pixels, coarse: Pixels): Promise<{ slope: Float32Array; offset: Float32Array }> {
  const { width, height } = matte
  const count = width * height
  const [luma, level] = [new Float32Array(count), new Float32Array(count)]
  const [product, square] = [new Float32Array(count), new Float32Array(count)]
  for (let pixel = 0; pixel < count; pixel += 1) {
    const ownLuma = lumaAt(coarse.data, pixel * coarse.channels) / 255
    const part = (matte.data[pixel * 3] as number) / 255
    luma[pixel] = ownLuma
    level[pixel] = part
    product[pixel] = ownLuma * part
    square[pixel] = ownLuma * ownLuma
  }
  const [meanLuma, meanLevel] = [boxMean(luma, width), boxMean(level, width)]
  const [meanProduct, meanSquare] = [boxMean(product, width), boxMean(square, width)]
  const [slope, offset] = [new Float32Array(count), new Float32Array(count)]
  for (let pixel = 0; pixel < count; pixel += 1) {
    const ownMean = meanLuma[pixel] as number
    const covariance = (meanProduct[pixel] as number) - ownMean * (meanLevel[pixel] as number)
    const variance = (meanSquare[pixel] as number) - ownMean * ownMean
    slope[pixel] = covariance / (variance + epsilon)
    offset[pixel] = (meanLevel[pixel] as number) - (slope[pixel] as number) * ownMean
  }
  return { slope: boxMean(slope, width), offset: boxMean(offset, width) }
}

/** The mean of the square around each pixel, clipped at the edges. */
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
  /** Share of the next value, 0 to 1. */
  part: number
}

/** Position of a pixel's centre between the centres of fewer, larger pixels. */
function between(pixel: number, count: number, coarse: number): Between {
  const exact = Math.max(0, Math.min(coarse - 1, ((pixel + 0.5) * coarse) / count - 0.5))
  const at = Math.floor(exact)
  return { at, next: Math.min(coarse - 1, at + 1), part: exact - at }
}
