import Type from 'typebox'
import { failure } from '../../errors.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { cut } from '../../imaging/raster/region.ts'
import { defineOperation, socket } from '../define.ts'
import { pixels } from '../shared/params.ts'

export const crop = defineOperation({
  id: 'crop',
  version: 1,
  title: 'Crop',
  summary: 'Keeps a rectangle of the image and throws the rest away.',
  group: 'geometry',
  inputs: { image: socket.one('The image to cut.') },
  params: Type.Object(
    {
      x: pixels({ default: 0, title: 'Left', description: 'From the left edge.' }),
      y: pixels({ default: 0, title: 'Top', description: 'From the upper edge.' }),
      width: pixels({ minimum: 1, title: 'Width', description: 'Width of what is kept.' }),
      height: pixels({ minimum: 1, title: 'Height', description: 'Height of what is kept.' }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The rectangle.' },
  alpha: 'moved',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'the middle', inputs: { image: 'coffee.jpg' }, params: { x: 60, y: 40, width: 160, height: 100 } },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { x: 40, y: 40, width: 60, height: 60 } },
  ],

  async run({ image }, { x, y, width, height }, context) {
    // Refused, not clamped: another size than asked for breaks the layout of whoever called.
    if (x + width > image.width || y + height > image.height) {
      throw failure(
        'input_invalid',
        `The rectangle ${width} x ${height} at ${x}, ${y} reaches outside the image, which is ${image.width} x ${image.height}.`,
      )
    }
    return { image: imageFromPixels(await cut(await pixelsOf(image, context), { x, y, width, height }, context)) }
  },
})
