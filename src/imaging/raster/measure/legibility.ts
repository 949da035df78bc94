/** Readability of text of a colour on an image. */
import { failure } from '../../../errors.ts'
import type { ImageValue } from '../../types.ts'
import { parseColor } from '../color.ts'
import { type ImageContext, pixelsOf, sharpOf, toPixels } from '../image.ts'
import { cut, type Rectangle } from '../region.ts'
import { contrastRatio } from '../tone/oklab.ts'

/** Text covers areas instead of single pixels, so the area is measured at this many pixels per side. */
const patches = 24

/**
 * The contrast (WCAG 2.2, 1 to 21) of the worst tenth of the area: the worst part decides readability. Transparent
 * parts count as white.
 */
export async function legibilityOf(
  image: ImageValue,
  { color, box }: { color: string; box?: Rectangle },
  context: ImageContext,
): Promise<number> {
  if (box && (box.x + box.width > image.width || box.y + box.height > image.height)) {
    throw failure(
      'input_invalid',
      `The box of ${box.width} x ${box.height} at ${box.x}, ${box.y} extends beyond the image, which is ${image.width} x ${image.height}.`,
    )
  }
  const whole = await pixelsOf(image, context)
  const place = await sharpOf(box ? await cut(whole, box, context) : whole)
  const small = place.resize(patches, patches, { fit: 'fill' }).flatten({ background: 'white' })
  const { data } = await toPixels(context, small)
  const text = parseColor(color)
  const contrasts: number[] = []
  for (let at = 0; at < data.length; at += 3) {
    contrasts.push(contrastRatio([text.r, text.g, text.b], [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0]))
  }
  contrasts.sort((a, b) => a - b)
  return contrasts[Math.floor(contrasts.length / 10)] ?? 1
}
