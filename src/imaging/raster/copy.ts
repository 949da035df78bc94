import type { Pixels } from '../types.ts'
import type { JobContext } from './jobs.ts'
import { eachBand } from './rows.ts'

/**
 * A copy of the bytes that the caller may change. Copied in parts: one allocation of 100 megabytes would block
 * others.
 */
export async function copyPixels(pixels: Pixels, context: Pick<JobContext, 'signal'>): Promise<Buffer> {
  const { data: from, width, channels } = pixels
  const data = Buffer.allocUnsafe(from.length)
  const rowBytes = width * channels
  await eachBand(pixels, context, (top, bottom) => {
    from.copy(data, top * rowBytes, top * rowBytes, bottom * rowBytes)
  })
  return data
}
