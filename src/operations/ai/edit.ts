import Type from 'typebox'
import { imageSized, modelImage } from '../../imaging/raster/read/model-image.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import { requestImages } from '../../imaging/raster/write/request-image.ts'
import { limits } from '../../limits.ts'
import { defineOperation, type ModelUse, socket } from '../define.ts'
import { callModel } from '../shared/call-model.ts'
import { modelParams, modelValue, promptParam, seedParam, sizeParams, sizeRules } from '../shared/model-params.ts'

const usesModel: ModelUse = {
  capability: 'edit',
  requirements: {
    size: ['width', 'height'],
    aspectRatio: 'aspectRatio',
    seed: 'seed',
    images: 'images',
    prompt: 'prompt',
  },
}

export const edit = defineOperation({
  id: 'edit',
  version: 1,
  title: 'Edit',
  summary: 'Changes one image, or makes one of several, as words say, by an AI model.',
  group: 'ai',
  inputs: {
    images: socket.many(
      `The image to change, and others to take from. Many models take one; none is handed more than ${limits.modelInputImagesMax}.`,
    ),
  },
  params: Type.Object(
    {
      prompt: promptParam('What is to become of it. Several images are the first, the second, and so on.'),
      ...sizeParams('Default: the model decides, most often as the first image.'),
      seed: seedParam(),
      ...modelParams(),
    },
    { additionalProperties: false, ...sizeRules },
  ),
  outputs: {
    image:
      'What the model made of them: every pixel is new. With `width` and `height` it has that size: an answer of the same shape, within 2 %, is resampled to it, any other one is refused.',
    values: { model: modelValue },
  },
  alpha: 'made',
  frames: 'first',
  usesModel,
  deterministic: ({ seed }) => seed !== undefined,
  examples: [
    { name: 'one image', inputs: { images: ['coffee.jpg'] }, params: { prompt: 'Make it a rainy evening' } },
    {
      name: 'two in one',
      inputs: { images: ['coffee.jpg', 'badge.png'] },
      params: { prompt: 'Print the second image on the cup of the first' },
    },
  ],

  async run({ images }, params, context) {
    const { prompt, width, height, aspectRatio, seed } = params
    const size = width !== undefined && height !== undefined ? { width, height } : undefined
    if (size) checkSize(size.width, size.height, context.pixelsMax)
    const { result, model } = await callModel(context, {
      asks: usesModel,
      params,
      images: images.length,
      request: async () => ({
        prompt,
        images: await requestImages(images, context),
        ...(size && { size }),
        ...(aspectRatio !== undefined && { aspectRatio }),
        ...(seed !== undefined && { seed }),
      }),
      async read(answer) {
        const picture = await modelImage(answer, context)
        return size ? imageSized(picture, size, context) : picture
      },
    })
    return { image: result, model }
  },
})
