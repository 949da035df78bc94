/** Measures the defects of an image and corrects them moderately. The constants were chosen by eye. */
import type { Pixels } from '../../types.ts'
import { type DecisionContext, decideOnce } from '../decide-once.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import { applyTones, type Histogram, lightGain, lumaHistogram, percentile, tonesOf } from './luma.ts'

/** White balance, then contrast and mid-tones, then some saturation, in one pass over the pixels. */
export async function enhancePixels(
  pixels: Pixels,
  context: Pick<JobContext, 'signal'> & DecisionContext,
): Promise<Pixels> {
  const { neutral, chroma } = await decideOnce(context, 'cast', () => castOf(pixels, context))
  const { tone, slope } = toneOf(await decideOnce(context, 'histogram', () => lumaHistogram(pixels, context)))
  // Simulates light and removes fog. Dull images get more saturation, saturated ones none.
  const strength = 1 + 0.2 * Math.max(0, 1 - chroma / 0.4)
  const tones = tonesOf(tone, (luma, target) => (strength * (lightGain(luma, target) + slope)) / 2)
  return applyTones(pixels, { ...tones, balance: balanceOf(neutral) }, context)
}

interface Cast {
  /** Mean red, green and blue, 0 to 255, of pixels that are presumably grey; undefined if there are too few. */
  neutral: [number, number, number] | undefined
  /** Mean difference between the strongest and the weakest channel, 0 to 1. */
  chroma: number
}

/** Pixels are weighted by alpha. */
async function castOf(pixels: Pixels, context: Pick<JobContext, 'signal'>): Promise<Cast> {
  const { data, width, channels } = pixels
  let [weight, chroma, greys, red, green, blue] = [0, 0, 0, 0, 0, 0]
  await eachRow(pixels, context, (y) => {
    const end = (y + 1) * width * channels
    for (let at = y * width * channels; at < end; at += channels) {
      const alpha = channels === 4 ? (data[at + 3] as number) : 255
      const r = data[at] as number
      const g = data[at + 1] as number
      const b = data[at + 2] as number
      const high = Math.max(r, g, b)
      const span = high - Math.min(r, g, b)
      weight += alpha
      chroma += span * alpha
      // Saturated colours belong to objects, not to the light, and clipped values carry no information about it.
      if (span > high * 0.25 || high < 32 || high > 245) continue
      greys += alpha
      red += r * alpha
      green += g * alpha
      blue += b * alpha
    }
  })
  const neutral: Cast['neutral'] = greys > weight * 0.05 ? [red / greys, green / greys, blue / greys] : undefined
  return { neutral, chroma: weight === 0 ? 0 : chroma / weight / 255 }
}

/**
 * The grey-world assumption: the mean of an image is grey (Buchsbaum, A spatial processor model for object colour
 * perception, J. Franklin Inst. 310, 1980). It often fails, so only near-grey pixels count, two thirds of a cast are
 * removed, and no channel changes by more than 12 %.
 */
function balanceOf(neutral: Cast['neutral']): [number, number, number] {
  if (neutral === undefined) return [1, 1, 1]
  const [red, green, blue] = neutral
  const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  const gain = (mean: number) => Math.max(1 / 1.12, Math.min(1.12, (luma / mean) ** (2 / 3)))
  return [gain(red), gain(green), gain(blue)]
}

/**
 * Luma, 0 to 1: everything except half a percent at each end is stretched, at most to a slope of about 1.9, so that
 * fog stays fog; then a gamma moves the median halfway to 0.46, the stored value of 18 % grey.
 */
function toneOf(histogram: Histogram): { tone: (luma: number) => number; slope: number } {
  const black = Math.min(60, percentile(histogram, 0.005)) / 255
  const white = Math.max(195, percentile(histogram, 0.995)) / 255
  const stretched = (luma: number) => Math.max(0, Math.min(1, (luma - black) / (white - black)))
  const median = Math.max(0.02, Math.min(0.98, stretched(percentile(histogram, 0.5) / 255)))
  const exponent = Math.log((median + 0.46) / 2) / Math.log(median)
  const bend = Math.max(0.7, Math.min(1.25, exponent))
  return { tone: (luma) => stretched(luma) ** bend, slope: 1 / (white - black) }
}
