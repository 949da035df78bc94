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
  summary: 'Smooths the noise of a camera and keeps edges.',
  group: 'filter',
  inputs: { image: socket.one('The image to smooth.') },
  params: Type.Object(
    {
      luma: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.3,
        title: 'Brightness',
        description:
          'How much noise of brightness, the grain, is taken away; 0: none. Much of it takes fine texture too.',
      }),
      chroma: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0.5,
        title: 'Colour',
        description: 'How much noise of colour, the blotches, is taken away; 0: none.',
      }),
      radius: Type.Integer({
        minimum: 1,
        maximum: 20,
        default: 4,
        title: 'Radius',
        description: 'How far around a pixel is looked to tell noise from what is there; twice as far for colour.',
        'x-unit': 'px',
        'x-advanced': true,
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The smooth image; alpha is left as it is.' },
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

/** Deviations of noise, of the whole range: 25 levels, as of a telephone at night. Chroma is found at half of the size. */
const [lumaMax, chromaMax] = [0.1, 0.05]

function withAlphaOf(pixels: Pixels, opaque: Pixels, context: OperationContext): Promise<Pixels> {
  return blendOnto(opaque, pixels, { x: 0, y: 0, blend: 'dest-in' }, context)
}
