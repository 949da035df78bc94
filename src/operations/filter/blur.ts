import Type from 'typebox'
import { defineOperation, socket } from '../define.ts'
import { pictureFrom, pixelsOf, sharpOf, toPixels } from '../raster/picture.ts'

export const blur = defineOperation({
  id: 'blur',
  version: 1,
  title: 'Blur',
  summary: 'Makes the image soft.',
  group: 'filter',
  inputs: { image: socket.one('The image to soften.') },
  params: Type.Object(
    {
      sigma: Type.Number({
        minimum: 0.3,
        maximum: 250,
        default: 3,
        title: 'Sigma',
        description: 'Strength: the standard deviation of the Gaussian; about half of the radius that is seen.',
        'x-unit': 'px',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The soft image.' },
  alpha: 'moved',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'soft', inputs: { image: 'coffee.jpg' }, params: { sigma: 4 } },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { sigma: 6 } },
  ],

  async run({ image }, { sigma }, context) {
    const source = await sharpOf(await pixelsOf(image, context))
    return { image: pictureFrom(await toPixels(context, source.blur(sigma))) }
  },
})
