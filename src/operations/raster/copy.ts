import type { Pixels } from '../define.ts'
import type { JobContext } from './jobs.ts'
import { eachRow } from './rows.ts'

/** The bytes of a picture, to be changed. In parts: new memory for 100 megabytes at once would hold up everybody else. */
export async function copyOf(pixels: Pixels, context: Pick<JobContext, 'signal'>): Promise<Buffer> {
  const { data: from, width, channels } = pixels
  const data = Buffer.allocUnsafe(from.length)
  const rowBytes = width * channels
  await eachRow(pixels, context, (y) => {
    from.copy(data, y * rowBytes, y * rowBytes, (y + 1) * rowBytes)
  })
  return data
}
