import Type from 'typebox'
import { parseColor } from '../../imaging/raster/color.ts'
import { compositeWithShade, shadeAtop } from '../../imaging/raster/effect/composite-shade.ts'
import { byDistance, clamp, type Profile } from '../../imaging/raster/effect/distance.ts'
import { nothing, plain, type Shade } from '../../imaging/raster/effect/shade.ts'
import { frameOf, grown, silhouetteOf } from '../../imaging/raster/effect/silhouette.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import type { Pixels } from '../../imaging/types.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'
import { color } from '../shared/params.ts'

export const outline = defineOperation({
  id: 'outline',
  version: 1,
  title: 'Outline',
  summary: 'Draws a line around the shape of the image, like the border of a sticker.',
  keywords: ['border', 'stroke', 'sticker', 'contour', 'frame'],
  group: 'filter',
  inputs: { image: socket.one('The image to outline: the shape of its alpha, or a rectangle if it is opaque.') },
  params: Type.Object(
    {
      width: Type.Number({
        minimum: 0.5,
        maximum: 200,
        default: 4,
        title: 'Width',
        description: 'Width of the line.',
        'x-unit': 'px',
      }),
      color: color({ default: 'white', title: 'Colour', description: 'Colour of the line; can be translucent.' }),
      position: Type.Enum(['outside', 'center', 'inside'], {
        default: 'outside',
        title: 'Position',
        description:
          'Position of the line. outside: behind the image, which grows on every side; center: centred on the contour, over the image; inside: over the image, which keeps its size.',
      }),
      soft: Type.Number({
        minimum: 0,
        maximum: 200,
        default: 0,
        title: 'Soft',
        description:
          'Distance over which the edge of the line fades, half of it inside the width. 0 is a smooth, hard edge.',
        'x-unit': 'px',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The image with the outline. The contour is at half of the maximum alpha.' },
  alpha: 'made',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'a sticker', inputs: { image: 'mark.svg' }, params: { width: 6, color: '#212529' } },
    { name: 'inside', inputs: { image: 'mark.svg' }, params: { width: 8, color: '#ffd43b', position: 'inside' } },
    {
      name: 'on the contour',
      inputs: { image: 'badge.png' },
      params: { width: 5, color: 'white', position: 'center' },
    },
    { name: 'soft', inputs: { image: 'mark.svg' }, params: { width: 8, color: '#e64980', soft: 12 } },
    { name: 'a photograph', inputs: { image: 'cat.jpg' }, params: { width: 10, color: '#364fc7' } },
  ],

  async run({ image }, { width, color, position, soft }, context) {
    const out = position === 'outside' ? width : width / 2
    const canvas = position === 'inside' ? frameOf(image) : grown(frameOf(image), Math.ceil(out + soft / 2))
    checkSize(canvas.width, canvas.height, context.pixelsMax)
    const pixels = await pixelsOf(image, context)
    const ink = parseColor(color)
    const reach = (position === 'center' ? width / 2 : width) + soft / 2 + 2
    const line = await lineOf(pixels, reach, profiles[position](width, soft), context)
    if (position === 'inside') {
      return { image: imageFromPixels(await shadeAtop(pixels, line, { color: ink, inverted: false }, context)) }
    }
    const order = position === 'outside' ? 'below' : 'over'
    return { image: imageFromPixels(await compositeWithShade(pixels, line, { canvas, color: ink, order }, context)) }
  },
})

async function lineOf(pixels: Pixels, reach: number, profile: Profile, context: OperationContext): Promise<Shade> {
  const silhouette = await silhouetteOf(pixels, context)
  return silhouette ? plain(await byDistance(silhouette, reach, profile, context)) : nothing
}

/** Coverage of the line at a distance from the contour. */
const profiles: Record<'outside' | 'center' | 'inside', (width: number, soft: number) => Profile> = {
  // The line continues below the image to prevent a gap, but not below all of a translucent image.
  outside: (width, soft) => (distance) => Math.min(fading(distance - width, soft), clamp(distance + 2)),
  center: (width, soft) => (distance) => fading(Math.abs(distance) - width / 2, soft),
  inside: (width, soft) => (distance) => fading(-distance - width, soft),
}

/** Falls from 1 to 0 around the end of the line: anti-aliased within one pixel, a smooth step over more. */
function fading(beyond: number, soft: number): number {
  const share = clamp(0.5 - beyond / Math.max(1, soft))
  return soft > 1 ? share * share * (3 - 2 * share) : share
}
