import Type from 'typebox'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { equalizeLuma, equalizeTiles } from '../../imaging/raster/tone/equalize.ts'
import { mixed } from '../../imaging/raster/tone/table.ts'
import { defineOperation, socket } from '../define.ts'

export const equalize = defineOperation({
  id: 'equalize',
  version: 1,
  title: 'Equalize',
  summary: 'Equalizes the histogram to bring out detail, for the entire image or locally (CLAHE).',
  keywords: ['local contrast', 'contrast', 'clahe', 'haze'],
  group: 'colour',
  inputs: { image: socket.one('The image to equalize.') },
  params: Type.Object(
    {
      clip: Type.Optional(
        Type.Number({
          minimum: 1,
          maximum: 40,
          title: 'Clip',
          description:
            'Contrast limit of local equalization (CLAHE): 1 is unchanged, 2 to 4 is clear, 40 is almost unlimited. Default: the entire image as one area.',
        }),
      ),
      tiles: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 32,
          title: 'Tiles',
          description: 'Number of tiles per side, with `clip`. Default: 8.',
        }),
      ),
      amount: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 1,
        title: 'Amount',
        description: 'Strength: 0 is unchanged, 1 is full.',
      }),
    },
    { additionalProperties: false, dependentRequired: { tiles: ['clip'] } },
  ),
  outputs: { image: 'The equalized image; hues and transparency do not change.' },
  alpha: 'kept',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'the whole image', inputs: { image: 'coffee.jpg' }, params: {} },
    { name: 'in part', inputs: { image: 'cat.jpg' }, params: { amount: 0.5 } },
    { name: 'place by place', inputs: { image: 'coffee.jpg' }, params: { clip: 2.5, tiles: 4 } },
    { name: 'place by place, strong', inputs: { image: 'cat.jpg' }, params: { clip: 6 } },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { clip: 2, tiles: 4 } },
  ],

  async run({ image }, { clip, tiles = 8, amount }, context) {
    const pixels = await pixelsOf(image, context)
    const spread =
      clip === undefined ? await equalizeLuma(pixels, context) : await equalizeTiles(pixels, { clip, tiles }, context)
    return { image: imageFromPixels(await mixed(pixels, spread, amount, context)) }
  },
})
