/** Histogram equalization of luma: global or local. */
import type { Pixels } from '../../types.ts'
import { type DecisionContext, decideOnce } from '../decide-once.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import { applyTones, type Histogram, lightGain, lumaHistogram, storeColor, tonesOf } from './luma.ts'
import { lumaAt } from './table.ts'

/**
 * Maps each luma to the share of pixels up to it, minus the share of the darkest. An image with a single luma does
 * not change.
 */
export async function equalizeLuma(
  pixels: Pixels,
  context: Pick<JobContext, 'signal'> & DecisionContext,
): Promise<Pixels> {
  const histogram = await decideOnce(context, 'histogram', () => lumaHistogram(pixels, context))
  const sums = sumsOf(histogram)
  const [least, most] = [histogram.find((count) => count > 0) ?? 0, sums.at(-1) ?? 0]
  if (most - least < 1e-9) return pixels
  const tones = tonesOf((luma) => ((sums[Math.round(luma * 255)] ?? 0) - least) / (most - least))
  return applyTones(pixels, tones, context)
}

export interface LocalSettings {
  /** Limit of a luma's count, as a multiple of the mean: 1 changes nothing, higher values are stronger. */
  clip: number
  /** Number of tiles per side. */
  tiles: number
}

/**
 * Contrast-limited adaptive equalization: each tile has its own curve, limited by `clip`, and every pixel
 * interpolates the curves of the four tiles around it. Zuiderveld, Contrast Limited Adaptive Histogram Equalization
 * (Graphics Gems IV, 1994). sharp's version repeats the work for each pixel and takes about fifty times as long.
 */
export async function equalizeTiles(
  pixels: Pixels,
  { clip, tiles }: LocalSettings,
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const { data: from, width, height, channels } = pixels
  const [columns, rows] = [Math.min(tiles, width), Math.min(tiles, height)]
  const curves = await curvesOf(pixels, columns, rows, clip, context)
  const data = Buffer.allocUnsafe(from.length)
  const row = new Float32Array(columns * curveLength)
  const [across, down] = [placesIn(columns, width), placesIn(rows, height)]
  await eachRow(pixels, context, (y) => {
    const upper = (down.before[y] as number) * row.length
    const lower = (down.after[y] as number) * row.length
    const share = down.shares[y] as number
    for (let i = 0; i < row.length; i += 1) {
      row[i] = (curves[upper + i] as number) * (1 - share) + (curves[lower + i] as number) * share
    }
    for (let x = 0, at = y * width * channels; x < width; x += 1, at += channels) {
      const r = from[at] as number
      const g = from[at + 1] as number
      const b = from[at + 2] as number
      const luma = Math.min(255, 0.2126 * r + 0.7152 * g + 0.0722 * b)
      const below = luma | 0
      const left = (across.before[x] as number) * curveLength + below
      const right = (across.after[x] as number) * curveLength + below
      const acrossShare = across.shares[x] as number
      const at0 = (row[left] as number) * (1 - acrossShare) + (row[right] as number) * acrossShare
      const at1 = (row[left + 1] as number) * (1 - acrossShare) + (row[right + 1] as number) * acrossShare
      const target = at0 + (at1 - at0) * (luma - below)
      const gain = lightGain(luma, target)
      const offset = target - gain * luma
      storeColor(data, at, r * gain + offset, g * gain + offset, b * gain + offset)
      if (channels === 4) data[at + 3] = from[at + 3] as number
    }
  })
  return { ...pixels, data }
}

/** The result for each luma, 0 to 255; the last one is repeated for interpolation. */
const curveLength = 257

/** The curve of each tile. */
async function curvesOf(
  pixels: Pixels,
  columns: number,
  rows: number,
  clip: number,
  context: Pick<JobContext, 'signal'>,
): Promise<Float32Array> {
  const { data, width, height, channels } = pixels
  const counts = new Float64Array(columns * rows * 256)
  const tileOf = Uint8Array.from({ length: width }, (_, x) => Math.floor((x * columns) / width))
  await eachRow(pixels, context, (y) => {
    const first = Math.floor((y * rows) / height) * columns
    for (let x = 0, at = y * width * channels; x < width; x += 1, at += channels) {
      const slot = (first + (tileOf[x] as number)) * 256 + lumaAt(data, at)
      counts[slot] = (counts[slot] as number) + (channels === 4 ? (data[at + 3] as number) : 255)
    }
  })
  const curves = new Float32Array(columns * rows * curveLength)
  for (let tile = 0; tile < columns * rows; tile += 1) {
    const curve = curveOf(counts.subarray(tile * 256, tile * 256 + 256), clip)
    curves.set(curve, tile * curveLength)
    curves.fill(curve[255] as number, tile * curveLength + 256, (tile + 1) * curveLength)
  }
  return curves
}

function curveOf(histogram: Histogram, clip: number): Float32Array {
  const total = histogram.reduce((sum, count) => sum + count, 0)
  // A transparent tile has no histogram.
  if (total === 0) return Float32Array.from({ length: 256 }, (_, luma) => luma)
  const clipped = clippedTo(histogram, (clip * total) / 256)
  // Cumulated to the middle of each luma, so that a flat histogram changes nothing.
  return Float32Array.from(sumsOf(clipped), (sum, luma) => {
    const share = (sum - (clipped[luma] as number) / 2) / total
    return Math.max(0, Math.min(255, 256 * share - 0.5))
  })
}

/** The excess over the limit is distributed evenly over the lumas below it. */
function clippedTo(histogram: Histogram, limit: number): Histogram {
  const clipped = histogram.map((count) => Math.min(count, limit))
  const sum = (counts: Histogram) => counts.reduce((all, count) => all + count, 0)
  let excess = sum(histogram) - sum(clipped)
  // Lumas that reach the limit in a round receive no more; few do so late.
  for (let round = 0; round < 32 && excess > limit * 1e-6; round += 1) {
    const share = excess / clipped.filter((count) => count < limit).length
    for (const [luma, count] of clipped.entries()) {
      const more = Math.min(share, limit - count)
      clipped[luma] = count + more
      excess -= more
    }
  }
  return clipped
}

function sumsOf(histogram: Histogram): Histogram {
  let sum = 0
  return histogram.map((count) => {
    sum += count
    return sum
  })
}

/** The two tiles whose centres surround each pixel, and its position between them. At the borders, only one tile. */
interface Places {
  before: Uint8Array
  after: Uint8Array
  shares: Float32Array
}

function placesIn(tiles: number, pixels: number): Places {
  const places = Array.from({ length: pixels }, (_, pixel) =>
    Math.max(0, Math.min(tiles - 1, ((pixel + 0.5) * tiles) / pixels - 0.5)),
  )
  return {
    before: Uint8Array.from(places, Math.floor),
    after: Uint8Array.from(places, Math.ceil),
    shares: Float32Array.from(places, (place) => place % 1),
  }
}
