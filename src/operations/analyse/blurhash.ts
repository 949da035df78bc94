import Type from 'typebox'
import { imageFromPixels } from '../../imaging/raster/image.ts'
import { drawBlurhash, encodeBlurhash } from '../../imaging/raster/measure/blurhash.ts'
import { thumbnailOf } from '../../imaging/raster/measure/thumbnail.ts'
import { defineOperation, socket } from '../define.ts'
import { color } from '../shared/params.ts'

const components = { minimum: 1, maximum: 9, 'x-unit': 'waves' }

export const blurhash = defineOperation({
  id: 'blurhash',
  version: 1,
  title: 'BlurHash',
  summary: 'Computes a BlurHash: a short text from which a web page draws a blurred placeholder while the image loads.',
  keywords: ['placeholder', 'preview', 'loading'],
  group: 'analyse',
  inputs: { image: socket.one('The image to compute the placeholder for.') },
  params: Type.Object(
    {
      componentsX: Type.Integer({
        ...components,
        default: 4,
        title: 'Horizontal components',
        description: 'Detail from left to right. More components make a longer hash.',
      }),
      componentsY: Type.Integer({
        ...components,
        default: 3,
        title: 'Vertical components',
        description: 'Detail from top to bottom. More components make a longer hash.',
      }),
      draw: Type.Boolean({
        default: true,
        title: 'Draw',
        description:
          'Return the placeholder, drawn in the size of the image. If false, the image is returned unchanged.',
      }),
      background: color({
        default: 'white',
        title: 'Background',
        description: 'Background for transparent areas; a placeholder has no transparency.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The placeholder, or the unchanged image.',
    values: {
      hash: Type.String({
        description: 'The BlurHash, 4 + 2 x horizontal components x vertical components characters.',
      }),
    },
  },
  alpha: 'made',
  frames: 'first',
  deterministic: true,
  examples: [
    { name: 'a photograph', inputs: { image: 'coffee.jpg' }, params: {} },
    { name: 'finer', inputs: { image: 'cat.jpg' }, params: { componentsX: 7, componentsY: 6 } },
    { name: 'with alpha', inputs: { image: 'badge.png' }, params: { background: '#f1f3f5' } },
  ],

  async run({ image }, { componentsX, componentsY, draw, background }, context) {
    const small = await thumbnailOf(image, { ...sizeOf(image, encodeSide), fit: 'fill', background }, context)
    const hash = encodeBlurhash(small, componentsX, componentsY)
    return { image: draw ? imageFromPixels(await drawBlurhash(hash, image, context)) : image, hash }
  },
})

/** Pixels of the longer side. More pixels take longer and don't change the hash. */
const encodeSide = 32

function sizeOf({ width, height }: { width: number; height: number }, side: number) {
  const scale = side / Math.max(width, height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
