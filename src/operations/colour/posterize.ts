import Type from 'typebox'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { ditherTo } from '../../imaging/raster/tone/dither.ts'
import { applyTables, tableOf } from '../../imaging/raster/tone/table.ts'
import { defineOperation, socket } from '../define.ts'

export const posterize = defineOperation({
  id: 'posterize',
  version: 1,
  title: 'Posterize',
  summary: 'Reduces each channel to a few levels, for a poster effect.',
  keywords: ['reduce colors', 'quantize', 'dither', 'retro'],
  group: 'colour',
  inputs: { image: socket.one('The image to posterize.') },
  params: Type.Object(
    {
      levels: Type.Integer({
        minimum: 2,
        maximum: 64,
        default: 4,
        title: 'Levels',
        description: 'Number of levels of red, green and blue, spread evenly from 0 to 255.',
      }),
      dither: Type.Boolean({
        default: false,
        title: 'Dither',
        description: 'Dither the levels (Floyd-Steinberg), which simulates tones in between instead of hard edges.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The image with few levels; transparency does not change.' },
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
