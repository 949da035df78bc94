import type { Pixels } from '../../types.ts'
import { alphaByte, type Color } from '../color.ts'
import type { JobContext } from '../jobs.ts'
import { eachBand } from '../rows.ts'

/** An image of one colour. By default it has 3 channels if the colour is opaque. */
export async function solidColor(
  width: number,
  height: number,
  color: Color,
  context: Pick<JobContext, 'signal'>,
  channels: 3 | 4 = color.alpha < 1 ? 4 : 3,
): Promise<Pixels> {
  const pixel = Buffer.from([color.r, color.g, color.b, alphaByte(color)].slice(0, channels))
  const rowBytes = width * channels
  const data = Buffer.allocUnsafe(rowBytes * height)
  await eachBand({ width, height }, context, (top, bottom) => {
    data.fill(pixel, top * rowBytes, bottom * rowBytes)
  })
  return { data, width, height, channels }
}
