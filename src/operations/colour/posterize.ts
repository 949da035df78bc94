import Type from 'typebox'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { ditherTo } from '../../imaging/raster/tone/dither.ts'
import { applyTables, tableOf } from '../../imaging/raster/tone/table.ts'
import { defineOperation, socket } from '../define.ts'

export const posterize = defineOperation({
  id: 'posterize',
  version: 1,
  title: 'Posterize',
  summary: 'Leaves a few levels of each channel, as a printed poster has.',
  group: 'colour',
  inputs: { image: socket.one('The image to reduce.') },
  params: Type.Object(
    {
      levels: Type.Integer({
        minimum: 2,
        maximum: 64,
        default: 4,
        title: 'Levels',
        description: 'How many values each of red, green and blue has, evenly from 0 to 255.',
      }),
      dither: Type.Boolean({
        default: false,
        title: 'Dither',
        description:
          'Mixes the levels in a fine pattern, so that tones in between are seen (Floyd-Steinberg), in place of hard edges.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The image with few levels; what was transparent stays so.' },
  alpha: 'kept',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'poster', inputs: { image: 'coffee.jpg' }, params: {} },
    { name: 'dithered', inputs: { image: 'coffee.jpg' }, params: { dither: true } },
    { name: 'eight colours', inputs: { image: 'cat.jpg' }, params: { levels: 2, dither: true } },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { levels: 3 } },
  ],

  async run({ image }, { levels, dither }, context) {
    const pixels = await pixelsOf(image, context)
    const table = tableOf((value) => Math.round(value * (levels - 1)) / (levels - 1))
    if (dither) return { image: imageFromPixels(await ditherTo(pixels, table, context)) }
    return { image: imageFromPixels(await applyTables(pixels, [table, table, table], context)) }
  },
})
