import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'

/**
 * Mixes `amount` (0 to 1) of `b` with `a`; both have the same size. Premultiplied, so that transparent areas do not
 * darken the result.
 */
export async function crossfade(
  a: Pixels,
  b: Pixels,
  amount: number,
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const { width, height } = a
  const channels = a.channels === 4 || b.channels === 4 ? 4 : 3
  const data = Buffer.allocUnsafe(width * height * channels)
  await eachRow(a, context, (y) => {
    let [from, other, to] = [y * width * a.channels, y * width * b.channels, y * width * channels]
    for (let x = 0; x < width; x += 1, from += a.channels, other += b.channels, to += channels) {
      const alphaOfA = (1 - amount) * (a.channels === 4 ? (a.data[from + 3] as number) : 255)
      const alphaOfB = amount * (b.channels === 4 ? (b.data[other + 3] as number) : 255)
      const alpha = alphaOfA + alphaOfB
      const share = alpha === 0 ? 0 : alphaOfB / alpha
      for (let channel = 0; channel < 3; channel += 1) {
        const value = a.data[from + channel] as number
        data[to + channel] = value + ((b.data[other + channel] as number) - value) * share + 0.5
      }
      if (channels === 4) data[to + 3] = alpha + 0.5
    }
  })
  return { data, width, height, channels }
}
