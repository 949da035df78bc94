/** Dithering: a few levels look like many, because neighbours compensate for the error of each pixel. */
import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import type { Table } from './table.ts'

/**
 * Applies the table of its levels to every channel with error diffusion: Floyd and Steinberg, An adaptive algorithm
 * for spatial grey scale (Proc. SID 17, 1976), in alternating directions, which avoids diagonal artefacts.
 * Transparent pixels neither receive nor pass on an error; alpha does not change.
 */
export async function ditherTo(pixels: Pixels, table: Table, context: Pick<JobContext, 'signal'>): Promise<Pixels> {
  const { data: from, width, channels } = pixels
  const data = Buffer.from(from)
  // Errors in sixteenths, of this row and the next, with one more pixel at both ends.
  let [here, below] = [new Int32Array((width + 2) * 3), new Int32Array((width + 2) * 3)]
  await eachRow(pixels, context, (y) => {
    const step = y % 2 === 0 ? 1 : -1
    for (let i = 0, x = step > 0 ? 0 : width - 1; i < width; i += 1, x += step) {
      const at = (y * width + x) * channels
      if (channels === 4 && data[at + 3] === 0) continue
      for (let channel = 0; channel < 3; channel += 1) {
        const slot = (x + 1) * 3 + channel
        const wanted = (from[at + channel] as number) + (((here[slot] as number) + 8) >> 4)
        const value = table[Math.max(0, Math.min(255, wanted))] as number
        data[at + channel] = value
        const error = wanted - value
        const [ahead, behind] = [slot + 3 * step, slot - 3 * step]
        here[ahead] = (here[ahead] as number) + error * 7
        below[behind] = (below[behind] as number) + error * 3
        below[slot] = (below[slot] as number) + error * 5
        below[ahead] = (below[ahead] as number) + error
      }
    }
    ;[here, below] = [below, here.fill(0)]
  })
  return { ...pixels, data }
}
