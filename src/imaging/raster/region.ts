/** Rectangles of pixels, copied row by row without an image library. */
import type { Pixels } from '../types.ts'
import { copyPixels } from './copy.ts'
import type { JobContext } from './jobs.ts'
import { eachRow } from './rows.ts'

export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

/** The rectangle must lie inside the image. */
export async function cut(
  pixels: Pixels,
  { x, y, width, height }: Rectangle,
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const { channels } = pixels
  const data = Buffer.allocUnsafe(width * height * channels)
  const rowBytes = width * channels
  await eachRow({ width, height }, context, (row) => {
    const from = ((y + row) * pixels.width + x) * channels
    pixels.data.copy(data, row * rowBytes, from, from + rowBytes)
  })
  return { data, width, height, channels }
}

/** A copy of `base` with `patch` at x, y. */
export async function paste(
  base: Pixels,
  patch: Pixels,
  at: { x: number; y: number },
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const pasted = { ...base, data: await copyPixels(base, context) }
  await put(pasted, patch, at, context)
  return pasted
}

/**
 * Writes a patch in place: `target` must have no other readers. The patch must lie inside and have the same channels.
 */
export async function put(
  target: Pixels,
  patch: Pixels,
  { x, y }: { x: number; y: number },
  context: Pick<JobContext, 'signal'>,
): Promise<void> {
  if (patch.channels !== target.channels) throw new Error('a patch must have the channels of what it is put into')
  const rowBytes = patch.width * patch.channels
  await eachRow(patch, context, (row) => {
    const to = ((y + row) * target.width + x) * target.channels
    patch.data.copy(target.data, to, row * rowBytes, (row + 1) * rowBytes)
  })
}

/** Undefined if they do not overlap. */
export function intersection(a: Rectangle, b: Rectangle): Rectangle | undefined {
  const x = Math.max(a.x, b.x)
  const y = Math.max(a.y, b.y)
  const width = Math.min(a.x + a.width, b.x + b.width) - x
  const height = Math.min(a.y + a.height, b.y + b.height) - y
  return width > 0 && height > 0 ? { x, y, width, height } : undefined
}

/** The smallest rectangle that contains both. */
export function union(a: Rectangle, b: Rectangle): Rectangle {
  const x = Math.min(a.x, b.x)
  const y = Math.min(a.y, b.y)
  const width = Math.max(a.x + a.width, b.x + b.width) - x
  const height = Math.max(a.y + a.height, b.y + b.height) - y
  return { x, y, width, height }
}
