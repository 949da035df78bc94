/** Similarity of two images, in numbers. */
import type { Pixels } from '../../types.ts'
import type { Luma } from './luma-plane.ts'

/**
 * Mean structural similarity of two images of the same size: Wang, Bovik, Sheikh, Simoncelli, Image quality
 * assessment: from error visibility to structural similarity, IEEE Transactions on Image Processing 13, 2004. Uses
 * their Gaussian window of 11 x 11 with sigma 1.5, inside the image; both sides must have at least 11 pixels.
 */
export async function structuralSimilarity(a: Luma, b: Luma): Promise<number> {
  const [x, y] = [smoothed(a), smoothed(b)]
  const [xx, yy, xy] = [smoothed(product(a, a)), smoothed(product(b, b)), smoothed(product(a, b))]
  let sum = 0
  for (let at = 0; at < x.length; at += 1) {
    const [meanX, meanY] = [x[at] as number, y[at] as number]
    const covariance = (xy[at] as number) - meanX * meanY
    const variances = (xx[at] as number) - meanX ** 2 + (yy[at] as number) - meanY ** 2
    sum += ((2 * meanX * meanY + c1) * (2 * covariance + c2)) / ((meanX ** 2 + meanY ** 2 + c1) * (variances + c2))
  }
  return sum / x.length
}

/** Peak signal-to-noise ratio of red, green and blue in decibels; infinite without a difference. */
export function peakSignalToNoise(a: Pixels, b: Pixels): number {
  let squares = 0
  for (let at = 0; at < a.data.length; at += 1) squares += ((a.data[at] as number) - (b.data[at] as number)) ** 2
  return 10 * Math.log10(255 ** 2 / (squares / a.data.length))
}

export const windowSide = 11

const c1 = (0.01 * 255) ** 2
const c2 = (0.03 * 255) ** 2

const gaussian = Array.from({ length: windowSide }, (_, at) => Math.exp(-((at - 5) ** 2) / (2 * 1.5 ** 2)))
const total = gaussian.reduce((sum, value) => sum + value, 0)
const weights = Float64Array.from(gaussian, (value) => value / total)

/** Weighted means of every window inside the image. */
function smoothed({ values, width, height }: Luma): Float64Array {
  const across = windows(values, { width: width - windowSide + 1, height, rowStep: width, step: 1 })
  const wide = width - windowSide + 1
  return windows(across, { width: wide, height: height - windowSide + 1, rowStep: wide, step: wide })
}

/** Weighted sums of the values at a fixed step, for each start position. */
function windows(
  from: Float64Array,
  { width, height, rowStep, step }: { width: number; height: number; rowStep: number; step: number },
): Float64Array {
  const out = new Float64Array(width * height)
  for (let y = 0, to = 0; y < height; y += 1) {
    for (let at = y * rowStep; at < y * rowStep + width; at += 1, to += 1) {
      let sum = 0
      for (let k = 0, place = at; k < windowSide; k += 1, place += step) {
        sum += (weights[k] as number) * (from[place] as number)
      }
      out[to] = sum
    }
  }
  return out
}

function product(a: Luma, b: Luma): Luma {
  return { ...a, values: a.values.map((value, at) => value * (b.values[at] as number)) }
}
