/** A picture small enough to be weighed as a whole. */
import type { Picture, Pixels } from '../define.ts'
import { parseColor } from './color.ts'
import { type ImageContext, pixelsOf, sharpOf, sharpOfEncoded, toPixels } from './picture.ts'

export interface ThumbnailOptions {
  width: number
  height: number
  /** inside: in the picture's own shape, never larger than it is; fill: stretched to exactly this. */
  fit: 'inside' | 'fill'
  /** What shows through where it is transparent; without one, alpha stays. */
  background?: string
}

/**
 * An encoded image is decoded anew, as small as its format can, as `resize` does: cheaper than all of its pixels, and the
 * same whatever else uses the image.
 */
export async function thumbnailOf(picture: Picture, options: ThumbnailOptions, context: ImageContext): Promise<Pixels> {
  const { width, height, fit, background } = options
  const small =
    picture.encoded === undefined || picture.format === 'svg'
      ? await sharpOf(await pixelsOf(picture, context))
      : await sharpOfEncoded(picture.encoded, context)
  small.resize(width, height, { fit, withoutEnlargement: fit === 'inside' })
  if (background !== undefined) small.flatten({ background: parseColor(background) })
  return toPixels(context, small)
}
