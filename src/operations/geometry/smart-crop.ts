import Type from 'typebox'
import { decideOnce } from '../../imaging/raster/decide-once.ts'
import { imageFromPixels } from '../../imaging/raster/image.ts'
import { partAround, type StrategyName, strategies, strategyNames } from '../../imaging/raster/measure/attention.ts'
import { cut, type Rectangle } from '../../imaging/raster/region.ts'
import type { Point } from '../../imaging/raster/shape/quad.ts'
import { type Size, scaleTo } from '../../imaging/raster/shape/scaled.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import type { Pixels } from '../../imaging/types.ts'
import { modelVersionKey } from '../../local-models/define-model.ts'
import { facesOf } from '../../local-models/faces.ts'
import { facesSsd } from '../../local-models/faces-ssd.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'
import { pixels } from '../shared/params.ts'

const share = { minimum: 0, maximum: 1 }

export const smartCrop = defineOperation({
  id: 'smart-crop',
  version: 1,
  title: 'Smart crop',
  summary: 'Crops the image around its most important area and scales it.',
  keywords: ['auto crop', 'thumbnail', 'focus', 'focal point', 'face crop', 'portrait', 'avatar', 'aspect ratio'],
  group: 'geometry',
  inputs: { image: socket.one('The image to crop.') },
  params: Type.Object(
    {
      width: pixels({ minimum: 1, title: 'Width', description: 'Width of the result.' }),
      height: pixels({ minimum: 1, title: 'Height', description: 'Height of the result.' }),
      strategy: Type.Optional(
        Type.Enum([...strategyNames, 'faces'], {
          title: 'Strategy',
          description:
            'How to find the important area. attention: salient areas (bright colours, skin, detail); entropy: the area with the most detail; faces: all faces, or as many as fit around the largest, found by a local model; without faces, attention. Default: attention. Cannot be combined with `focus`.',
        }),
      ),
      focus: Type.Optional(
        Type.Object(
          {
            x: Type.Number({
              ...share,
              title: 'Across',
              description: 'Horizontal position: 0 is the left edge, 1 the right edge.',
            }),
            y: Type.Number({
              ...share,
              title: 'Down',
              description: 'Vertical position: 0 is the top edge, 1 the bottom edge.',
            }),
          },
          {
            additionalProperties: false,
            title: 'Focus',
            description: 'Focus point. It is centred as far as the edges of the image allow.',
          },
        ),
      ),
    },
    { additionalProperties: false, allOf: [{ not: { required: ['strategy', 'focus'] } }] },
  ),
  outputs: {
    image: 'The largest area with the new aspect ratio, scaled to the new size.',
    values: {
      x: Type.Integer({ description: 'Left edge of the area, in pixels of the input image.' }),
      y: Type.Integer({ description: 'Top edge of the area, in pixels of the input image.' }),
    },
  },
  action: 'c2pa.cropped',
  alpha: 'moved',
  frames: 'each',
  deterministic: true,
  reads: { models: ({ strategy }) => (strategy === 'faces' ? [modelVersionKey(facesSsd)] : []) },
  examples: [
    { name: 'attention', inputs: { image: 'coffee.jpg' }, params: { width: 100, height: 160 } },
    { name: 'entropy', inputs: { image: 'cat.jpg' }, params: { width: 160, height: 50, strategy: 'entropy' } },
    {
      name: 'around a point',
      inputs: { image: 'cat.jpg' },
      params: { width: 100, height: 160, focus: { x: 0.55, y: 0.5 } },
    },
    {
      name: 'faces',
      inputs: { image: 'portrait.jpg' },
      params: { width: 100, height: 100, strategy: 'faces' },
      requires: facesSsd.name,
    },
  ],

  async run({ image }, { width, height, ...subject }, context) {
    const part = { width, height }
    checkSize(width, height, context.pixelsMax)
    const scaled = await scaleTo(image, part, context, 'outside')
    const region = await decideOnce(context, 'place', () => regionOf(scaled, part, subject, context))
    const scale = Math.min(image.width / width, image.height / height)
    return {
      image: imageFromPixels(await cut(scaled, { ...region, ...part }, context)),
      x: Math.round(region.x * scale),
      y: Math.round(region.y * scale),
    }
  },
})

async function regionOf(
  scaled: Pixels,
  part: Size,
  { strategy = 'attention', focus }: { strategy?: StrategyName | 'faces'; focus?: Point },
  context: OperationContext,
): Promise<Point> {
  if (focus) return partAround({ x: focus.x * scaled.width, y: focus.y * scaled.height }, scaled, part)
  if (strategy === 'faces') {
    const faces = await facesOf(scaled, faceScoreMin, context)
    return faces.length > 0
      ? partAround(middleOf(faces, part), scaled, part)
      : strategies.attention(scaled, part, context)
  }
  return strategies[strategy](scaled, part, context)
}

/** The minimum confidence of the operation `faces` by default. */
const faceScoreMin = 0.5

/**
 * The centre of the largest face and of all further faces, largest first, that fit into the region with the previous
 * ones.
 */
export function middleOf(faces: readonly Rectangle[], part: Size): Point {
  const [largest, ...others] = faces.toSorted((a, b) => b.width * b.height - a.width * a.height)
  if (largest === undefined) throw new Error('there is no face')
  let box: Rectangle = largest
  for (const face of others) {
    const union = around(box, face)
    if (union.width <= part.width && union.height <= part.height) box = union
  }
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

function around(a: Rectangle, b: Rectangle): Rectangle {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)]
  const [right, bottom] = [Math.max(a.x + a.width, b.x + b.width), Math.max(a.y + a.height, b.y + b.height)]
  return { x, y, width: right - x, height: bottom - y }
}
