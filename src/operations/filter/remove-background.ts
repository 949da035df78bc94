import Type from 'typebox'
import { defineOperation, socket } from '../define.ts'
import { nameOf } from '../models/define-model.ts'
import { isnet, isnetSide } from '../models/isnet.ts'
import { cutOut, type MatteModel, matteOf, shaped } from '../models/matte.ts'
import { selfie, selfieSide } from '../models/selfie.ts'
import { pictureFrom, pixelsOf } from '../raster/picture.ts'

const ways: Record<string, MatteModel> = {
  [isnet.name]: { model: isnet, graph: 'matte', side: isnetSide },
  [selfie.name]: { model: selfie, graph: 'matte', side: selfieSide, isCoarse: true },
}

export const removeBackground = defineOperation({
  id: 'remove-background',
  version: 1,
  title: 'Remove background',
  summary: 'Cuts out what stands in front, or makes a mask of it.',
  group: 'filter',
  inputs: { image: socket.one('The image to cut out from.') },
  params: Type.Object(
    {
      model: Type.Enum(Object.keys(ways), {
        default: isnet.name,
        title: 'Model',
        description:
          'The local model. isnet: any subject; whoever runs the service adds it. selfie: people only, and included. docs/guide/local-models.md tells more.',
      }),
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
    image: 'The subject on transparency, its soft edges freed from the colours behind them; or the mask, opaque.',
  },
  alpha: 'made',
  frames: 'first',
  deterministic: true,
  reads: {
    models: ({ model }) => Object.values(ways).flatMap((way) => (way.model.name === model ? nameOf(way.model) : [])),
  },
  examples: [
    { name: 'a person', inputs: { image: 'portrait.jpg' }, params: { model: 'selfie' }, requires: 'selfie' },
    {
      name: 'the mask of a person',
      inputs: { image: 'portrait.jpg' },
      params: { model: 'selfie', mode: 'mask', feather: 1 },
      requires: 'selfie',
    },
    { name: 'anything', inputs: { image: 'coffee.jpg' }, params: { model: 'isnet' }, requires: 'isnet' },
  ],

  async run({ image }, { model, mode, hardness, feather }, context) {
    const way = ways[model]
    if (way === undefined) throw new Error(`no way to ${model}`)
    const source = await pixelsOf(image, context)
    const whole = await matteOf(source, way, context)
    // sharp knows no blur below 0.3.
    const matte = await shaped(whole, { hardness, feather: feather < 0.3 ? 0 : feather }, context)
    return { image: pictureFrom(mode === 'mask' ? matte : await cutOut(source, matte, context)) }
  },
})
