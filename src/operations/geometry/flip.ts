import Type from 'typebox'
import { defineOperation, socket } from '../define.ts'
import { pictureFrom, pixelsOf, sharpOf, toPixels } from '../raster/picture.ts'

export const flip = defineOperation({
  id: 'flip',
  version: 1,
  title: 'Flip',
  summary: 'Mirrors the image.',
  group: 'geometry',
  inputs: { image: socket.one('The image to mirror.') },
  params: Type.Object(
    {
      axis: Type.Enum(['horizontal', 'vertical', 'both'], {
        default: 'horizontal',
        title: 'Axis',
        description: 'horizontal: left and right change places; vertical: top and bottom; both: half a turn.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The mirrored image.' },
  alpha: 'moved',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'horizontal', inputs: { image: 'coffee.jpg' }, params: {} },
    { name: 'vertical', inputs: { image: 'badge.png' }, params: { axis: 'vertical' } },
    { name: 'both', inputs: { image: 'coffee.jpg' }, params: { axis: 'both' } },
  ],

  async run({ image }, { axis }, context) {
    const source = await sharpOf(await pixelsOf(image, context))
    source.flop(axis !== 'vertical').flip(axis !== 'horizontal')
    return { image: pictureFrom(await toPixels(context, source)) }
  },
})
