/** The shape of an image by its alpha, which casts a shadow, glows, or gets an outline. */
import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import type { Rectangle } from '../region.ts'
import { eachRow } from '../rows.ts'

/** The visible shape of an image. Without `alpha`, the entire rectangle is opaque. */
export interface Silhouette extends Rectangle {
  /** One byte per pixel of the rectangle. */
  alpha?: Uint8Array
}

/** Cropped to the visible part; undefined if nothing is visible. */
export async function silhouetteOf(
  pixels: Pixels,
  context: Pick<JobContext, 'signal'>,
): Promise<Silhouette | undefined> {
  const { data, width, height, channels } = pixels
  if (channels === 3) return { x: 0, y: 0, width, height }
  const bounds = await seenBounds(pixels, context)
  if (bounds === undefined) return undefined
  const alpha = new Uint8Array(bounds.width * bounds.height)
  let lowest = 255
  await eachRow(bounds, context, (row) => {
    let from = ((bounds.y + row) * width + bounds.x) * 4 + 3
    const end = (row + 1) * bounds.width
    for (let to = row * bounds.width; to < end; to += 1, from += 4) {
      const value = data[from] as number
      alpha[to] = value
      if (value < lowest) lowest = value
    }
  })
  return lowest === 255 ? bounds : { ...bounds, alpha }
}

/** Grown by this many pixels on each side. */
export function grown({ x, y, width, height }: Rectangle, by: number): Rectangle {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by }
}

/** The rectangle of an image. */
export function frameOf({ width, height }: { width: number; height: number }): Rectangle {
  return { x: 0, y: 0, width, height }
}

async function seenBounds(
  { data, width, height }: Pixels,
  context: Pick<JobContext, 'signal'>,
): Promise<Rectangle | undefined> {
  let [left, right, top, bottom] = [width, -1, -1, -1]
  await eachRow({ width, height }, context, (y) => {
    const alpha = y * width * 4 + 3
    let first = 0
    while (first < width && data[alpha + first * 4] === 0) first += 1
    if (first === width) return
    let last = width - 1
    // Pixels to the left of the rightmost one found so far do not matter.
    while (last > right && data[alpha + last * 4] === 0) last -= 1
    left = Math.min(left, first)
    right = Math.max(right, last)
    if (top === -1) top = y
    bottom = y
  })
  return top === -1 ? undefined : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
}
