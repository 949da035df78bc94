/**
 * Conversion between straight and premultiplied alpha, for code that compares or ranks pixels. libvips converts by
 * itself where it mixes them.
 */
import type { Pixels } from '../types.ts'
import type { JobContext } from './jobs.ts'
import { eachRow } from './rows.ts'

export async function premultiply(pixels: Pixels, context: Pick<JobContext, 'signal'>): Promise<Pixels> {
  return eachColor(pixels, context, (value, alpha) => (value * alpha) / 255)
}

export async function unpremultiply(pixels: Pixels, context: Pick<JobContext, 'signal'>): Promise<Pixels> {
  return eachColor(pixels, context, (value, alpha) => (alpha === 0 ? 0 : (value * 255) / alpha))
}

async function eachColor(
  pixels: Pixels,
  context: Pick<JobContext, 'signal'>,
  change: (value: number, alpha: number) => number,
): Promise<Pixels> {
  const { data: from, width, channels } = pixels
  if (channels === 3) return pixels
  // All combinations: 256 alphas with 256 values.
  const table = Uint8ClampedArray.from({ length: 65_536 }, (_, at) => change(at & 255, at >> 8))
  const data = Buffer.allocUnsafe(from.length)
  await eachRow(pixels, context, (y) => {
    for (let at = y * width * 4; at < (y + 1) * width * 4; at += 4) {
      const alpha = from[at + 3] as number
      const row = alpha << 8
      data[at] = table[row | (from[at] as number)] as number
      data[at + 1] = table[row | (from[at + 1] as number)] as number
      data[at + 2] = table[row | (from[at + 2] as number)] as number
      data[at + 3] = alpha
    }
  })
  return { ...pixels, data }
}
