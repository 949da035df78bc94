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
  summary: 'Detects faces and returns their positions. Can blur, pixelate or frame them.',
  keywords: ['face detection', 'people', 'anonymize', 'blur faces', 'privacy'],
  group: 'analyse',
  inputs: { image: socket.one('The image to search for faces.') },
  params: Type.Object(
    {
      draw: Type.Enum(['nothing', 'blur', 'pixelate', 'frame'], {
        default: 'nothing',
        title: 'Draw',
        description:
          'How to draw the faces. nothing: return the image unchanged; blur and pixelate: make them unrecognisable; frame: draw a box around each face.',
      }),
      color: color({ default: '#00e08a', title: 'Colour', description: 'Colour of the frames.' }),
      minScore: Type.Number({
        minimum: 0.1,
        maximum: 1,
        default: 0.5,
        title: 'Minimum score',
        description: 'Minimum confidence of the model. Lower values find more faces and more false positives.',
        'x-advanced': true,
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The image, with its faces drawn according to `draw`.',
    values: {
      count: Type.Integer({ description: 'Number of faces.' }),
      faces: Type.Array(
        Type.Object({
          x: px('Left edge of the box'),
          y: px('Top edge of the box'),
          width: px('Width of the box'),
          height: px('Height of the box'),
          score: Type.Number({ description: 'Confidence of the model, 0 to 1.' }),
        }),
        { description: 'The faces, sorted by confidence in descending order.' },
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
    const values = { count: found.length, faces: found.map(rounded) }
    if (draw === 'nothing' || found.length === 0) return { image, ...values }
    const drawn =
      draw === 'frame'
        ? await framed(pixels, found, { color: parseColor(frameColor), line: lineOf(image) }, context)
        : await covered(pixels, found, draw, context)
    return { image: imageFromPixels(drawn), ...values }
  },
})

/** Visible at any size. */
function lineOf({ width, height }: ImageValue): number {
  return Math.max(2, Math.round(Math.max(width, height) / 250))
}

/** More digits carry no information and differ between processors. */
function rounded(face: Face): Face {
  return { ...face, score: Math.round(face.score * 1_000) / 1_000 }
}
