import Type from 'typebox'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { modelMatte } from '../../imaging/raster/read/model-image.ts'
import { requestImage } from '../../imaging/raster/write/request-image.ts'
import { isnet, isnetSide } from '../../local-models/isnet.ts'
import { modelsForTask } from '../../local-models/manifest/manifest-models.ts'
import { cutOut, type MatteModel, matteOf, shapeMatte } from '../../local-models/matte.ts'
import { selfie, selfieSide } from '../../local-models/selfie.ts'
import { defineOperation, type ModelUse, socket } from '../define.ts'
import { callModel, localTask } from '../shared/call-model.ts'
import { modelParams, modelValue } from '../shared/model-params.ts'
import { localModelsRead } from '../shared/read-local-models.ts'

/** The first is the default. */
const included: readonly MatteModel[] = [
  { model: isnet, graph: 'matte', side: isnetSide },
  { model: selfie, graph: 'matte', side: selfieSide, isCoarse: true },
]

const ways = (): readonly MatteModel[] => [...included, ...modelsForTask('mask')]

const usesModel: ModelUse = { capability: 'remove-background', requirements: {} }

export const removeBackground = defineOperation({
  id: 'remove-background',
  version: 1,
  title: 'Remove background',
  summary: 'Removes the background, or returns a mask of the subject.',
  keywords: ['cut out', 'cutout', 'transparent', 'isolate', 'subject', 'segmentation', 'matte'],
  group: 'filter',
  inputs: { image: socket.one('The image to remove the background from.') },
  params: Type.Object(
    {
      ...modelParams(
        "Local models need no provider: `selfie` (people only) is included. The operator can install `birefnet-lite`, `birefnet`, `ben2`, `isnet-general` and `isnet` (any subject), and their own ONNX models. See `/guide/local-models`. Default: the model that the service is configured with, or `isnet`. Only the transparency of a provider's response is used.",
      ),
      mode: Type.Enum(['cutout', 'mask'], {
        default: 'cutout',
        title: 'Mode',
        description: 'cutout: the image without its background; mask: white for the subject, black for the rest.',
      }),
      hardness: Type.Number({
        minimum: 0,
        maximum: 1,
        default: 0,
        title: 'Hardness',
        description: 'Contrast of soft edges: 0 as the model returned them, 1 hard.',
      }),
      feather: Type.Number({
        minimum: 0,
        maximum: 100,
        default: 0,
        title: 'Feather',
        description: 'Softness of the edge: the standard deviation of a blur. Values below 0.3 have no effect.',
        'x-unit': 'px',
      }),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image:
      "The subject on a transparent background, with background colours removed from its soft edges; or the mask, opaque. It has the size and the pixels of the image. If a provider's response has another size with the same aspect ratio (within 2 %), it is resampled; another aspect ratio or an opaque response is rejected.",
    values: { model: modelValue },
  },
  alpha: 'made',
  frames: 'first',
  usesModel,
  deterministic: true,
  reads: { models: (params, chain) => localModelsRead(ways(), params, chain) },
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
    const { result: rawMatte, model } = await callModel(context, {
      use: usesModel,
      params,
      images: 1,
      // Transparent areas are white for the model, as for local models.
      request: async () => ({ images: [await requestImage(image, context, { background: 'white' })] }),
      read: (response) => modelMatte(response, source, context),
      local: localTask(ways(), (way) => matteOf(source, way, context)),
    })
    // The minimum blur of sharp is 0.3.
    const matte = await shapeMatte(rawMatte, { hardness, feather: feather < 0.3 ? 0 : feather }, context)
    return { image: imageFromPixels(mode === 'mask' ? matte : await cutOut(source, matte, context)), model }
  },
})
