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
  summary: 'Makes a short text from which a page draws a blurred placeholder of the image while it loads.',
  group: 'analyse',
  inputs: { image: socket.one('The image to make a placeholder for.') },
  params: Type.Object(
    {
      componentsX: Type.Integer({
        ...components,
        default: 4,
        title: 'Components across',
        description: 'How finely it is told from left to right. More make a longer text.',
      }),
      componentsY: Type.Integer({
        ...components,
        default: 3,
        title: 'Components down',
        description: 'How finely it is told from top to bottom.',
      }),
      draw: Type.Boolean({
        default: true,
        title: 'Draw',
        description: 'Whether the placeholder is drawn, in the size of the image. When not, the image is handed on.',
      }),
      background: color({
        default: 'white',
        title: 'Background',
        description: 'What shows through where the image is transparent; a placeholder has no transparency.',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The placeholder, or the image itself.',
    values: {
      hash: Type.String({ description: 'The BlurHash: 4 + 2 x components across x components down characters.' }),
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

/** Pixels of the longer side. What the waves tell does not change with more, only the time that it takes. */
const encodeSide = 32

function sizeOf({ width, height }: { width: number; height: number }, side: number) {
  const scale = side / Math.max(width, height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
