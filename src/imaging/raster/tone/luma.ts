/** Brightness by itself: how it is spread over a picture, and how it is changed while every hue stays what it is. */
import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import { lumaAt } from './table.ts'

/** What is seen of each luma from 0 to 255: pixels, each counted as much as it is opaque. */
export type Histogram = Float64Array<ArrayBuffer>

export async function lumaHistogram(pixels: Pixels, context: Pick<JobContext, 'signal'>): Promise<Histogram> {
  const { data, width, channels } = pixels
  const histogram = new Float64Array(256)
  await eachRow(pixels, context, (y) => {
    const end = (y + 1) * width * channels
    for (let at = y * width * channels; at < end; at += channels) {
      const luma = lumaAt(data, at)
      histogram[luma] = (histogram[luma] as number) + (channels === 4 ? (data[at + 3] as number) / 255 : 1)
    }
  })
  return histogram
}

/** The least luma that is there and has this share (0 to 1) of all at or below it; 0 where nothing is seen. */
export function percentile(histogram: Histogram, share: number): number {
  const wanted = share * histogram.reduce((sum, count) => sum + count, 0) - 1e-6
  let sum = 0
  for (const [luma, count] of histogram.entries()) {
    sum += count
    if (count > 0 && sum >= wanted) return luma
  }
  return 0
}

/** What each luma from 0 to 255 becomes; between two of them it is a straight line. A last one more ends the last line. */
export interface Tones {
  targets: Float32Array<ArrayBuffer>
  /** How far from grey colours then are, of how far they were. */
  gains: Float32Array<ArrayBuffer>
  /** What red, green and blue are multiplied by before. */
  balance?: readonly [number, number, number]
}

/**
 * From a function of luma, 0 to 1, and one of the gain for both lumas, 0 to 255. Without it colours are as strong
 * beside their luma as before, as if more or less light had fallen on them.
 */
export function tonesOf(formula: (luma: number) => number, gainOf = lightGain): Tones {
  const lumas = Array.from({ length: 257 }, (_, luma) => Math.min(255, luma))
  const targets = lumas.map((luma) => 255 * Math.max(0, Math.min(1, formula(luma / 255))))
  const gains = lumas.map((luma) => gainOf(luma, targets[luma] ?? 0))
  return { targets: Float32Array.from(targets), gains: Float32Array.from(gains) }
}

/** Most that colour is made stronger: what is all but black has a hue by chance, which is not to be blown up. */
const lightGainMax = 4

export function lightGain(luma: number, target: number): number {
  return luma === 0 ? 1 : Math.min(lightGainMax, target / luma)
}

/** Every pixel gets the luma that its own becomes, and keeps its hue. Alpha stays. */
export async function applyTones(
  pixels: Pixels,
  { targets, gains, balance = [1, 1, 1] }: Tones,
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const { data: from, width, channels } = pixels
  const data = Buffer.allocUnsafe(from.length)
  const [red, green, blue] = balance
  await eachRow(pixels, context, (y) => {
    const end = (y + 1) * width * channels
    for (let at = y * width * channels; at < end; at += channels) {
      const r = red * (from[at] as number)
      const g = green * (from[at + 1] as number)
      const b = blue * (from[at + 2] as number)
      const luma = Math.min(255, 0.2126 * r + 0.7152 * g + 0.0722 * b)
      // Not to the nearest of 256: a steep curve would show them as bands.
      const below = luma | 0
      const share = luma - below
      const gain = (gains[below] as number) * (1 - share) + (gains[below + 1] as number) * share
      const target = (targets[below] as number) * (1 - share) + (targets[below + 1] as number) * share
      const offset = target - gain * luma
      storeColor(data, at, r * gain + offset, g * gain + offset, b * gain + offset)
      if (channels === 4) data[at + 3] = from[at + 3] as number
    }
  })
  return { ...pixels, data }
}

/**
 * Rounds and stores red, green and blue. A colour beyond 0 to 255 comes nearer to the grey of its luma until it fits, so
 * that neither hue nor luma changes: `ClipColor` of Compositing and Blending Level 1, 13.2, with the weights of Rec. 709.
 */
export function storeColor(data: Uint8Array, at: number, r: number, g: number, b: number): void {
  const low = Math.min(r, g, b)
  const high = Math.max(r, g, b)
  let luma = 0
  let share = 1
  if (low < 0 || high > 255) {
    luma = Math.max(0, Math.min(255, 0.2126 * r + 0.7152 * g + 0.0722 * b))
    if (low < 0) share = luma / (luma - low)
    if (high > 255) share = Math.min(share, (255 - luma) / (high - luma))
  }
  const rest = luma * (1 - share) + 0.5
  data[at] = r * share + rest
  data[at + 1] = g * share + rest
  data[at + 2] = b * share + rest
}
