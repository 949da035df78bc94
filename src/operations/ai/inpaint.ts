import Type from 'typebox'
import { failure } from '../../errors.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { blendByMask } from '../../imaging/raster/layer/blend-by-mask.ts'
import { modelImage, pixelsSized } from '../../imaging/raster/read/model-image.ts'
import { requestImage } from '../../imaging/raster/write/request-image.ts'
import { maskLevels, requestMask } from '../../imaging/raster/write/request-mask.ts'
import { defineOperation, type ModelUse, socket } from '../define.ts'
import { callModel } from '../shared/call-model.ts'
import { modelParams, modelValue, promptParam, seedParam } from '../shared/model-params.ts'

const usesModel: ModelUse = { capability: 'inpaint', requirements: { seed: 'seed', prompt: 'prompt' } }

export const inpaint = defineOperation({
  id: 'inpaint',
  version: 1,
  title: 'Inpaint',
  summary: 'Makes a part of the image anew, as words say, by an AI model; the rest stays as it is.',
  group: 'ai',
  inputs: {
    image: socket.one('The image to change in part.'),
    mask: socket.one(
      'White where the image is made anew, black where it stays; of a mask with transparency, its brightness times its alpha. Of the size of the image.',
    ),
  },
  params: Type.Object(
    {
      prompt: promptParam('What is to be seen where the mask is white.'),
      seed: seedParam(),
      ...modelParams(),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image:
      'The image, of its own size. Where the mask is black every pixel is that of the image, whatever the model did there; where it is grey, both are mixed. An answer of another size but the same shape, within 2 %, is resampled; another shape is refused.',
    values: { model: modelValue },
  },
  alpha: 'made',
  frames: 'first',
  usesModel,
  deterministic: ({ seed }) => seed !== undefined,
  examples: [
    {
      name: 'what is in the cup',
      inputs: { image: 'coffee.jpg', mask: 'cup-mask.png' },
      params: { prompt: 'A saucer with a heart' },
    },
  ],

  async run({ image, mask }, params, context) {
    const { prompt, seed } = params
    if (mask.width !== image.width || mask.height !== image.height) {
      throw failure(
        'input_invalid',
        `The mask is ${mask.width} x ${mask.height} and the image ${image.width} x ${image.height}; both have to have the same size.`,
      )
    }
    const levels = await maskLevels(await pixelsOf(mask, context), context)
    if (levels.data.equals(Buffer.alloc(levels.data.length))) {
      throw failure('input_invalid', 'The mask is black everywhere: no part of the image would be made anew.')
    }
    const { result, model } = await callModel(context, {
      asks: usesModel,
      params,
      images: 1,
      request: async () => ({
        prompt,
        images: [await requestImage(image, context)],
        mask: requestMask(levels, context),
        ...(seed !== undefined && { seed }),
      }),
      read: async (answer) => pixelsSized(await modelImage(answer, context), image, context),
    })
    return { image: imageFromPixels(await blendByMask(await pixelsOf(image, context), result, levels, context)), model }
  },
})
