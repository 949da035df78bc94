import Type from 'typebox'
import { imageFromPixels, pixelsOf, sharpOf, toPixels } from '../../imaging/raster/image.ts'
import { premultiply, unpremultiply } from '../../imaging/raster/premultiply.ts'
import { defineOperation, socket } from '../define.ts'

export const median = defineOperation({
  id: 'median',
  version: 1,
  title: 'Median',
  summary: 'Removes specks with a median filter and keeps edges sharp.',
  keywords: ['despeckle', 'dust', 'specks', 'smooth', 'noise reduction'],
  group: 'filter',
  inputs: { image: socket.one('The image to filter.') },
  params: Type.Object(
    {
      size: Type.Enum([3, 5, 7], {
        default: 3,
        title: 'Size',
        description:
          'Side of the square whose median replaces each pixel, per channel. Details that cover less than half of the square disappear.',
        'x-unit': 'px',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The filtered image.' },
  alpha: 'moved',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'specks gone', inputs: { image: 'coffee.jpg' }, params: {} },
    { name: 'like a painting', inputs: { image: 'cat.jpg' }, params: { size: 7 } },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { size: 5 } },
  ],

  async run({ image }, { size }, context) {
    // With premultiplied alpha, a median keeps colours at or below alpha, as a mean does: ranking is preserved by
    // increasing functions.
    const source = await sharpOf(await premultiply(await pixelsOf(image, context), context))
    return { image: imageFromPixels(await unpremultiply(await toPixels(context, source.median(size)), context)) }
  },
})
