import type { ImageValue } from '../../types.ts'
import { parseColor } from '../color.ts'
import { solidColor } from '../draw/fill.ts'
import { type ImageContext, imageFromPixels } from '../image.ts'
import { compositeOver } from '../layer/over.ts'
import { insideSize, type Size, scaleTo } from './scaled.ts'

export interface Fit {
  size: Size
  fit: 'cover' | 'contain' | 'fill' | 'exact'
  /** A CSS colour, around contained images and behind transparent areas. */
  background: string
}

/** Fits a still image to a size, on a background if it is transparent; returns it unchanged if nothing is needed. */
export async function fitted(
  image: ImageValue,
  { size, fit, background }: Fit,
  context: ImageContext,
): Promise<ImageValue> {
  const color = parseColor(background)
  const fits = image.width === size.width && image.height === size.height
  if (fits && (color.alpha === 0 || !image.hasAlpha)) return image
  const isContained = fit === 'contain' && !fits
  const room = isContained ? insideSize(image, size) : size
  const pixels = await scaleTo(image, room, context, fit === 'cover' ? 'cover' : 'fill')
  if (!isContained && (color.alpha === 0 || pixels.channels === 3)) return imageFromPixels(pixels)
  const place = {
    ...room,
    x: Math.floor((size.width - room.width) / 2),
    y: Math.floor((size.height - room.height) / 2),
  }
  const ground = await solidColor(size.width, size.height, color, context)
  await compositeOver(ground, pixels, { x: place.x, y: place.y, opacity: 1 }, place)
  return imageFromPixels(ground)
}
