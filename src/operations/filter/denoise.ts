import Type from 'typebox'
import { bleedColors } from '../../imaging/raster/effect/bleed-colors.ts'
import { reduceNoise } from '../../imaging/raster/effect/denoise.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { blendOnto } from '../../imaging/raster/layer/overlay.ts'
import type { Pixels } from '../../imaging/types.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'

export const denoise = defineOperation({
  id: 'denoise',
  version: 1,
  title: 'Denoise',
  summary: 'Reduces camera noise and preserves edges.',
  keywords: ['noise reduction', 'remove noise', 'clean', 'smooth'],
  group: 'filter',
  inputs: { image: socket.one('The image to denoise.') },
  params: Type.Object(
    {
      luma: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.3,
        title: 'Brightness',
        description: 'Reduction of luma noise (grain); 0 for none. High values also remove fine texture.',
      }),
      chroma: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        title: 'Colour',
        description: 'Reduction of colour noise (blotches); 0 for none.',
      }),
      radius: Type.Integer({
        minimum: 1,
        maximum: 20,
        default: 4,
        title: 'Radius',
        description: 'Radius that is searched to distinguish noise from detail; doubled for colour.',
        'x-unit': 'px',
        'x-advanced': true,
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The denoised image; alpha does not change.' },
  alpha: 'kept',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'a photograph', inputs: { image: 'cat.jpg' }, params: {} },
    { name: 'strong', inputs: { image: 'cat.jpg' }, params: { luma: 1, chroma: 1 } },
    { name: 'colour only', inputs: { image: 'coffee.jpg' }, params: { luma: 0, chroma: 1 } },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { luma: 0.6 } },
  ],

  async run({ image }, { luma, chroma, radius }, context) {
    const pixels = await pixelsOf(image, context)
    const settings = { luma: luma * lumaMax, chroma: chroma * chromaMax, radius }
    if (pixels.channels === 3) return { image: imageFromPixels(await reduceNoise(pixels, settings, context)) }
    const ground = await bleedColors(pixels, radius, context)
    return { image: imageFromPixels(await withAlphaOf(pixels, await reduceNoise(ground, settings, context), context)) }
  },
})

/**
 * Standard deviation of noise, as a share of the full range: 25 levels, as from a phone at night. Chroma is filtered
 * at half size.
 */
const [lumaMax, chromaMax] = [0.1, 0.05]

function withAlphaOf(pixels: Pixels, opaque: Pixels, context: OperationContext): Promise<Pixels> {
  return blendOnto(opaque, pixels, { x: 0, y: 0, blend: 'dest-in' }, context)
}
