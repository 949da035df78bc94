import type { Pixels } from '../types.ts'
import { copyPixels } from './copy.ts'
import type { JobContext } from './jobs.ts'
import { eachRow } from './rows.ts'

/** A copy with 4 channels that the caller may change. */
export async function toRgba(pixels: Pixels, context: Pick<JobContext, 'signal'>): Promise<Pixels> {
  const { width, height, channels } = pixels
  if (channels === 4) return { ...pixels, data: await copyPixels(pixels, context) }
  const copy: Pixels = { data: Buffer.allocUnsafe(width * height * 4), width, height, channels: 4 }
  await eachRow(pixels, context, (y) => copyRowAsRgba(pixels, y, copy.data, y * width * 4))
  return copy
}

/** Copies row `y` with 4 channels to the offset `at`. */
export function copyRowAsRgba({ data, width, channels }: Pixels, y: number, to: Buffer, at: number): void {
  const start = y * width * channels
  if (channels === 4) {
    data.copy(to, at, start, start + width * 4)
    return
  }
  for (let from = start, t = at; from < start + width * 3; from += 3, t += 4) {
    to[t] = data[from] as number
    to[t + 1] = data[from + 1] as number
    to[t + 2] = data[from + 2] as number
    to[t + 3] = 255
  }
}

/** Whether any pixel is not opaque. */
export function isTransparent({ data, channels }: Pixels): boolean {
  if (channels === 3) return false
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return true
  return false
}
