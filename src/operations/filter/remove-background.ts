import Type from 'typebox'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { modelMatte } from '../../imaging/raster/read/model-image.ts'
import { requestImage } from '../../imaging/raster/write/request-image.ts'
import { isnet, isnetSide } from '../../local-models/isnet.ts'
import { cutOut, type MatteModel, matteOf, shapeMatte } from '../../local-models/matte.ts'
import { selfie, selfieSide } from '../../local-models/selfie.ts'
import { defineOperation, type ModelUse, socket } from '../define.ts'
import { callModel } from '../shared/call-model.ts'
import { modelParams, modelValue } from '../shared/model-params.ts'
import { localModelsRead } from '../shared/read-local-models.ts'

/** The first is the default. */
const ways: Record<string, MatteModel> = {
  [isnet.name]: { model: isnet, graph: 'matte', side: isnetSide },
  [selfie.name]: { model: selfie, graph: 'matte', side: selfieSide, isCoarse: true },
}

const usesModel: ModelUse = { capability: 'remove-background', requirements: {} }

export const removeBackground = defineOperation({
  id: 'remove-background',
  version: 1,
  title: 'Remove background',
  summary: 'Cuts out what stands in front, or makes a mask of it.',
  group: 'filter',
  inputs: { image: socket.one('The image to cut out from.') },
  params: Type.Object(
    {
      ...modelParams(
        "Local models need no provider: `isnet`, any subject, which whoever runs the service adds; `selfie`, people only, and included. docs/guide/local-models.md tells more. Default: the one that the service has set, else `isnet`. Of a provider's answer only the transparency is taken.",
      ),
      mode: Type.Enum(['cutout', 'mask'], {
        default: 'cutout',
        title: 'Mode',
        description: 'cutout: the image without its background; mask: white where the subject is, black elsewhere.',
      }),
      hardness: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0,
        title: 'Hardness',
        description: 'How much is cut from both ends of what is half subject: 0 as the model sees it, 1 a hard edge.',
      }),
      feather: Type.Number({
        minimum: 0,
        maximum: 100,
        default: 0,
        title: 'Feather',
        description: 'How far the edge is softened: the standard deviation of a blur. Below 0.3 nothing is.',
        'x-unit': 'px',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image:
      'The subject on transparency, its soft edges freed from the colours behind them; or the mask, opaque. Of the size of the image, and its pixels, whichever model found the subject: an answer of another size but the same shape, within 2 %, is resampled; an answer of another shape, or without transparency, is refused.',
    values: { model: modelValue },
  },
  alpha: 'made',
  frames: 'first',
  usesModel,
  deterministic: true,
  reads: { models: (params, chain) => localModelsRead(Object.values(ways), params, chain) },
  examples: [
    { name: 'a person', inputs: { image: 'portrait.jpg' }, params: { model: 'selfie' }, requires: 'selfie' },
    {
      name: 'the mask of a person',
      inputs: { image: 'portrait.jpg' },
      params: { model: 'selfie', mode: 'mask', feather: 1 },
      requires: 'selfie',
    },
    { name: 'anything', inputs: { image: 'coffee.jpg' }, params: { model: 'isnet' }, requires: 'isnet' },
    {
      name: 'by a provider',
      inputs: { image: 'coffee.jpg' },
      params: { model: 'fal/fal-ai/birefnet/v2', fallback: ['local/isnet'] },
    },
  ],

  async run({ image }, params, context) {
    const { mode, hardness, feather } = params
    const source = await pixelsOf(image, context)
    const { result: whole, model } = await callModel(context, {
      asks: usesModel,
      params,
      images: 1,
      // What is transparent already is no matter of the model: it is white there, as local models see it.
      request: async () => ({ images: [await requestImage(image, context, { background: 'white' })] }),
      read: (answer) => modelMatte(answer, source, context),
      local: {
        names: Object.keys(ways),
        run: (name) => matteOf(source, ways[name] as MatteModel, context),
      },
    })
    // sharp knows no blur below 0.3.
    const matte = await shapeMatte(whole, { hardness, feather: feather < 0.3 ? 0 : feather }, context)
    return { image: imageFromPixels(mode === 'mask' ? matte : await cutOut(source, matte, context)), model }
  },
})
