import Type from 'typebox'
import type { Frame } from '../../../shared/frames.ts'
import { failure } from '../../errors.ts'
import { parseColor } from '../../imaging/raster/color.ts'
import { solidColor } from '../../imaging/raster/draw/fill.ts'
import { imageFromPixels } from '../../imaging/raster/image.ts'
import { compositeOver } from '../../imaging/raster/layer/over.ts'
import { inverse, isConvex, type Point, type Quad, toQuad } from '../../imaging/raster/shape/quad.ts'
import type { Size } from '../../imaging/raster/shape/scaled.ts'
import { type Warp, warpQuad } from '../../imaging/raster/shape/warp.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import type { Pixels } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'
import { color, pixels } from '../shared/params.ts'

const coordinate = { minimum: -limits.sidePixelsMax, maximum: limits.sidePixelsMax, 'x-unit': 'px' }

const corner = (title: string) =>
  Type.Object(
    {
      x: Type.Number({ ...coordinate, title: 'Left', description: 'Distance from the left edge.' }),
      y: Type.Number({ ...coordinate, title: 'Top', description: 'Distance from the top edge.' }),
    },
    { additionalProperties: false, title, description: `Position of the ${title.toLowerCase()} corner.` },
  )

const degrees = { minimum: -85, maximum: 85, default: 0, 'x-unit': 'deg' }

export const perspective = defineOperation({
  id: 'perspective',
  version: 1,
  title: 'Perspective',
  summary: 'Adds perspective to the image, or straightens an object that was photographed at an angle.',
  keywords: ['skew', 'tilt', 'warp', 'distort', 'transform', '3d', 'straighten', 'scan', 'mockup'],
  group: 'geometry',
  inputs: { image: socket.one('The image to distort, or the photograph to straighten.') },
  params: Type.Object(
    {
      corners: Type.Optional(
        Type.Object(
          {
            topLeft: corner('Upper left'),
            topRight: corner('Upper right'),
            bottomRight: corner('Lower right'),
            bottomLeft: corner('Lower left'),
          },
          {
            additionalProperties: false,
            title: 'Corners',
            description: 'Positions of the image corners in the result. Cannot be combined with `tilt`.',
          },
        ),
      ),
      reverse: Type.Boolean({
        default: false,
        title: 'Reverse',
        description:
          'Extract the area between `corners` from the photograph and straighten it to a rectangle: a sign, a page, a screen.',
      }),
      tilt: Type.Optional(
        Type.Object(
          {
            x: Type.Number({ ...degrees, title: 'Around x', description: 'Positive values tilt the top edge away.' }),
            y: Type.Number({ ...degrees, title: 'Around y', description: 'Positive values tilt the right edge away.' }),
            distance: Type.Number({
              minimum: 0.75,
              maximum: 100,
              default: 2,
              title: 'Distance',
              description:
                'Distance of the viewer, as a multiple of the longer side. Low values are dramatic, high values show almost no perspective.',
            }),
          },
          {
            additionalProperties: false,
            title: 'Tilt',
            description:
              'Rotate the image in space, as rotateX and rotateY do in CSS. The result has the size of the visible image.',
          },
        ),
      ),
      width: Type.Optional(
        pixels({
          minimum: 1,
          title: 'Width',
          description:
            'Width of the result. Default: up to the rightmost corner; with `reverse`, the longer of the two sides.',
        }),
      ),
      height: Type.Optional(
        pixels({
          minimum: 1,
          title: 'Height',
          description:
            'Height of the result. Default: down to the lowest corner; with `reverse`, the longer of the two sides.',
        }),
      ),
      background: color({ default: 'transparent', title: 'Background', description: 'Colour around the image.' }),
    },
    {
      additionalProperties: false,
      anyOf: [{ required: ['corners'] }, { required: ['tilt'] }],
      allOf: ['corners', 'width', 'height'].map((name) => ({ not: { required: [name, 'tilt'] } })),
      dependentSchemas: { tilt: { properties: { reverse: { const: false } } } },
    },
  ),
  outputs: {
    image: 'The image in perspective, or the straightened area.',
    drawn: { corners: 'The corners in the result; with `reverse`, in the input image.' },
  },
  alpha: 'made',
  frames: 'each',
  deterministic: true,
  examples: [
    {
      name: 'by its corners',
      inputs: { image: 'coffee.jpg' },
      params: {
        corners: {
          topLeft: { x: 20, y: 30 },
          topRight: { x: 210, y: 6 },
          bottomRight: { x: 190, y: 150 },
          bottomLeft: { x: 36, y: 118 },
        },
        width: 230,
        height: 160,
        background: '#f1f3f5',
      },
    },
    { name: 'tilted', inputs: { image: 'cat.jpg' }, params: { tilt: { x: 20, y: 40, distance: 1.2 } } },
    {
      name: 'lying down',
      inputs: { image: 'badge.png' },
      params: { tilt: { x: 60, distance: 1 } },
    },
    {
      name: 'straightened',
      inputs: { image: 'coffee.jpg' },
      params: {
        reverse: true,
        corners: {
          topLeft: { x: 80, y: 8 },
          topRight: { x: 176, y: 12 },
          bottomRight: { x: 202, y: 140 },
          bottomLeft: { x: 34, y: 130 },
        },
        width: 160,
        height: 120,
      },
    },
  ],

  drawn({ corners, reverse, ...params }, { image }) {
    const quad = corners ? quadOf(corners) : warpOf(image, { reverse, ...params }).shown
    const points = quad.map(({ x, y }): [number, number] => [x, y])
    return [
      { id: 'corners', kind: 'quad', of: reverse ? 'input' : 'result', points, binds: corners ? cornerBinds : {} },
    ]
  },

  async run({ image }, { background, ...params }, context) {
    const warp = warpOf(image, params)
    checkSize(warp.width, warp.height, context.pixelsMax)
    const warped = await warpQuad(image, warp, context)
    return { image: imageFromPixels(await onGround(warped, background, context)) }
  },
})

type Tilt = { x: number; y: number; distance: number }
type CornerPoints = Record<'topLeft' | 'topRight' | 'bottomRight' | 'bottomLeft', Point>

const cornerBinds: Frame['binds'] = {
  x1: { param: 'corners.topLeft.x' },
  y1: { param: 'corners.topLeft.y' },
  x2: { param: 'corners.topRight.x' },
  y2: { param: 'corners.topRight.y' },
  x3: { param: 'corners.bottomRight.x' },
  y3: { param: 'corners.bottomRight.y' },
  x4: { param: 'corners.bottomLeft.x' },
  y4: { param: 'corners.bottomLeft.y' },
}

function quadOf({ topLeft, topRight, bottomRight, bottomLeft }: CornerPoints): Quad {
  return [topLeft, topRight, bottomRight, bottomLeft]
}

function warpOf(
  image: Size,
  { corners, tilt, reverse, ...size }: TargetSize & { corners?: CornerPoints; tilt?: Tilt; reverse: boolean },
): Warp {
  return corners ? warpFor(image, quadOf(corners), reverse, size) : tilted(image, tilt ?? { x: 0, y: 0, distance: 2 })
}

type TargetSize = { width?: number; height?: number }

function warpFor(image: Size, quad: Quad, reverse: boolean, target: TargetSize): Warp {
  if (!isConvex(quad)) {
    throw failure(
      'input_invalid',
      `The corners ${formatPoints(quad)} do not form a convex quadrangle in the order upper left, upper right, lower right, lower left.`,
    )
  }
  return reverse ? straightened(image, quad, target) : projected(image, quad, target)
}

function projected(image: Size, quad: Quad, target: TargetSize): Warp {
  const [right, low] = [Math.max(...quad.map(({ x }) => x)), Math.max(...quad.map(({ y }) => y))]
  const { width = Math.ceil(right), height = Math.ceil(low) } = target
  const [left, top] = [Math.min(...quad.map(({ x }) => x)), Math.min(...quad.map(({ y }) => y))]
  if (right <= 0 || low <= 0 || left >= width || top >= height) {
    throw failure(
      'input_invalid',
      `All corners, ${formatPoints(quad)}, lie outside the result of ${width} x ${height}.`,
    )
  }
  return { toSource: inverse(toQuad(image.width, image.height, quad)), shown: quad, width, height }
}

function straightened(image: Size, quad: Quad, target: TargetSize): Warp {
  const outside = quad.find(({ x, y }) => x < 0 || y < 0 || x > image.width || y > image.height)
  if (outside) {
    throw failure(
      'input_invalid',
      `The corner ${formatPoints([outside])} lies outside the image of ${image.width} x ${image.height}.`,
    )
  }
  const [p0, p1, p2, p3] = quad
  const long = Math.max(1, Math.round(Math.max(distance(p0, p1), distance(p3, p2))))
  const high = Math.max(1, Math.round(Math.max(distance(p0, p3), distance(p1, p2))))
  // If only one side is set, the other follows.
  const width = target.width ?? (target.height ? Math.max(1, Math.round((target.height * long) / high)) : long)
  const height = target.height ?? (target.width ? Math.max(1, Math.round((target.width * high) / long)) : high)
  return { toSource: toQuad(width, height, quad), shown: rectangle(width, height), width, height }
}

/** CSS Transforms Level 2: perspective(distance) rotateX(x) rotateY(y), around the centre. */
function tilted(image: Size, tilt: Tilt): Warp {
  const [a, b] = [(tilt.x * Math.PI) / 180, (tilt.y * Math.PI) / 180]
  const eye = tilt.distance * Math.max(image.width, image.height)
  const corners = rectangle(image.width, image.height).map((corner) => {
    const [x, y] = [corner.x - image.width / 2, corner.y - image.height / 2]
    const depth = y * Math.sin(a) - x * Math.sin(b) * Math.cos(a)
    const scale = eye / (eye - depth)
    return { x: x * Math.cos(b) * scale, y: (y * Math.cos(a) + x * Math.sin(b) * Math.sin(a)) * scale }
  })
  const [left, top] = [Math.min(...corners.map(({ x }) => x)), Math.min(...corners.map(({ y }) => y))]
  const [p0, p1, p2, p3] = corners.map(({ x, y }) => ({ x: x - left, y: y - top }))
  if (!p0 || !p1 || !p2 || !p3) throw new Error('a rectangle has four corners')
  return projected(image, [p0, p1, p2, p3], {})
}

function rectangle(width: number, height: number): Quad {
  return [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: width, y: height },
    { x: 0, y: height },
  ]
}

function distance(from: Point, to: Point): number {
  return Math.hypot(to.x - from.x, to.y - from.y)
}

function formatPoints(points: readonly Point[]): string {
  return points.map(({ x, y }) => `(${x}, ${y})`).join(', ')
}

async function onGround(warped: Pixels, background: string, context: OperationContext): Promise<Pixels> {
  const ground = parseColor(background)
  if (warped.channels === 3 || ground.alpha === 0) return warped
  const { width, height } = warped
  const canvas = await solidColor(width, height, ground, context)
  await compositeOver(canvas, warped, { x: 0, y: 0, opacity: 1 }, { x: 0, y: 0, width, height })
  return canvas
}
