/**
 * Histograms as an image: filled curves in the colours of their channels, which add up to white where all three
 * overlap.
 */
import type { Pixels } from '../../types.ts'
import type { Color } from '../color.ts'
import type { JobContext } from '../jobs.ts'
import type { Bins } from '../measure/histogram.ts'
import { eachRow } from '../rows.ts'
import { solidColor } from './fill.ts'

export interface Curve {
  bins: Bins
  /** Light that the curve adds, 0 to 255. */
  light: readonly [number, number, number]
}

/** Draws curves that replace the background, with anti-aliased top edges. */
export async function drawHistogram(
  curves: Curve[],
  { width, height, background }: { width: number; height: number; background: Color },
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const image = await solidColor(width, height, background, context)
  const peak = Math.max(...curves.map(({ bins }) => peakOf(bins)))
  // Space above the highest curve.
  const heights = curves.map(({ bins }) => columns(bins, width).map((value) => (value / peak) * height * 0.94))
  const light = [0, 0, 0]
  await eachRow(image, context, (y) => {
    const level = height - y - 1
    for (let x = 0; x < width; x += 1) {
      let cover = 0
      light.fill(0)
      for (const [index, curve] of curves.entries()) {
        const share = Math.max(0, Math.min(1, (heights[index]?.[x] as number) - level))
        cover = Math.max(cover, share)
        for (let channel = 0; channel < 3; channel += 1) {
          light[channel] = (light[channel] as number) + (curve.light[channel] as number) * share
        }
      }
      if (cover > 0) lay(image, (y * width + x) * image.channels, light, cover)
    }
  })
  return image
}

/** Light of the curves that cover `cover` of the pixel; the background shows in the rest. */
function lay({ data, channels }: Pixels, at: number, light: number[], cover: number): void {
  const below = channels === 4 ? (data[at + 3] as number) / 255 : 1
  const alpha = cover + below * (1 - cover)
  for (let channel = 0; channel < 3; channel += 1) {
    const mixed = (light[channel] as number) + (data[at + channel] as number) * below * (1 - cover)
    data[at + channel] = Math.min(255, Math.round(mixed / alpha))
  }
  if (channels === 4) data[at + 3] = Math.round(alpha * 255)
}

/**
 * The highest bin except black and white: bins of clipped values are much higher than all others, and are cut off
 * instead.
 */
function peakOf(bins: Bins): number {
  const inner = Math.max(...bins.subarray(1, 255))
  return inner > 0 ? inner : Math.max(1e-9, ...bins)
}

/**
 * The mean of the bins in each column, or an interpolation of the two nearest bins if a column is narrower than a
 * bin.
 */
function columns(bins: Bins, width: number): number[] {
  return Array.from({ length: width }, (_, x) => {
    const [from, to] = [(x * 256) / width, ((x + 1) * 256) / width]
    if (to - from <= 1) return between(bins, (from + to) / 2 - 0.5)
    let sum = 0
    for (let bin = Math.floor(from); bin < to; bin += 1) {
      sum += (bins[bin] as number) * (Math.min(to, bin + 1) - Math.max(from, bin))
    }
    return sum / (to - from)
  })
}

function between(bins: Bins, at: number): number {
  const place = Math.max(0, Math.min(255, at))
  const [low, share] = [Math.floor(place), place % 1]
  return (bins[low] as number) * (1 - share) + (bins[Math.min(255, low + 1)] as number) * share
}
