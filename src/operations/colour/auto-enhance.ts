import Type from 'typebox'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { enhancePixels } from '../../imaging/raster/tone/enhance.ts'
import { mixed } from '../../imaging/raster/tone/table.ts'
import { defineOperation, socket } from '../define.ts'

export const autoEnhance = defineOperation({
  id: 'auto-enhance',
  version: 1,
  title: 'Auto-enhance',
  summary: 'Measures the image and makes it a little better: white balance, contrast, middle tones, colour.',
  group: 'colour',
  inputs: { image: socket.one('The image to make better.') },
  params: Type.Object(
    {
      amount: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 1,
        title: 'Amount',
        description: 'How far: 0 unchanged, 1 all of it.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The better image. A good one hardly changes; what is transparent does not count, and stays so.' },
  alpha: 'kept',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'a photograph', inputs: { image: 'cat.jpg' }, params: {} },
    { name: 'another one', inputs: { image: 'coffee.jpg' }, params: {} },
    { name: 'half', inputs: { image: 'cat.jpg' }, params: { amount: 0.5 } },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: {} },
  ],

  async run({ image }, { amount }, context) {
    if (amount === 0) return { image }
    const pixels = await pixelsOf(image, context)
    return { image: imageFromPixels(await mixed(pixels, await enhancePixels(pixels, context), amount, context)) }
  },
})
