/** What of a picture is worth keeping, when something must go. */
import type { Pixels } from '../../types.ts'
import { cropRegionOf, type ImageContext, sharpOf } from '../image.ts'
import type { Point } from '../shape/quad.ts'
import type { Size } from '../shape/scaled.ts'

/**
 * The left upper corner of the part to keep, of a size that fits in. A strategy of another kind (faces, from a model) is
 * one more entry, and another name for the param.
 */
export type Strategy = (pixels: Pixels, part: Size, context: ImageContext) => Promise<Point>

export const strategyNames = ['attention', 'entropy'] as const
export type StrategyName = (typeof strategyNames)[number]

export const strategies: Record<StrategyName, Strategy> = {
  /** Bright colours, tones of skin, and detail: `vips_smartcrop`. */
  attention: (pixels, part, context) => bySharp('attention', pixels, part, context),
  /** Shannon's, of the levels: the busiest part. */
  entropy: (pixels, part, context) => bySharp('entropy', pixels, part, context),
}

/** The part with the point as near to its middle as the edges let it be. */
export function partAround(point: Point, { width, height }: Size, part: Size): Point {
  const x = Math.round(point.x - part.width / 2)
  const y = Math.round(point.y - part.height / 2)
  return { x: Math.min(Math.max(x, 0), width - part.width), y: Math.min(Math.max(y, 0), height - part.height) }
}

async function bySharp(position: StrategyName, pixels: Pixels, part: Size, context: ImageContext): Promise<Point> {
  if (pixels.width === part.width && pixels.height === part.height) return { x: 0, y: 0 }
  const image = (await sharpOf(pixels)).resize(part.width, part.height, { fit: 'cover', position })
  const { left, top } = await cropRegionOf(image, context)
  return { x: left, y: top }
}
