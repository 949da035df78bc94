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
  summary: 'Shows the image only where another image, the mask, is bright or opaque.',
  keywords: ['clip', 'clipping', 'cut out', 'alpha', 'transparency', 'stencil', 'letters', 'knockout'],
  group: 'combine',
  inputs: {
    image: socket.one('The image to mask.'),
    mask: socket.mask('White (or opaque) areas show the image, black (or transparent) areas hide it.'),
  },
  params: Type.Object(
    {
      by: Type.Enum(['luminance', 'alpha'], {
        default: 'luminance',
        title: 'By',
        description: 'Mask values. luminance: brightness multiplied by alpha; alpha: only alpha.',
      }),
      invert: Type.Boolean({
        default: false,
        title: 'Invert',
        description: 'Swap visible and hidden areas.',
      }),
      fit: Type.Enum(['fill', 'cover', 'exact'], {
        default: 'fill',
        title: 'Fit',
        description: 'How to fit a mask of another size. fill: stretch; cover: scale and crop evenly; exact: reject.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The image, with its transparency multiplied by the mask.' },
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
        `The mask is ${mask.width} x ${mask.height} and the image is ${image.width} x ${image.height}. With \`fit: exact\`, both must have the same size. Resize one of them first, or set another "fit".`,
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
