/** Finds the region of an image to keep when cropping. */
import type { Pixels } from '../../types.ts'
import { cropRegionOf, type ImageContext, sharpOf } from '../image.ts'
import type { Point } from '../shape/quad.ts'
import type { Size } from '../shape/scaled.ts'

/**
 * Returns the top left corner of the region. To add another kind (such as faces, from a model), add an entry and a
 * value of the param.
 */
export type Strategy = (pixels: Pixels, part: Size, context: ImageContext) => Promise<Point>

export const strategyNames = ['attention', 'entropy'] as const
export type StrategyName = (typeof strategyNames)[number]

export const strategies: Record<StrategyName, Strategy> = {
  /** Bright colours, skin tones and detail: `vips_smartcrop`. */
  attention: (pixels, part, context) => bySharp('attention', pixels, part, context),
  /** Shannon entropy of the levels: the area with the most detail. */
  entropy: (pixels, part, context) => bySharp('entropy', pixels, part, context),
}

/** Centres the region on the point, as far as the edges allow. */
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
