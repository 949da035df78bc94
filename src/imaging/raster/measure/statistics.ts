/** Statistics of an image. */
import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'

export interface Statistics {
  /** Means of red, green and blue, 0 to 255, weighted by alpha. */
  mean: [number, number, number]
  /** Mean of Rec. 709 luma (of stored sRGB values), 0 to 1. */
  brightness: number
  /** Its standard deviation, 0 to 0.5: RMS contrast (Peli, Contrast in complex images, JOSA A 7, 1990). */
  contrast: number
  /** Mean alpha, 0 to 1. */
  opacity: number
}

/** An entirely transparent image has no colour: black, without contrast. */
export async function statisticsOf(pixels: Pixels, context: Pick<JobContext, 'signal'>): Promise<Statistics> {
  const { data, width, height, channels } = pixels
  // A double represents the sum of squares of a hundred million pixels with far more digits than the result needs.
  let [weight, red, green, blue, squares] = [0, 0, 0, 0, 0]
  await eachRow(pixels, context, (y) => {
    const end = (y + 1) * width * channels
    for (let at = y * width * channels; at < end; at += channels) {
      const alpha = channels === 4 ? (data[at + 3] as number) / 255 : 1
      const [r, g, b] = [data[at] as number, data[at + 1] as number, data[at + 2] as number]
      const luma = 0.2126 * r + 0.7152 * g + 0.0722 * b
      weight += alpha
      red += r * alpha
      green += g * alpha
      blue += b * alpha
      squares += luma * luma * alpha
    }
  })
  const opacity = weight / (width * height)
  if (weight === 0) return { mean: [0, 0, 0], brightness: 0, contrast: 0, opacity }
  const mean: [number, number, number] = [red / weight, green / weight, blue / weight]
  const luma = 0.2126 * mean[0] + 0.7152 * mean[1] + 0.0722 * mean[2]
  const deviation = Math.sqrt(Math.max(0, squares / weight - luma * luma))
  return { mean, brightness: luma / 255, contrast: deviation / 255, opacity }
}
