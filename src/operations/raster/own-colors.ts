/** What is transparent has no colour: for whatever looks at the neighbours of a pixel, it is given that of its own neighbours. */
import type { OperationContext, Pixels } from '../define.ts'
import { overlayOn } from './overlay.ts'
import { sharpOf, toPixels } from './picture.ts'

/**
 * An opaque picture in which the colours run on into what was transparent, as far as a blur of `sigma` reaches: next to a
 * colour that is not there, soft edges would become dark or bright.
 */
export async function onItsOwnColors(pixels: Pixels, sigma: number, context: OperationContext): Promise<Pixels> {
  const source = await sharpOf(pixels)
  const colors = await toPixels(context, source.blur(sigma).removeAlpha())
  return overlayOn(colors, pixels, { x: 0, y: 0 }, context)
}
