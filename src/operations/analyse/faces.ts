import Type from 'typebox'
import { parseColor } from '../../imaging/raster/color.ts'
import { covered, framed } from '../../imaging/raster/effect/cover.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { modelVersionKey } from '../../local-models/define-model.ts'
import { type Face, facesOf } from '../../local-models/faces.ts'
import { facesSsd } from '../../local-models/faces-ssd.ts'
import { defineOperation, socket } from '../define.ts'
import { color } from '../shared/params.ts'

const px = (description: string) => Type.Integer({ description: `${description}, in pixels of the image.` })

export const faces = defineOperation({
  id: 'faces',
  version: 1,
  title: 'Faces',
  summary: 'Finds faces, tells where they are, and blurs, pixelates or frames them where asked.',
  group: 'analyse',
  inputs: { image: socket.one('The image to look at.') },
  params: Type.Object(
    {
      draw: Type.Enum(['nothing', 'blur', 'pixelate', 'frame'], {
        default: 'nothing',
        title: 'Draw',
        description:
          'What becomes of the faces. nothing: the image is handed on as it is; blur and pixelate: they cannot be recognised any more; frame: each gets a box.',
      }),
      color: color({ default: '#00e08a', title: 'Colour', description: 'Of the frames.' }),
      minScore: Type.Number({
        minimum: 0.1,
        maximum: 1,
        default: 0.5,
        title: 'Least score',
        description: 'How sure the model must be: lower finds more faces, and more that are none.',
        'x-advanced': true,
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The image, with its faces as `draw` says.',
    values: {
      count: Type.Integer({ description: 'How many faces there are.' }),
      faces: Type.Array(
        Type.Object({
          x: px('Left edge of the box'),
          y: px('Top edge of the box'),
          width: px('Its width'),
          height: px('Its height'),
          score: Type.Number({ description: 'How sure the model is, 0 to 1.' }),
        }),
        { description: 'The faces, the surest first.' },
      ),
    },
  },
  alpha: 'kept',
  frames: 'first',
  deterministic: true,
  reads: { models: () => [modelVersionKey(facesSsd)] },
  examples: [
    { name: 'where faces are', inputs: { image: 'portrait.jpg' }, params: { draw: 'frame' }, requires: facesSsd.name },
    {
      name: 'not to be recognised',
      inputs: { image: 'portrait.jpg' },
      params: { draw: 'blur' },
      requires: facesSsd.name,
    },
    { name: 'in squares', inputs: { image: 'portrait.jpg' }, params: { draw: 'pixelate' }, requires: facesSsd.name },
  ],

  async run({ image }, { draw, color: frameColor, minScore }, context) {
    const pixels = await pixelsOf(image, context)
    const found = await facesOf(pixels, minScore, context)
    const told = { count: found.length, faces: found.map(rounded) }
    if (draw === 'nothing' || found.length === 0) return { image, ...told }
    const drawn =
      draw === 'frame'
        ? await framed(pixels, found, { color: parseColor(frameColor), line: lineOf(image) }, context)
        : await covered(pixels, found, draw, context)
    return { image: imageFromPixels(drawn), ...told }
  },
})

/** Seen at any size. */
function lineOf({ width, height }: ImageValue): number {
  return Math.max(2, Math.round(Math.max(width, height) / 250))
}

/** A score of five digits says nothing more, and differs from processor to processor. */
function rounded(face: Face): Face {
  return { ...face, score: Math.round(face.score * 1_000) / 1_000 }
}
