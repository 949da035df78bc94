import Type from 'typebox'
import type { Frame } from '../../../shared/frames.ts'
import { isTemplate } from '../../../shared/values.ts'
import { parseColor } from '../../imaging/raster/color.ts'
import { covered, framed } from '../../imaging/raster/effect/mark-areas.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { modelVersionKey, packageVersionKey } from '../../local-models/define-model.ts'
import { type Face, facesByManifest, facesOf } from '../../local-models/faces.ts'
import { facesSsd } from '../../local-models/faces-ssd.ts'
import { modelsForTask, type WithManifest } from '../../local-models/manifest/manifest-models.ts'
import { unknownModel } from '../../local-models/store.ts'
import { defineOperation, socket } from '../define.ts'
import { localNameOf } from '../shared/call-model.ts'
import { areaFrame } from '../shared/frames.ts'
import { localModelParam } from '../shared/model-params.ts'
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
      model: Type.Optional(
        localModelParam(
          facesSsd.operation,
          `The local model: \`${facesSsd.name}\`, or an ONNX model with \`task: detect\` that the operator has installed, also for other objects than faces. See \`/guide/local-models\`. Default: \`${facesSsd.name}\`.`,
        ),
      ),
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
          label: Type.Optional(Type.String({ description: 'Class of the object, if the model names classes.' })),
        }),
        { description: 'The faces, sorted by confidence in descending order.' },
      ),
    },
    drawn: { faceN: 'A face, in the order of `faces`.' },
  },
  alpha: 'kept',
  frames: 'first',
  deterministic: true,
  reads: {
    models: ({ model }) => {
      const key = isOwn(model) ? modelVersionKey(ownModel(model).model) : packageVersionKey(facesSsd)
      return key === undefined ? [] : [key]
    },
  },
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

  check({ model }) {
    if (typeof model !== 'string' || isTemplate(model) || !isOwn(model) || detectors().has(nameOf(model))) return []
    return [{ param: 'model', message: `names a model that can't be used. ${missing(model).message}` }]
  },

  async run({ image }, { draw, color: frameColor, minScore, model }, context) {
    const pixels = await pixelsOf(image, context)
    const found = isOwn(model)
      ? await facesByManifest(pixels, ownModel(model), minScore, context)
      : await facesOf(pixels, minScore, context)
    const values = { count: found.length, faces: found.map(rounded), drawn: faceFrames(found) }
    if (draw === 'nothing' || found.length === 0) return { image, ...values }
    const marked =
      draw === 'frame'
        ? await framed(pixels, found, { color: parseColor(frameColor), line: lineOf(image) }, context)
        : await covered(pixels, found, draw, context)
    return { image: imageFromPixels(marked), ...values }
  },
})

const detectors = () => new Map(modelsForTask('detect').map((installed) => [installed.model.name, installed]))

function nameOf(model: string): string {
  return localNameOf(model) ?? model
}

function isOwn(model: string | undefined): model is string {
  return model !== undefined && nameOf(model) !== facesSsd.name
}

function ownModel(model: string): WithManifest<'detect'> {
  const found = detectors().get(nameOf(model))
  if (found === undefined) throw missing(model)
  return found
}

function missing(model: string) {
  return unknownModel(nameOf(model), [facesSsd.name, ...detectors().keys()])
}

function faceFrames(faces: Face[]): Frame[] {
  return faces.map((face, index) => areaFrame(`face${index + 1}`, 'rect', 'input', face))
}

/** Visible at any size. */
function lineOf({ width, height }: ImageValue): number {
  return Math.max(2, Math.round(Math.max(width, height) / 250))
}

/** More digits carry no information and differ between processors. */
function rounded(face: Face): Face {
  return { ...face, score: Math.round(face.score * 1_000) / 1_000 }
}
