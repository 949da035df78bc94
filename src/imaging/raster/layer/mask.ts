/** Multiplies the alpha of an image by a mask. */
import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'

export interface MaskSettings {
  /** luminance: brightness of the mask multiplied by its alpha; alpha: only its alpha. */
  by: 'luminance' | 'alpha'
  invert: boolean
}

/** Both must have the same size. With `alpha`, an opaque mask hides nothing. */
export async function multiplyAlpha(
  image: Pixels,
  mask: Pixels,
  { by, invert }: MaskSettings,
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const { width, height } = image
  const data = Buffer.allocUnsafe(width * height * 4)
  const [from, show] = [image.data, mask.data]
  await eachRow(image, context, (y) => {
    const start = y * width
    for (let pixel = start, to = start * 4; pixel < start + width; pixel += 1, to += 4) {
      const fromAt = pixel * image.channels
      const other = pixel * mask.channels
      const alpha = mask.channels === 4 ? (show[other + 3] as number) : 255
      const shown = by === 'alpha' ? alpha : (lumaOf(show, other) * alpha) / 255
      const below = image.channels === 4 ? (from[fromAt + 3] as number) : 255
      data[to] = from[fromAt] as number
      data[to + 1] = from[fromAt + 1] as number
      data[to + 2] = from[fromAt + 2] as number
      data[to + 3] = (below * (invert ? 255 - shown : shown)) / 255 + 0.5
    }
  })
  return { data, width, height, channels: 4 }
}

/**
 * CSS Masking 1, 7.10.1, with the weights of `luminanceToAlpha`, rounded to those of Rec. 709; on stored sRGB values.
 */
function lumaOf(data: Buffer, at: number): number {
  return 0.2126 * (data[at] as number) + 0.7152 * (data[at + 1] as number) + 0.0722 * (data[at + 2] as number)
}
