import Type from 'typebox'
import { defineOperation, socket } from '../define.ts'
import { saturate } from '../raster/matrix.ts'
import { pictureFrom, pixelsOf, sharpOf, toPixels } from '../raster/picture.ts'

export const grayscale = defineOperation({
  id: 'grayscale',
  version: 1,
  title: 'Grayscale',
  summary: 'Takes the colours out of the image.',
  group: 'colour',
  inputs: { image: socket.one('The image to make grey.') },
  params: Type.Object({}, { additionalProperties: false }),
  outputs: { image: 'The grey image; what was transparent stays so.' },
  alpha: 'kept',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'a photograph', inputs: { image: 'coffee.jpg' }, params: {} },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: {} },
  ],

  // 0.2126 red + 0.7152 green + 0.0722 blue, as CSS grayscale(1). sharp's own greyscale would drop the alpha channel.
  async run({ image }, _, context) {
    const source = await sharpOf(await pixelsOf(image, context))
    return { image: pictureFrom(await toPixels(context, source.recomb(saturate(0)))) }
  },
})
