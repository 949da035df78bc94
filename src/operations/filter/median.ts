import Type from 'typebox'
import { imageFromPixels, pixelsOf, sharpOf, toPixels } from '../../imaging/raster/image.ts'
import { premultiply, unpremultiply } from '../../imaging/raster/premultiply.ts'
import { defineOperation, socket } from '../define.ts'

export const median = defineOperation({
  id: 'median',
  version: 1,
  title: 'Median',
  summary: 'Removes single odd pixels and specks, and leaves edges sharp.',
  group: 'filter',
  inputs: { image: socket.one('The image to clean.') },
  params: Type.Object(
    {
      size: Type.Enum([3, 5, 7], {
        default: 3,
        title: 'Size',
        description:
          'Side of the square of pixels whose median each becomes, channel by channel; what covers less than half of it goes.',
        'x-unit': 'px',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The image without specks.' },
  alpha: 'moved',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'specks gone', inputs: { image: 'coffee.jpg' }, params: {} },
    { name: 'like a painting', inputs: { image: 'cat.jpg' }, params: { size: 7 } },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { size: 5 } },
  ],

  async run({ image }, { size }, context) {
    // Premultiplied, a median keeps colours at or below alpha, as a mean does: ranking follows every growing function.
    const source = await sharpOf(await premultiply(await pixelsOf(image, context), context))
    return { image: imageFromPixels(await unpremultiply(await toPixels(context, source.median(size)), context)) }
  },
})
