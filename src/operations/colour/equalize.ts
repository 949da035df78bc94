import Type from 'typebox'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { equalizeLuma, equalizeTiles } from '../../imaging/raster/tone/equalize.ts'
import { mixed } from '../../imaging/raster/tone/table.ts'
import { defineOperation, socket } from '../define.ts'

export const equalize = defineOperation({
  id: 'equalize',
  version: 1,
  title: 'Equalize',
  summary: 'Spreads brightness evenly, so that everything in the image is told apart; if wished, place by place.',
  group: 'colour',
  inputs: { image: socket.one('The image to spread.') },
  params: Type.Object(
    {
      clip: Type.Optional(
        Type.Number({
          minimum: 1,
          maximum: 40,
          title: 'Clip',
          description:
            'Spreads place by place (CLAHE), and this limits how strongly: 1 unchanged, 2 to 4 clear, 40 all but without limit. Default: the whole image alike.',
        }),
      ),
      tiles: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 32,
          title: 'Tiles',
          description: 'With `clip`: in how many places the image is parted, along each side. Default: 8.',
        }),
      ),
      amount: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 1,
        title: 'Amount',
        description: 'How far: 0 unchanged, 1 all of it.',
      }),
    },
    { additionalProperties: false, dependentRequired: { tiles: ['clip'] } },
  ),
  outputs: { image: 'The image with its brightness spread, in its own hues; what was transparent stays so.' },
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
