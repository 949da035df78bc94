/** The shadow of a text: its position, and the part of the text that casts it. */

import { parseColor } from '../raster/color.ts'
import { reachOf } from '../raster/effect/box-blur.ts'
import { shadeOver } from '../raster/effect/composite-shade.ts'
import { blurred } from '../raster/effect/shade.ts'
import { frameOf, grown, type Silhouette } from '../raster/effect/silhouette.ts'
import type { JobContext } from '../raster/jobs.ts'
import { intersection, type Rectangle } from '../raster/region.ts'
import type { Pixels } from '../types.ts'
import type { TextStyle } from './text-style.ts'

type Shadow = NonNullable<TextStyle['shadow']>

/** CSS Backgrounds and Borders 3, 6.1.1: the standard deviation is half of the blur radius. */
const sigmaOf = ({ blur }: Shadow) => blur / 2

/** The distance that a shadow extends beyond its source; negative if it lies behind it. */
export function shadowReach(shadow: Shadow | undefined): Record<'left' | 'right' | 'top' | 'bottom', number> {
  if (shadow === undefined) return { left: 0, right: 0, top: 0, bottom: 0 }
  const { x, y } = shadow
  const far = reachOf(sigmaOf(shadow))
  return { left: far - x, right: far + x, top: far - y, bottom: far + y }
}

/** The part of a text that casts a shadow on an image of this size. */
export function thrower(ink: Rectangle, shadow: Shadow, target: Pixels): Rectangle | undefined {
  const behind = { ...frameOf(target), x: -shadow.x, y: -shadow.y }
  return intersection(ink, grown(behind, reachOf(sigmaOf(shadow))))
}

/** Changes `target` in place; it must have no other readers. */
export async function drawShadow(
  target: Pixels,
  ink: Silhouette,
  shadow: Shadow,
  context: Pick<JobContext, 'signal'>,
): Promise<void> {
  const shade = blurred({ ...ink, x: ink.x + shadow.x, y: ink.y + shadow.y }, sigmaOf(shadow))
  await shadeOver(target, shade, parseColor(shadow.color), context)
}
