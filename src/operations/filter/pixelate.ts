import Type from 'typebox'
import { failure } from '../../errors.ts'
import { averageBlocks } from '../../imaging/raster/effect/blocks.ts'
import { frameOf } from '../../imaging/raster/effect/silhouette.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { limits } from '../../limits.ts'
import { defineOperation, socket } from '../define.ts'
import { pixels as px } from '../shared/params.ts'

export const pixelate = defineOperation({
  id: 'pixelate',
  version: 1,
  title: 'Pixelate',
  summary: 'Pixelates the image or part of it, as an effect or to hide a face or a number plate.',
  keywords: ['mosaic', 'censor', 'redact', 'hide', 'anonymize', 'pixel art', '8 bit'],
  group: 'filter',
  inputs: { image: socket.one('The image to pixelate.') },
  params: Type.Object(
    {
      size: px({
        minimum: 2,
        default: 12,
        title: 'Size',
        description:
          'Side of a square. To hide something, use squares large enough that only a few cover it: 4 or 5 across a face, one for a line of text.',
      }),
      box: Type.Optional(
        Type.Object(
          {
            x: px({ default: 0, maximum: limits.sidePixelsMax - 1, title: 'X', description: 'Left edge of the box.' }),
            y: px({ default: 0, maximum: limits.sidePixelsMax - 1, title: 'Y', description: 'Top edge of the box.' }),
            width: px({ minimum: 1, title: 'Width', description: 'Width of the box.' }),
            height: px({ minimum: 1, title: 'Height', description: 'Height of the box.' }),
          },
          {
            additionalProperties: false,
            title: 'Box',
            description: 'Area to pixelate, inside the image. Default: the entire image.',
          },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  outputs: { image: 'The pixelated image. Squares start at the top left; the last ones can be smaller.' },
  alpha: 'moved',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'a mosaic', inputs: { image: 'cat.jpg' }, params: { size: 8 } },
    {
      name: 'a hidden face',
      inputs: { image: 'cat.jpg' },
      params: { size: 14, box: { x: 70, y: 30, width: 112, height: 112 } },
    },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { size: 10 } },
  ],

  async run({ image }, { size, box = frameOf(image) }, context) {
    if (box.x + box.width > image.width || box.y + box.height > image.height) {
      throw failure(
        'input_invalid',
        `The box of ${box.width} x ${box.height} at ${box.x}, ${box.y} extends beyond the image, which is ${image.width} x ${image.height}.`,
      )
    }
    return { image: imageFromPixels(await averageBlocks(await pixelsOf(image, context), box, size, context)) }
  },
})
