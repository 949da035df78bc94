import Type from 'typebox'
import { imageFromPixels, pixelsOf, sharpOf, toPixels } from '../../imaging/raster/image.ts'
import { cut } from '../../imaging/raster/region.ts'
import { type Corners, fitCorners, roundCorners } from '../../imaging/raster/shape/corners.ts'
import type { Pixels } from '../../imaging/types.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'
import { pixels } from '../shared/params.ts'

const corner = (title: string) =>
  Type.Optional(pixels({ title, description: 'Radius of this corner. Default: `radius`.' }))

const corners = ['topLeft', 'topRight', 'bottomRight', 'bottomLeft'] as const

export const round = defineOperation({
  id: 'round',
  version: 1,
  title: 'Round',
  summary: 'Rounds the corners of the image, or crops it to a circle.',
  keywords: ['rounded corners', 'radius', 'corner radius', 'border radius', 'circle', 'avatar'],
  group: 'geometry',
  inputs: { image: socket.one('The image to round.') },
  params: Type.Object(
    {
      radius: Type.Optional(
        pixels({
          title: 'Radius',
          description: 'Radius of all corners. If the radii do not fit, all are reduced proportionally, as in CSS.',
        }),
      ),
      topLeft: corner('Top left'),
      topRight: corner('Top right'),
      bottomRight: corner('Bottom right'),
      bottomLeft: corner('Bottom left'),
      circle: Type.Optional(
        Type.Boolean({
          title: 'Circle',
          description: 'Crop to the largest centred circle; the result is square. Cannot be combined with radii.',
        }),
      ),
    },
    {
      additionalProperties: false,
      anyOf: ['radius', ...corners, 'circle'].map((name) => ({ required: [name] })),
      allOf: ['radius', ...corners].map((name) => ({ not: { required: [name, 'circle'] } })),
    },
  ),
  outputs: { image: 'The image with transparent corners.' },
  alpha: 'made',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'all corners', inputs: { image: 'coffee.jpg' }, params: { radius: 24 } },
    { name: 'two corners', inputs: { image: 'coffee.jpg' }, params: { topLeft: 60, bottomRight: 60 } },
    { name: 'circle', inputs: { image: 'coffee.jpg' }, params: { circle: true } },
  ],

  async run({ image }, { circle = false, radius = 0, ...corners }, context) {
    const source = await pixelsOf(image, context)
    const base = circle ? await middleSquare(source, context) : source
    const radii: Corners = { topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius, ...corners }
    const half = base.width / 2
    const largest = { topLeft: half, topRight: half, bottomRight: half, bottomLeft: half }
    const image4 = await toPixels(context, (await sharpOf(base)).ensureAlpha())
    roundCorners(image4, circle ? largest : fitCorners(radii, base.width, base.height))
    return { image: imageFromPixels(image4) }
  },
})

function middleSquare(pixels: Pixels, context: OperationContext): Promise<Pixels> {
  const side = Math.min(pixels.width, pixels.height)
  const x = Math.floor((pixels.width - side) / 2)
  const y = Math.floor((pixels.height - side) / 2)
  return cut(pixels, { x, y, width: side, height: side }, context)
}
