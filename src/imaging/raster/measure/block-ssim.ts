/**
 * Structural similarity of an image and its copy, fast enough for each encode: the same formula as ssim.ts, in windows of 8 x 8
 * pixels at each fourth pixel instead of Gaussian windows at each pixel (as the filter ssim of FFmpeg).
 */
import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'

export interface Similarity {
  /** Mean of all windows. */
  mean: number
  /** Mean of the tenth of the windows with the most visible errors. */
  worst: number
}

const side = 4
const c1 = 0.01 ** 2 * 255 ** 2
const c2 = 0.03 ** 2 * 255 ** 2

/** Sums of a block: a, b, a * a + b * b, a * b. */
const sums = 4

/**
 * Compares two images of the same size, on grey if they are transparent; the sums of one row of blocks are in memory.
 * Both have the same size; the sums of one row of blocks are in memory.
 */
export async function blockSimilarity(a: Pixels, b: Pixels, context: Pick<JobContext, 'signal'>): Promise<Similarity> {
  const across = Math.max(1, Math.floor(a.width / side))
  const down = Math.max(1, Math.floor(a.height / side))
  let previous = new Float64Array(across * sums)
  let current = new Float64Array(across * sums)
  const scores = new Float32Array(Math.max(1, across - 1) * Math.max(1, down - 1))
  let count = 0
  await eachRow({ width: a.width * side, height: down }, context, (row) => {
    ;[previous, current] = [current, previous]
    sumBlocks(a, b, row, current)
    if (row === 0 && down > 1) return
    const above = down > 1 ? previous : current
    for (let block = 0; block < Math.max(1, across - 1); block += 1) {
      const right = across > 1 ? block + 1 : block
      scores[count] = similarity(above, current, block * sums, right * sums)
      count += 1
    }
  })
  const ordered = scores.subarray(0, count).sort()
  const worstCount = Math.max(1, Math.floor(count / 10))
  const meanOf = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0) / values.length
  return { mean: meanOf(ordered), worst: meanOf(ordered.subarray(0, worstCount)) }
}

function sumBlocks(a: Pixels, b: Pixels, row: number, out: Float64Array): void {
  out.fill(0)
  const bottom = Math.min(a.height, (row + 1) * side)
  const right = Math.min(a.width, (out.length / sums) * side)
  for (let y = row * side; y < bottom; y += 1) {
    let atA = y * a.width * a.channels
    let atB = y * b.width * b.channels
    for (let x = 0; x < right; x += 1, atA += a.channels, atB += b.channels) {
      const p = lumaAt(a, atA)
      const q = lumaAt(b, atB)
      const to = (x >> 2) * sums
      out[to] = (out[to] as number) + p
      out[to + 1] = (out[to + 1] as number) + q
      out[to + 2] = (out[to + 2] as number) + p * p + q * q
      out[to + 3] = (out[to + 3] as number) + p * q
    }
  }
}

function lumaAt({ data, channels }: Pixels, at: number): number {
  const luma = 0.2126 * (data[at] as number) + 0.7152 * (data[at + 1] as number) + 0.0722 * (data[at + 2] as number)
  return channels === 3 ? luma : 128 + ((luma - 128) * (data[at + 3] as number)) / 255
}

function similarity(above: Float64Array, below: Float64Array, left: number, right: number): number {
  const sum = (at: number) =>
    (above[left + at] as number) +
    (above[right + at] as number) +
    (below[left + at] as number) +
    (below[right + at] as number)
  const count = (2 * side) ** 2
  const [meanA, meanB] = [sum(0) / count, sum(1) / count]
  const variances = sum(2) / count - meanA ** 2 - meanB ** 2
  const covariance = sum(3) / count - meanA * meanB
  return ((2 * meanA * meanB + c1) * (2 * covariance + c2)) / ((meanA ** 2 + meanB ** 2 + c1) * (variances + c2))
}
