/** Luma: its distribution, and changes of luma that keep every hue. */
import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import { lumaAt } from './table.ts'

/** Weight of each luma from 0 to 255: pixels, weighted by alpha. */
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

/** The lowest luma present at which the cumulative share reaches `share` (0 to 1); 0 if nothing is visible. */
export function percentile(histogram: Histogram, share: number): number {
  const wanted = share * histogram.reduce((sum, count) => sum + count, 0) - 1e-6
  let sum = 0
  for (const [luma, count] of histogram.entries()) {
    sum += count
    if (count > 0 && sum >= wanted) return luma
  }
  return 0
}

/** The result for each luma from 0 to 255, interpolated linearly in between; one more value ends the last segment. */
export interface Tones {
  targets: Float32Array<ArrayBuffer>
  /** Factor for the distance of colours from grey. */
  gains: Float32Array<ArrayBuffer>
  /** Factors for red, green and blue before the change. */
  balance?: readonly [number, number, number]
}

/**
 * Tones from a function of luma, 0 to 1, and a function for the chroma gain, which receives both lumas, 0 to 255.
 * Without the second, colours keep their strength relative to luma, as if the amount of light had changed.
 */
export function tonesOf(formula: (luma: number) => number, gainOf = lightGain): Tones {
  const lumas = Array.from({ length: 257 }, (_, luma) => Math.min(255, luma))
  const targets = lumas.map((luma) => 255 * Math.max(0, Math.min(1, formula(luma / 255))))
  const gains = lumas.map((luma) => gainOf(luma, targets[luma] ?? 0))
  return { targets: Float32Array.from(targets), gains: Float32Array.from(gains) }
}

/** Maximum chroma gain: near black, hue is noise that must not be amplified. */
const lightGainMax = 4

export function lightGain(luma: number, target: number): number {
  return luma === 0 ? 1 : Math.min(lightGainMax, target / luma)
}

/** Changes the luma of every pixel and keeps its hue. Alpha does not change. */
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
      // Not rounded to 256 levels: a steep curve would show bands.
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
 * Rounds and stores red, green and blue. Colours outside 0 to 255 move towards the grey of their luma until they fit,
 * so that neither hue nor luma changes: `ClipColor` of Compositing and Blending Level 1, 13.2, with the weights of
 * Rec. 709.
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
