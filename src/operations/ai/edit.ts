import Type from 'typebox'
import { imageSized, modelImage } from '../../imaging/raster/read/model-image.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import { requestImages } from '../../imaging/raster/write/request-image.ts'
import { limits } from '../../limits.ts'
import { defineOperation, type ModelUse, socket } from '../define.ts'
import { callModel, madeByModel } from '../shared/call-model.ts'
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
  summary: 'Edits an image, or combines several images into one, from a prompt with an AI model.',
  keywords: [
    'image to image',
    'img2img',
    'restyle',
    'style transfer',
    'retouch',
    'change',
    'modify',
    'ai edit',
    'restore',
    'art style',
  ],
  group: 'ai',
  inputs: {
    images: socket.many(
      `The image to edit, and other images to take elements from. Many models accept only one image; the maximum is ${limits.modelInputImagesMax}.`,
    ),
  },
  params: Type.Object(
    {
      prompt: promptParam(
        'Instructions for the edit. Refer to several images as the first image, the second image, and so on.',
      ),
      ...sizeParams('Default: the model decides, usually the size of the first image.'),
      seed: seedParam(),
      ...modelParams(),
    },
    { additionalProperties: false, ...sizeRules },
  ),
  outputs: {
    image:
      'The image that the model returned; every pixel is new. If `width` and `height` are set, an image with the same aspect ratio (within 2 %) is resampled to this size. Any other aspect ratio is rejected.',
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
      use: usesModel,
      params,
      images: images.length,
      request: async () => ({
        prompt,
        images: await requestImages(images, context),
        ...(size && { size }),
        ...(aspectRatio !== undefined && { aspectRatio }),
        ...(seed !== undefined && { seed }),
      }),
      async read(response) {
        const image = await modelImage(response, context)
        return size ? imageSized(image, size, context) : image
      },
    })
    return { image: madeByModel(result, model), model }
  },
})
