/** A copy of an image that is small enough for whole-image measurements. */
import type { ImageValue, Pixels } from '../../types.ts'
import { parseColor } from '../color.ts'
import { type ImageContext, pixelsOf, sharpOf, sharpOfSource, toPixels } from '../image.ts'

export interface ThumbnailOptions {
  width: number
  height: number
  /** inside: keeps the aspect ratio and never enlarges; fill: stretches to exactly this size. */
  fit: 'inside' | 'fill'
  /** Background for transparent areas; without it, alpha is kept. */
  background?: string
}

/**
 * JPEG and WebP are decoded again at the smallest possible size: cheaper than all pixels, and the same result whoever
 * else uses the image. Other formats decode all pixels, once for all readers.
 */
export async function thumbnailOf(
  image: ImageValue,
  options: ThumbnailOptions,
  context: ImageContext,
): Promise<Pixels> {
  const { width, height, fit, background } = options
  const shrinks = image.format === 'jpeg' || image.format === 'webp'
  const small =
    shrinks && image.encoded !== undefined
      ? await sharpOfSource(image, context)
      : await sharpOf(await pixelsOf(image, context))
  small.resize(width, height, { fit, withoutEnlargement: fit === 'inside' })
  if (background !== undefined) small.flatten({ background: parseColor(background) })
  return toPixels(context, small)
}
