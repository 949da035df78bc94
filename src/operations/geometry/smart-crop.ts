import Type from 'typebox'
import type { Frame } from '../../../shared/frames.ts'
import { decideOnce } from '../../imaging/raster/decide-once.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { partAround, type StrategyName, strategies, strategyNames } from '../../imaging/raster/measure/attention.ts'
import { salienceOf } from '../../imaging/raster/measure/salience.ts'
import { salientPart } from '../../imaging/raster/measure/salient-part.ts'
import { thumbnailOf } from '../../imaging/raster/measure/thumbnail.ts'
import { cut, type Rectangle } from '../../imaging/raster/region.ts'
import { gainMapOfPart } from '../../imaging/raster/shape/move-gain-map.ts'
import type { Point } from '../../imaging/raster/shape/quad.ts'
import { type Size, scaleTo } from '../../imaging/raster/shape/scaled.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import type { ImageValue, Pixels } from '../../imaging/types.ts'
import { packageVersionKey } from '../../local-models/define-model.ts'
import { facesOf } from '../../local-models/faces.ts'
import { facesSide, facesSsd } from '../../local-models/faces-ssd.ts'
import { defineOperation, type OperationContext, socket } from '../define.ts'
import { faceArea } from '../shared/face-area.ts'
import { areaFrame } from '../shared/frames.ts'
import { pixels } from '../shared/params.ts'

const share = { minimum: 0, maximum: 1 }

export const smartCrop = defineOperation({
  id: 'smart-crop',
  version: 2,
  title: 'Smart crop',
  summary: 'Crops the image around its most important area and scales it.',
  keywords: [
    'auto crop',
    'thumbnail',
    'focus',
    'focal point',
    'face crop',
    'portrait',
    'avatar',
    'subject',
    'saliency',
    'zoom',
    'aspect ratio',
  ],
  group: 'geometry',
  inputs: { image: socket.one('The image to crop.') },
  params: Type.Object(
    {
      width: pixels({ minimum: 1, title: 'Width', description: 'Width of the result.' }),
      height: pixels({ minimum: 1, title: 'Height', description: 'Height of the result.' }),
      strategy: Type.Optional(
        Type.Enum([...strategyNames, 'subject', 'faces'], {
          title: 'Strategy',
          description:
            'How to find the important area. attention: the most salient point (bright colours, skin, detail); entropy: the area with the most detail; subject: the salient objects; faces: zooms to the faces with a `margin`, found by a local model; without faces, subject. Default: attention. Cannot be combined with `focus`.',
        }),
      ),
      margin: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 20,
          title: 'Margin',
          description:
            'Space on each side of the faces, in heights of the largest face. A smaller margin zooms in more, but never so far that the crop is enlarged. 20 always keeps the largest possible area. Only for the strategy faces. Default: 0.6.',
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
    image: 'The largest area with the new aspect ratio, or the area around the faces, scaled to the new size.',
    values: {
      x: Type.Integer({ description: 'Left edge of the area, in pixels of the input image.' }),
      y: Type.Integer({ description: 'Top edge of the area, in pixels of the input image.' }),
      areaWidth: Type.Integer({ description: 'Width of the area, in pixels of the input image.' }),
      areaHeight: Type.Integer({ description: 'Height of the area, in pixels of the input image.' }),
    },
    drawn: {
      area: 'The area in the input image.',
      focus: 'The focus point in the input image, or the middle of the area.',
    },
  },
  action: 'c2pa.cropped',
  alpha: 'moved',
  frames: 'each',
  deterministic: true,
  reads: { models: ({ strategy }) => (strategy === 'faces' ? [packageVersionKey(facesSsd)] : []) },
  examples: [
    { name: 'attention', inputs: { image: 'coffee.jpg' }, params: { width: 100, height: 160 } },
    { name: 'entropy', inputs: { image: 'cat.jpg' }, params: { width: 160, height: 50, strategy: 'entropy' } },
    {
      name: 'around a point',
      inputs: { image: 'cat.jpg' },
      params: { width: 100, height: 160, focus: { x: 0.55, y: 0.5 } },
    },
    {
      name: 'subject',
      inputs: { image: 'cat.jpg' },
      params: { width: 100, height: 160, strategy: 'subject' },
    },
    {
      name: 'faces',
      inputs: { image: 'portrait.jpg' },
      params: { width: 100, height: 100, strategy: 'faces' },
      requires: facesSsd.name,
    },
    {
      name: 'faces with more space',
      inputs: { image: 'portrait.jpg' },
      params: { width: 100, height: 100, strategy: 'faces', margin: 1.5 },
      requires: facesSsd.name,
    },
  ],

  async run({ image }, { width, height, margin = marginDefault, ...subject }, context) {
    const part = { width, height }
    checkSize(width, height, context.pixelsMax)
    if (subject.strategy === 'faces') {
      const area = await decideOnce(context, 'faces', () => areaOfFaces(image, part, margin, context))
      if (area) {
        const pixels = await cut(await pixelsOf(image, context), area, context)
        return {
          image: {
            ...imageFromPixels(await scaleTo(imageFromPixels(pixels), part, context)),
            ...gainMapOfPart(image, area, image),
          },
          ...found(area, image, undefined),
        }
      }
    }
    const scaled = await scaleTo(image, part, context, 'outside')
    const region = await decideOnce(context, 'place', () => regionOf(image, scaled, part, subject, context))
    const scale = Math.min(image.width / width, image.height / height)
    const side = (length: number, room: number) => Math.max(1, Math.min(room, Math.round(length * scale)))
    const area = {
      x: Math.round(region.x * scale),
      y: Math.round(region.y * scale),
      width: side(width, image.width),
      height: side(height, image.height),
    }
    return {
      image: {
        ...imageFromPixels(await cut(scaled, { ...region, ...part }, context)),
        ...gainMapOfPart(image, { ...region, ...part }, scaled),
      },
      ...found(area, image, subject.focus),
    }
  },
})

/** Values and frames of an area. Without a focus point, its middle shows where one would have the same effect. */
function found(area: Rectangle, image: Size, focus: Point | undefined) {
  const { x, y, width, height } = area
  const middle = { x: (x + width / 2) / image.width, y: (y + height / 2) / image.height }
  const point = focus ?? middle
  const drawn: Frame[] = [
    areaFrame('area', 'rect', 'input', area),
    {
      id: 'focus',
      kind: 'point',
      of: 'input',
      points: [[point.x * image.width, point.y * image.height]],
      binds: { x: { param: 'focus.x', scale: image.width }, y: { param: 'focus.y', scale: image.height } },
      removes: ['strategy'],
    },
  ]
  return { x, y, areaWidth: width, areaHeight: height, drawn }
}

async function regionOf(
  image: ImageValue,
  scaled: Pixels,
  part: Size,
  { strategy = 'attention', focus }: { strategy?: StrategyName | 'subject' | 'faces'; focus?: Point },
  context: OperationContext,
): Promise<Point> {
  if (focus) return partAround({ x: focus.x * scaled.width, y: focus.y * scaled.height }, scaled, part)
  if (strategy === 'attention' || strategy === 'entropy') return strategies[strategy](scaled, part, context)
  return salientPart(await salienceOf(image, context), scaled, part)
}

/** Undefined if the model finds no face. */
async function areaOfFaces(image: ImageValue, part: Size, margin: number, context: OperationContext) {
  // The model scales every image to this size.
  const small = await thumbnailOf(image, { width: facesSide, height: facesSide, fit: 'inside' }, context)
  const [across, down] = [image.width / small.width, image.height / small.height]
  const faces = (await facesOf(small, faceScoreMin, context)).map((face) => ({
    x: face.x * across,
    y: face.y * down,
    width: face.width * across,
    height: face.height * down,
    score: face.score,
  }))
  return faces.length > 0 ? faceArea(faces, image, part, margin) : undefined
}

/** The minimum confidence of the operation `faces` by default. */
const faceScoreMin = 0.5

/** A portrait: the head with some space, and the shoulders. */
const marginDefault = 0.6
