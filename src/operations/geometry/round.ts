import Type from 'typebox'
import type { Frame } from '../../../shared/frames.ts'
import { imageFromPixels, pixelsOf, sharpOf, toPixels } from '../../imaging/raster/image.ts'
import { cut, type Rectangle } from '../../imaging/raster/region.ts'
import { type Corners, fitCorners, roundCorners } from '../../imaging/raster/shape/corners.ts'
import type { Size } from '../../imaging/raster/shape/scaled.ts'
import type { Pixels } from '../../imaging/types.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'
import { areaFrame } from '../shared/frames.ts'
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
  outputs: {
    image: 'The image with transparent corners.',
    drawn: {
      circle: 'With `circle`: the part of the input image that is kept.',
      radius: 'The centre of the arc of a corner that has `radius`.',
      topLeft: 'The centre of the arc, if `topLeft` is set; the same for `topRight`, `bottomRight` and `bottomLeft`.',
    },
  },
  alpha: 'made',
  frames: 'each',
  deterministic: true,
  examples: [
    { name: 'all corners', inputs: { image: 'coffee.jpg' }, params: { radius: 24 } },
    { name: 'two corners', inputs: { image: 'coffee.jpg' }, params: { topLeft: 60, bottomRight: 60 } },
    { name: 'circle', inputs: { image: 'coffee.jpg' }, params: { circle: true } },
  ],

  drawn({ circle = false, radius, ...own }, { image }, result) {
    if (circle) return [areaFrame('circle', 'rect', 'input', middleOf(image))]
    if (result === undefined) return []
    const { width, height } = result
    const fitted = fitCorners(radiiOf(radius, own), width, height)
    const setBy = (corner: (typeof corners)[number]) => (own[corner] === undefined ? 'radius' : corner)
    // A corner without a separate radius moves with the others: one handle is enough.
    const shared = radius === undefined ? undefined : corners.find((corner) => own[corner] === undefined)
    return corners
      .filter((corner) => own[corner] !== undefined || corner === shared)
      .map((corner): Frame => {
        const [isRight, isBottom] = [corner.endsWith('Right'), corner.startsWith('bottom')]
        const param = setBy(corner)
        const inset = fitted[corner]
        return {
          id: param,
          kind: 'point',
          of: 'result',
          points: [[isRight ? width - inset : inset, isBottom ? height - inset : inset]],
          binds: {
            x: isRight ? { param, origin: width, scale: -1 } : { param },
            y: isBottom ? { param, origin: height, scale: -1 } : { param },
          },
        }
      })
  },

  async run({ image }, { circle = false, radius = 0, ...own }, context) {
    const source = await pixelsOf(image, context)
    const base = circle ? await middleSquare(source, context) : source
    const half = base.width / 2
    const largest = { topLeft: half, topRight: half, bottomRight: half, bottomLeft: half }
    const image4 = await toPixels(context, (await sharpOf(base)).ensureAlpha())
    roundCorners(image4, circle ? largest : fitCorners(radiiOf(radius, own), base.width, base.height))
    return { image: imageFromPixels(image4) }
  },
})

function radiiOf(radius = 0, own: Partial<Corners>): Corners {
  return { topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius, ...own }
}

function middleSquare(pixels: Pixels, context: OperationContext): Promise<Pixels> {
  return cut(pixels, middleOf(pixels), context)
}

/** The largest square in the middle. */
function middleOf({ width, height }: Size): Rectangle {
  const side = Math.min(width, height)
  return { x: Math.floor((width - side) / 2), y: Math.floor((height - side) / 2), width: side, height: side }
}
