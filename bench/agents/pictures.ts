/** Decoded images, and differences between them. */
import sharp from 'sharp'

export interface Picture {
  width: number
  height: number
  /** RGBA, 8 bits a channel. */
  data: Buffer
  /** 1 for a still image. */
  frames: number
}

/** The first frame of the file. */
export async function decode(bytes: Buffer): Promise<Picture> {
  const { pages = 1 } = await sharp(bytes).metadata()
  const { data, info } = await sharp(bytes)
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data, frames: pages }
}

/** Red, green, blue and alpha at a place; `x` and `y` from 0 to 1. */
export function colorAt({ width, height, data }: Picture, [x, y]: readonly [number, number]): number[] {
  const column = Math.min(width - 1, Math.floor(x * width))
  const row = Math.min(height - 1, Math.floor(y * height))
  return [...data.subarray((row * width + column) * 4, (row * width + column) * 4 + 4)]
}

/** Left, top, right and bottom from 0 to 1. */
export type Box = readonly [number, number, number, number]

/** The number of pixels that differ visibly, inside of the box and outside of it. Different sizes differ everywhere. */
export function differences(a: Picture, b: Picture, [left, top, right, bottom]: Box = [0, 0, 1, 1]) {
  const count = { inside: 0, outside: 0 }
  if (a.width !== b.width || a.height !== b.height) return { inside: a.width * a.height, outside: a.width * a.height }
  const row = a.width * 4
  for (let line = 0; line < a.height; line += 1) {
    const start = line * row
    // Most rows are equal, and this comparison is a hundred times as fast.
    if (a.data.compare(b.data, start, start + row, start, start + row) === 0) continue
    const y = line / a.height
    for (let i = start; i < start + row; i += 4) {
      if (!differs(a.data, b.data, i)) continue
      const x = (i - start) / row
      if (x >= left && x < right && y >= top && y < bottom) count.inside += 1
      else count.outside += 1
    }
  }
  return count
}

function differs(a: Buffer, b: Buffer, pixel: number): boolean {
  for (let i = pixel; i < pixel + 4; i += 1) if (Math.abs((a[i] ?? 0) - (b[i] ?? 0)) > visible) return true
  return false
}

/** Steps of a channel that the compression of a photo can cause. */
const visible = 24
