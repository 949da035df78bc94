/** Luma spread evenly from black to white: over the whole picture, or around each pixel. */
import type { Pixels } from '../define.ts'
import type { JobContext } from './jobs.ts'
import { type Histogram, lightGain, linesOf, lumaHistogram, storeColor, throughLines } from './luma.ts'
import { eachRow } from './rows.ts'
import { lumaAt } from './table.ts'

/** Each luma becomes the share of what is darker or as dark, less that of the darkest. Of one luma: as it was. */
export async function equalized(pixels: Pixels, context: Pick<JobContext, 'signal'>): Promise<Pixels> {
  const histogram = await lumaHistogram(pixels, context)
  const sums = sumsOf(histogram)
  const [least, most] = [histogram.find((count) => count > 0) ?? 0, sums.at(-1) ?? 0]
  if (most - least < 1e-9) return pixels
  const lines = linesOf((luma) => ((sums[Math.round(luma * 255)] ?? 0) - least) / (most - least))
  return throughLines(pixels, lines, context)
}

export interface LocalSettings {
  /** How many times the mean a luma may count at most: 1 changes nothing, and the more, the stronger. */
  clip: number
  /** Of the picture along each side. */
  tiles: number
}

/**
 * Contrast-limited adaptive: each tile is spread by itself, no more steeply than `clip`, and every pixel mixes the
 * answers of the four tiles around it. Zuiderveld, Contrast Limited Adaptive Histogram Equalization (Graphics Gems IV,
 * 1994). sharp's does the work anew for each pixel, and takes some fifty times as long.
 */
export async function equalizedLocally(
  pixels: Pixels,
  { clip, tiles }: LocalSettings,
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const { data: from, width, height, channels } = pixels
  const [columns, rows] = [Math.min(tiles, width), Math.min(tiles, height)]
  const curves = await curvesOf(pixels, columns, rows, clip, context)
  const data = Buffer.allocUnsafe(from.length)
  const [across, down] = [placesIn(columns, width), placesIn(rows, height)]
  await eachRow(pixels, context, (y) => {
    const upperRow = (down.before[y] as number) * columns
    const lowerRow = (down.after[y] as number) * columns
    const downShare = down.shares[y] as number
    for (let x = 0, at = y * width * channels; x < width; x += 1, at += channels) {
      const left = across.before[x] as number
      const right = across.after[x] as number
      const share = across.shares[x] as number
      const luma = lumaAt(from, at)
      const upperLeft = curves[(upperRow + left) * 256 + luma] as number
      const upperRight = curves[(upperRow + right) * 256 + luma] as number
      const lowerLeft = curves[(lowerRow + left) * 256 + luma] as number
      const lowerRight = curves[(lowerRow + right) * 256 + luma] as number
      const upper = upperLeft + (upperRight - upperLeft) * share
      const lower = lowerLeft + (lowerRight - lowerLeft) * share
      const target = upper + (lower - upper) * downShare
      const gain = lightGain(luma, target)
      const offset = target - gain * luma
      const r = from[at] as number
      const g = from[at + 1] as number
      const b = from[at + 2] as number
      storeColor(data, at, r * gain + offset, g * gain + offset, b * gain + offset)
      if (channels === 4) data[at + 3] = from[at + 3] as number
    }
  })
  return { ...pixels, data }
}

/** For each tile what its 256 lumas become, 0 to 255. */
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
  const curves = new Float32Array(counts.length)
  for (let at = 0; at < counts.length; at += 256) curves.set(curveOf(counts.subarray(at, at + 256), clip), at)
  return curves
}

function curveOf(histogram: Histogram, clip: number): Float32Array {
  const total = histogram.reduce((sum, count) => sum + count, 0)
  // Of a tile that is not seen nothing is known.
  if (total === 0) return Float32Array.from({ length: 256 }, (_, luma) => luma)
  const clipped = clippedTo(histogram, (clip * total) / 256)
  // Up to the middle of each luma: then an even histogram changes nothing.
  return Float32Array.from(sumsOf(clipped), (sum, luma) => {
    const share = (sum - (clipped[luma] as number) / 2) / total
    return Math.max(0, Math.min(255, 256 * share - 0.5))
  })
}

/** What is more than the limit is dealt out evenly to the lumas that are below it. */
function clippedTo(histogram: Histogram, limit: number): Histogram {
  const clipped = histogram.map((count) => Math.min(count, limit))
  const sum = (counts: Histogram) => counts.reduce((all, count) => all + count, 0)
  let excess = sum(histogram) - sum(clipped)
  // Those that a round fills take no more in the next; few are filled late.
  for (let round = 0; round < 32 && excess > limit * 1e-6; round += 1) {
    const each = excess / clipped.filter((count) => count < limit).length
    for (const [luma, count] of clipped.entries()) {
      const more = Math.min(each, limit - count)
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

/** Between the middles of which two tiles each pixel lies, and how far on the way. Outside of all: one tile alone. */
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
