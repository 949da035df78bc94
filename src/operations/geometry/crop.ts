import Type from 'typebox'
import { failure } from '../../errors.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { cut } from '../../imaging/raster/region.ts'
import { gainMapOfPart } from '../../imaging/raster/shape/move-gain-map.ts'
import { defineOperation, socket } from '../define.ts'
import { areaFrame, rectangleBinds } from '../shared/frames.ts'
import { pixels } from '../shared/params.ts'

export const crop = defineOperation({
  id: 'crop',
  version: 1,
  title: 'Crop',
  summary: 'Extracts a rectangle of the image.',
  keywords: ['cut', 'clip', 'extract', 'region', 'slice', 'trim', 'zoom'],
  group: 'geometry',
  inputs: { image: socket.one('The image to crop.') },
  params: Type.Object(
    {
      x: pixels({ default: 0, title: 'Left', description: 'Left edge of the rectangle.' }),
      y: pixels({ default: 0, title: 'Top', description: 'Top edge of the rectangle.' }),
      width: pixels({ minimum: 1, title: 'Width', description: 'Width of the rectangle.' }),
      height: pixels({ minimum: 1, title: 'Height', description: 'Height of the rectangle.' }),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The cropped image.', drawn: { crop: 'The rectangle in the input image.' } },
  action: 'c2pa.cropped',
  alpha: 'moved',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'the middle', inputs: { image: 'coffee.jpg' }, params: { x: 60, y: 40, width: 160, height: 100 } },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { x: 40, y: 40, width: 60, height: 60 } },
  ],

  drawn: (area) => [areaFrame('crop', 'rect', 'input', area, rectangleBinds())],

  async run({ image }, { x, y, width, height }, context) {
    // Throws instead of clamping: another size than requested breaks the layout of the caller.
    if (x + width > image.width || y + height > image.height) {
      throw failure(
        'input_invalid',
        `The rectangle of ${width} x ${height} at ${x}, ${y} extends beyond the image, which is ${image.width} x ${image.height}. Make it smaller, or move it.`,
      )
    }
    const part = { x, y, width, height }
    const cropped = imageFromPixels(await cut(await pixelsOf(image, context), part, context))
    return { image: { ...cropped, ...gainMapOfPart(image, part, image) } }
  },
})
