import Type from 'typebox'
import { failure } from '../../errors.ts'
import { imageFromPixels, pixelsOf, sharpOf, toPixels } from '../../imaging/raster/image.ts'
import { multiplyAlpha } from '../../imaging/raster/layer/mask.ts'
import type { ImageValue, Pixels } from '../../imaging/types.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'

export const mask = defineOperation({
  id: 'mask',
  version: 1,
  title: 'Mask',
  summary: 'Shows the image only where another one, the mask, is bright or opaque.',
  group: 'combine',
  inputs: {
    image: socket.one('The image to show in part.'),
    mask: socket.one('Where it is white (or opaque) the image is seen, where it is black (or transparent) it is not.'),
  },
  params: Type.Object(
    {
      by: Type.Enum(['luminance', 'alpha'], {
        default: 'luminance',
        title: 'By',
        description: 'What of the mask counts. luminance: how bright it is, times its alpha; alpha: its alpha alone.',
      }),
      invert: Type.Boolean({
        default: false,
        title: 'Invert',
        description: 'Hides what would be shown, and shows what would be hidden.',
      }),
      fit: Type.Enum(['fill', 'cover', 'exact'], {
        default: 'fill',
        title: 'Fit',
        description:
          'What is done with a mask of another size. fill: it is stretched; cover: it is scaled and what is too much is cut, evenly; exact: it is refused.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The image, with its own transparency and that of the mask.' },
  alpha: 'made',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'by alpha', inputs: { image: 'coffee.jpg', mask: 'badge.png' }, params: { by: 'alpha', fit: 'cover' } },
    { name: 'by luminance', inputs: { image: 'coffee.jpg', mask: 'cat.jpg' }, params: {} },
    {
      name: 'a hole',
      inputs: { image: 'coffee.jpg', mask: 'badge.png' },
      params: { by: 'alpha', fit: 'cover', invert: true },
    },
    { name: 'on alpha', inputs: { image: 'badge.png', mask: 'cat.jpg' }, params: { fit: 'cover' } },
  ],

  async run({ image, mask }, { by, invert, fit }, context) {
    if (fit === 'exact' && (mask.width !== image.width || mask.height !== image.height)) {
      throw failure(
        'input_invalid',
        `The mask is ${mask.width} x ${mask.height} and the image ${image.width} x ${image.height}; with \`fit: exact\` both have the same size.`,
      )
    }
    const source = await pixelsOf(image, context)
    const sized = await maskFor(source, mask, fit === 'cover' ? 'cover' : 'fill', context)
    return { image: imageFromPixels(await multiplyAlpha(source, sized, { by, invert }, context)) }
  },
})

async function maskFor(
  { width, height }: Pixels,
  mask: ImageValue,
  fit: 'fill' | 'cover',
  context: OperationContext,
): Promise<Pixels> {
  const pixels = await pixelsOf(mask, context)
  if (pixels.width === width && pixels.height === height) return pixels
  return toPixels(context, (await sharpOf(pixels)).resize(width, height, { fit }))
}
