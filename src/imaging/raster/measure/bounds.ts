/** Finds the content of an image. */
import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import type { Rectangle } from '../region.ts'
import { eachRow } from '../rows.ts'

/** Red, green, blue and alpha, 0 to 255. */
export type Ground = [number, number, number, number]

export function groundAt({ data, width, channels }: Pixels, x: number, y: number): Ground {
  const at = (y * width + x) * channels
  return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0, channels === 4 ? (data[at + 3] ?? 0) : 255]
}

/**
 * The smallest rectangle that contains every pixel that differs from the background by more than `tolerance` in a
 * channel: in alpha, or in a colour multiplied by its alpha, because transparent pixels have no colour. Undefined if
 * there is none.
 */
export async function boundsOf(
  pixels: Pixels,
  [red, green, blue, alpha]: Ground,
  tolerance: number,
  context: Pick<JobContext, 'signal'>,
): Promise<Rectangle | undefined> {
  const { data, width, height, channels } = pixels
  const share = alpha / 255
  const [r, g, b] = [red * share, green * share, blue * share]
  const differs = (at: number) => {
    const pixelAlpha = channels === 4 ? (data[at + 3] as number) : 255
    const seen = pixelAlpha / 255
    return (
      Math.abs(pixelAlpha - alpha) > tolerance ||
      Math.abs((data[at] as number) * seen - r) > tolerance ||
      Math.abs((data[at + 1] as number) * seen - g) > tolerance ||
      Math.abs((data[at + 2] as number) * seen - b) > tolerance
    )
  }
  let [left, right, top, bottom] = [width, -1, -1, -1]
  await eachRow({ width, height }, context, (y) => {
    const start = y * width * channels
    let first = 0
    while (first < width && !differs(start + first * channels)) first += 1
    if (first === width) return
    let last = width - 1
    // Pixels to the left of the rightmost one found so far do not matter.
    while (last > right && !differs(start + last * channels)) last -= 1
    left = Math.min(left, first)
    right = Math.max(right, last)
    if (top === -1) top = y
    bottom = y
  })
  if (top === -1) return undefined
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
}
