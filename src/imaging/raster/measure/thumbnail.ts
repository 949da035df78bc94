/** A picture small enough to be weighed as a whole. */
import type { ImageValue, Pixels } from '../../types.ts'
import { parseColor } from '../color.ts'
import { type ImageContext, pixelsOf, sharpOf, sharpOfSource, toPixels } from '../image.ts'

export interface ThumbnailOptions {
  width: number
  height: number
  /** inside: in the picture's own shape, never larger than it is; fill: stretched to exactly this. */
  fit: 'inside' | 'fill'
  /** What shows through where it is transparent; without one, alpha stays. */
  background?: string
}

/**
 * JPEG and WebP are decoded anew, as small as they can be: cheaper than all of their pixels, and the same whatever else uses
 * the image. Other formats have only all of them, which are decoded once for everybody.
 */
export async function thumbnailOf(
  picture: ImageValue,
  options: ThumbnailOptions,
  context: ImageContext,
): Promise<Pixels> {
  const { width, height, fit, background } = options
  const shrinks = picture.format === 'jpeg' || picture.format === 'webp'
  const small =
    shrinks && picture.encoded !== undefined
      ? await sharpOfSource(picture, context)
      : await sharpOf(await pixelsOf(picture, context))
  small.resize(width, height, { fit, withoutEnlargement: fit === 'inside' })
  if (background !== undefined) small.flatten({ background: parseColor(background) })
  return toPixels(context, small)
}
