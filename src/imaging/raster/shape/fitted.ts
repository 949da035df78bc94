import type { ImageValue } from '../../types.ts'
import { parseColor } from '../color.ts'
import { solidColor } from '../draw/fill.ts'
import { type ImageContext, imageFromPixels } from '../image.ts'
import { compositeOver } from '../layer/over.ts'
import { insideSize, type Size, scaleTo } from './scaled.ts'

export interface Fit {
  size: Size
  fit: 'cover' | 'contain' | 'fill' | 'exact'
  /** As CSS has it; seen around what is contained, and through what is transparent. */
  background: string
}

/** A still picture in a size, on a ground where it lets something through; what needs nothing is given as it is. */
export async function fitted(
  picture: ImageValue,
  { size, fit, background }: Fit,
  context: ImageContext,
): Promise<ImageValue> {
  const color = parseColor(background)
  const fits = picture.width === size.width && picture.height === size.height
  if (fits && (color.alpha === 0 || !picture.hasAlpha)) return picture
  const isContained = fit === 'contain' && !fits
  const room = isContained ? insideSize(picture, size) : size
  const pixels = await scaleTo(picture, room, context, fit === 'cover' ? 'cover' : 'fill')
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
