/** An image at another size, from its bytes if it has any. */
import type { ImageValue, Pixels } from '../../types.ts'
import { type ImageContext, pixelsOf, sharpOfSource, toPixels } from '../image.ts'
import { checkSize } from '../size.ts'
import { enlargeToAtLeast } from './enlarge.ts'

export interface Size {
  width: number
  height: number
}

/**
 * fill: stretch; cover: scale and crop evenly; outside: scale without cropping. Encoded images are decoded no larger
 * than their format requires, and drawings are rendered at the new size. Pixels of the same size are returned as they
 * are: the caller must not change them.
 */
export async function scaleTo(
  image: ImageValue,
  { width, height }: Size,
  context: ImageContext,
  fit: 'fill' | 'cover' | 'outside' = 'fill',
): Promise<Pixels> {
  if (image.width === width && image.height === height) return pixelsOf(image, context)
  const covering = coveringSize(image, { width, height })
  if (fit !== 'fill') checkSize(covering.width, covering.height, context.pixelsMax)
  const source = await sharpOfSource(
    await enlargeToAtLeast(image, fit === 'fill' ? { width, height } : covering, 'cubic', context),
    context,
  )
  return toPixels(context, source.resize(width, height, { fit }))
}

/** The largest size with the same aspect ratio that fits inside; each side is at least one pixel. */
export function insideSize(size: Size, room: Size): Size {
  return times(size, Math.min(room.width / size.width, room.height / size.height))
}

/** The smallest size with the same aspect ratio that covers the area. */
export function coveringSize(size: Size, room: Size): Size {
  const { width, height } = times(size, Math.max(room.width / size.width, room.height / size.height))
  return { width: Math.max(width, room.width), height: Math.max(height, room.height) }
}

export function times({ width, height }: Size, factor: number): Size {
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) }
}
