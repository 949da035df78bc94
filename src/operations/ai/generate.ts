import Type from 'typebox'
import { imageSized, modelImage } from '../../imaging/raster/read/model-image.ts'
import { checkSize } from '../../imaging/raster/size.ts'
import { defineOperation, type ModelUse } from '../define.ts'
import { callModel, madeByModel } from '../shared/call-model.ts'
import { modelParams, modelValue, promptParam, seedParam, sizeParams, sizeRules } from '../shared/model-params.ts'

const usesModel: ModelUse = {
  capability: 'generate',
  requirements: {
    size: ['width', 'height'],
    aspectRatio: 'aspectRatio',
    seed: 'seed',
    transparency: 'transparent',
    prompt: 'prompt',
  },
}

export const generate = defineOperation({
  id: 'generate',
  version: 1,
  title: 'Generate',
  summary: 'Generates an image from a text prompt with an AI model.',
  keywords: ['text to image', 'txt2img', 'ai image', 'create image', 'draw', 'imagine', 'diffusion'],
  group: 'ai',
  inputs: {},
  params: Type.Object(
    {
      prompt: promptParam('Description of the image.'),
      ...sizeParams('Default: the model decides.'),
      transparent: Type.Boolean({
        default: false,
        title: 'Transparent',
        description: 'Request a transparent background. Only some models support it; an opaque image is rejected.',
      }),
      seed: seedParam(),
      ...modelParams(),
    },
    { additionalProperties: false, ...sizeRules },
  ),
  outputs: {
    image:
      'The image that the model returned. If `width` and `height` are set, an image with the same aspect ratio (within 2 %) is resampled to this size. Any other aspect ratio is rejected.',
    values: {
      model: modelValue,
      seed: Type.Union([Type.Integer(), Type.Null()], {
        description: 'The seed that the model used or received; null if the model did not report one.',
      }),
    },
  },
  alpha: 'made',
  frames: 'none',
  usesModel,
  deterministic: ({ seed }) => seed !== undefined,
  examples: [
    {
      name: 'a background',
      params: { prompt: 'An empty wooden table by a window, morning light, soft shadows', width: 512, height: 384 },
    },
    {
      name: 'by shape, with a seed',
      params: { prompt: 'A paper boat on a calm lake, flat illustration', aspectRatio: '16:9', seed: 7 },
    },
  ],

  async run(_, params, context) {
    const { prompt, width, height, aspectRatio, transparent, seed } = params
    const size = width !== undefined && height !== undefined ? { width, height } : undefined
    if (size) checkSize(size.width, size.height, context.pixelsMax)
    const { result, model } = await callModel(context, {
      use: usesModel,
      params,
      request: async () => ({
        prompt,
        images: [],
        ...(size && { size }),
        ...(aspectRatio !== undefined && { aspectRatio }),
        ...(seed !== undefined && { seed }),
        ...(transparent && { transparency: true }),
      }),
      async read(response) {
        const generated = await modelImage(response, context)
        if (transparent && !generated.hasAlpha) throw new Error('The response has an opaque image.')
        const image = size ? await imageSized(generated, size, context) : generated
        return { image: madeByModel(image, response.model), seed: response.seed ?? seed ?? null }
      },
    })
    return { ...result, model }
  },
})
