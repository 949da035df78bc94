import Type from 'typebox'
import { limits } from '../../limits.ts'
import { defineOperation, type Picture, socket } from '../define.ts'
import { type Anchor, anchors } from '../params.ts'
import { blends, overlayOn } from '../raster/overlay.ts'
import { pictureFrom, pixelsOf } from '../raster/picture.ts'

const offset = { minimum: -limits.sidePixelsMax, maximum: limits.sidePixelsMax, 'x-unit': 'px' }

export const composite = defineOperation({
  id: 'composite',
  version: 1,
  title: 'Composite',
  summary: 'Lays one image on another.',
  group: 'combine',
  inputs: {
    image: socket.one('The image below; the result has its size.'),
    overlay: socket.one('The image on top. What reaches over the edge is cut.'),
  },
  params: Type.Object(
    {
      position: Type.Optional(
        Type.Enum([...anchors], {
          title: 'Position',
          description: 'Where the overlay goes. Default: center. Not together with x and y.',
        }),
      ),
      margin: Type.Optional(
        Type.Integer({
          ...offset,
          title: 'Margin',
          description: 'Distance from the sides that `position` names. Default: 0. Not together with x and y.',
        }),
      ),
      x: Type.Optional(
        Type.Integer({ ...offset, title: 'Left', description: "The overlay's left edge, from the left edge." }),
      ),
      y: Type.Optional(
        Type.Integer({ ...offset, title: 'Top', description: "The overlay's upper edge, from the upper edge." }),
      ),
      opacity: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 1,
        title: 'Opacity',
        description: 'How much of the overlay is seen: 0 nothing, 1 all of it.',
      }),
      blend: Type.Enum([...blends], {
        default: 'over',
        title: 'Blend',
        description:
          'How the two mix. over: the overlay covers; multiply to add: as in image editors; atop: only where the image is; xor: where only one of them is; dest-over: the overlay goes behind; dest-in: keeps the image where the overlay is (a mask); dest-out: cuts the overlay out of the image.',
      }),
    },
    {
      additionalProperties: false,
      dependentRequired: { x: ['y'], y: ['x'] },
      allOf: [{ not: { required: ['x', 'position'] } }, { not: { required: ['x', 'margin'] } }],
    },
  ),
  outputs: { image: 'Both images in one.' },
  alpha: 'made',
  frames: 'each',
  deterministic: true,
  examples: [
    {
      name: 'in a corner',
      inputs: { image: 'coffee.jpg', overlay: 'badge.png' },
      params: { position: 'south-east', margin: 8 },
    },
    {
      name: 'at a point, over the edge',
      inputs: { image: 'coffee.jpg', overlay: 'badge.png' },
      params: { x: -30, y: 12 },
    },
    {
      name: 'half transparent',
      inputs: { image: 'coffee.jpg', overlay: 'badge.png' },
      params: { opacity: 0.5 },
    },
    { name: 'multiplied', inputs: { image: 'coffee.jpg', overlay: 'badge.png' }, params: { blend: 'multiply' } },
    { name: 'as a mask', inputs: { image: 'coffee.jpg', overlay: 'badge.png' }, params: { blend: 'dest-in' } },
  ],

  async run({ image, overlay }, { position = 'center', margin = 0, x, y, opacity, blend }, context) {
    const at = x === undefined || y === undefined ? placed(image, overlay, position, margin) : { x, y }
    const [below, above] = await Promise.all([pixelsOf(image, context), pixelsOf(overlay, context)])
    return { image: pictureFrom(await overlayOn(below, above, { ...at, opacity, blend }, context)) }
  },
})

function placed(image: Picture, overlay: Picture, position: Anchor, margin: number): { x: number; y: number } {
  const free = { x: image.width - overlay.width, y: image.height - overlay.height }
  const x = position.endsWith('west') ? margin : position.endsWith('east') ? free.x - margin : Math.floor(free.x / 2)
  const y = position.startsWith('north')
    ? margin
    : position.startsWith('south')
      ? free.y - margin
      : Math.floor(free.y / 2)
  return { x, y }
}
