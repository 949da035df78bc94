/** One image where a mask is white, another where it is black. */
import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import type { MaskLevels } from '../write/request-mask.ts'

/**
 * All three must have the same size. Black areas of the mask keep every byte of `below`, white areas every byte of
 * `above`; in between, colours are mixed premultiplied.
 */
export async function blendByMask(
  below: Pixels,
  above: Pixels,
  mask: MaskLevels,
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const { width, height } = below
  const channels = below.channels === 4 || above.channels === 4 ? 4 : 3
  const data = Buffer.allocUnsafe(width * height * channels)
  await eachRow({ width: width * 2, height }, context, (y) => {
    for (let pixel = y * width; pixel < (y + 1) * width; pixel += 1) {
      const part = (mask.data[pixel] as number) / 255
      const [a, b, to] = [pixel * below.channels, pixel * above.channels, pixel * channels]
      const belowAlpha = (below.channels === 4 ? (below.data[a + 3] as number) : 255) * (1 - part)
      const aboveAlpha = (above.channels === 4 ? (above.data[b + 3] as number) : 255) * part
      const alpha = belowAlpha + aboveAlpha
      // If both are transparent, colours are kept: they are bytes of the original.
      const weight = alpha > 0 ? aboveAlpha / alpha : part
      for (let channel = 0; channel < 3; channel += 1) {
        const from = below.data[a + channel] as number
        data[to + channel] = Math.round(from + ((above.data[b + channel] as number) - from) * weight)
      }
      if (channels === 4) data[to + 3] = Math.round(alpha)
    }
  })
  return { data, width, height, channels }
}
