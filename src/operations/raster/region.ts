/** Rectangles of pixels, copied row by row: what needs no image library. */
import type { Pixels } from '../define.ts'

export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

/** The rectangle must lie inside. */
export function cut(pixels: Pixels, { x, y, width, height }: Rectangle): Pixels {
  const { channels } = pixels
  const data = Buffer.allocUnsafe(width * height * channels)
  const rowBytes = width * channels
  for (let row = 0; row < height; row += 1) {
    const from = ((y + row) * pixels.width + x) * channels
    pixels.data.copy(data, row * rowBytes, from, from + rowBytes)
  }
  return { data, width, height, channels }
}

/** A copy of `base` with `patch` in place of what was at x, y. It must lie inside and have as many channels. */
export function paste(base: Pixels, patch: Pixels, x: number, y: number): Pixels {
  if (patch.channels !== base.channels) throw new Error('a patch must have the channels of what it is pasted into')
  const data = Buffer.from(base.data)
  const rowBytes = patch.width * patch.channels
  for (let row = 0; row < patch.height; row += 1) {
    patch.data.copy(data, ((y + row) * base.width + x) * base.channels, row * rowBytes, (row + 1) * rowBytes)
  }
  return { ...base, data }
}

/** Undefined when they have nothing in common. */
export function intersection(a: Rectangle, b: Rectangle): Rectangle | undefined {
  const x = Math.max(a.x, b.x)
  const y = Math.max(a.y, b.y)
  const width = Math.min(a.x + a.width, b.x + b.width) - x
  const height = Math.min(a.y + a.height, b.y + b.height) - y
  return width > 0 && height > 0 ? { x, y, width, height } : undefined
}

/** The smallest that holds both. */
export function union(a: Rectangle, b: Rectangle): Rectangle {
  const x = Math.min(a.x, b.x)
  const y = Math.min(a.y, b.y)
  const width = Math.max(a.x + a.width, b.x + b.width) - x
  const height = Math.max(a.y + a.height, b.y + b.height) - y
  return { x, y, width, height }
}
