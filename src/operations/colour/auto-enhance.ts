import Type from 'typebox'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { enhancePixels } from '../../imaging/raster/tone/enhance.ts'
import { mixed } from '../../imaging/raster/tone/table.ts'
import { defineOperation, socket } from '../define.ts'

export const autoEnhance = defineOperation({
  id: 'auto-enhance',
  version: 1,
  title: 'Auto-enhance',
  summary: 'Measures the image and corrects white balance, contrast, mid-tones and colour.',
  keywords: ['automatic', 'improve', 'fix', 'correct', 'white balance', 'auto color', 'photo'],
  group: 'colour',
  inputs: { image: socket.one('The image to enhance.') },
  params: Type.Object(
    {
      amount: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 1,
        title: 'Amount',
        description: 'Strength of the correction: 0 is unchanged, 1 is full.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The enhanced image. A good image hardly changes. Transparent pixels are ignored and stay transparent.',
  },
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
