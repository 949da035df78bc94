/** Distribution of the values of an image. */
import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import { lumaAt } from '../tone/table.ts'

/** Weight of each value from 0 to 255: pixels, weighted by alpha. */
export type Bins = Float64Array<ArrayBuffer>

export interface Histograms {
  red: Bins
  green: Bins
  blue: Bins
  luma: Bins
  /** Sum of alpha over all pixels. */
  visible: number
  /** Share with a channel at 0, and share with a channel at 255. */
  lost: number
  burnt: number
}

export async function histogramsOf(pixels: Pixels, context: Pick<JobContext, 'signal'>): Promise<Histograms> {
  const [red, green, blue, luma] = [bins(), bins(), bins(), bins()]
  const found: Histograms = { red, green, blue, luma, visible: 0, lost: 0, burnt: 0 }
  const rowBytes = pixels.width * pixels.channels
  await eachRow(pixels, context, (y) => countRow(pixels, y * rowBytes, (y + 1) * rowBytes, found))
  return found
}

function bins(): Bins {
  return new Float64Array(256)
}

/** Local sums: half the time of sums in an object. */
function countRow({ data, channels }: Pixels, start: number, end: number, found: Histograms): void {
  const { red, green, blue, luma } = found
  let [visible, lost, burnt, weight] = [0, 0, 0, 1]
  for (let at = start; at < end; at += channels) {
    if (channels === 4) weight = (data[at + 3] as number) / 255
    const r = data[at] as number
    const g = data[at + 1] as number
    const b = data[at + 2] as number
    const grey = lumaAt(data, at)
    red[r] = (red[r] as number) + weight
    green[g] = (green[g] as number) + weight
    blue[b] = (blue[b] as number) + weight
    luma[grey] = (luma[grey] as number) + weight
    visible += weight
    if (r === 0 || g === 0 || b === 0) lost += weight
    if (r === 255 || g === 255 || b === 255) burnt += weight
  }
  found.visible += visible
  found.lost += lost
  found.burnt += burnt
}

export interface Spread {
  mean: number
  stdev: number
  median: number
  p1: number
  p99: number
}

/** 0 to 255; all 0 if nothing is visible. */
export function spreadOf(bins: Bins): Spread {
  const total = bins.reduce((sum, count) => sum + count, 0)
  if (total === 0) return { mean: 0, stdev: 0, median: 0, p1: 0, p99: 0 }
  const mean = bins.reduce((sum, count, value) => sum + count * value, 0) / total
  const variance = bins.reduce((sum, count, value) => sum + count * (value - mean) ** 2, 0) / total
  const atShare = (share: number) => valueAt(bins, share * total)
  return { mean, stdev: Math.sqrt(variance), median: atShare(0.5), p1: atShare(0.01), p99: atShare(0.99) }
}

/** Entropy in bits, 0 to 8: Shannon, A mathematical theory of communication, 1948. */
export function entropyOf(bins: Bins): number {
  const total = bins.reduce((sum, count) => sum + count, 0)
  return bins.reduce((sum, count) => (count > 0 ? sum - (count / total) * Math.log2(count / total) : sum), 0)
}

/**
 * Variance of the Laplacian (0 1 0, 1 -4 1, 0 1 0) of luma: Pech-Pacheco et al., Diatom autofocusing in brightfield
 * microscopy, ICPR 2000. Border pixels are omitted, and each pixel is weighted by the lowest alpha of the five.
 */
export async function sharpnessOf(pixels: Pixels, context: Pick<JobContext, 'signal'>): Promise<number> {
  const { width, height } = pixels
  if (width < 3 || height < 3) return 0
  const totals = { weight: 0, sum: 0, squares: 0 }
  let [above, here, below] = [new Float64Array(width), new Float64Array(width), new Float64Array(width)]
  await eachRow(pixels, context, (y) => {
    ;[above, here, below] = [here, below, above]
    lumaRow(pixels, y, below)
    if (y >= 2) addEdges(pixels, y - 1, [above, here, below], totals)
  })
  const { weight, sum, squares } = totals
  return weight === 0 ? 0 : Math.max(0, squares / weight - (sum / weight) ** 2)
}

function lumaRow({ data, width, channels }: Pixels, y: number, to: Float64Array): void {
  for (let x = 0, at = y * width * channels; x < width; x += 1, at += channels) {
    to[x] = 0.2126 * (data[at] as number) + 0.7152 * (data[at + 1] as number) + 0.0722 * (data[at + 2] as number)
  }
}

function addEdges(
  { data, width, channels }: Pixels,
  y: number,
  [above, here, below]: [Float64Array, Float64Array, Float64Array],
  totals: { weight: number; sum: number; squares: number },
): void {
  let [weight, sum, squares, opacity] = [0, 0, 0, 1]
  for (let x = 1; x < width - 1; x += 1) {
    if (channels === 4) opacity = leastAlpha(data, (y * width + x) * 4, width * 4) / 255
    const round = (above[x] as number) + (below[x] as number) + (here[x - 1] as number) + (here[x + 1] as number)
    const edge = round - 4 * (here[x] as number)
    weight += opacity
    sum += edge * opacity
    squares += edge * edge * opacity
  }
  totals.weight += weight
  totals.sum += sum
  totals.squares += squares
}

function leastAlpha(data: Buffer, at: number, rowBytes: number): number {
  return Math.min(
    data[at + 3] as number,
    data[at - 1] as number,
    data[at + 7] as number,
    data[at + 3 - rowBytes] as number,
    data[at + 3 + rowBytes] as number,
  )
}

/** The lowest value present at which the cumulative share reaches `share`. */
function valueAt(bins: Bins, wanted: number): number {
  let sum = 0
  for (const [value, count] of bins.entries()) {
    sum += count
    // Tolerance for rounding errors of the sums of alpha.
    if (count > 0 && sum >= wanted - 1e-6) return value
  }
  return 0
}
