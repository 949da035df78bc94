import Type from 'typebox'
import type { Frame } from '../../../shared/frames.ts'
import { failure } from '../../errors.ts'
import { imageFromPixels, pixelsOf } from '../../imaging/raster/image.ts'
import { blendByMask } from '../../imaging/raster/layer/blend-by-mask.ts'
import { modelImage, pixelsSized } from '../../imaging/raster/read/model-image.ts'
import { requestImage } from '../../imaging/raster/write/request-image.ts'
import { type MaskLevels, maskBounds, maskLevels, requestMask } from '../../imaging/raster/write/request-mask.ts'
import { defineOperation, type ModelUse, type OperationContext, socket } from '../define.ts'
import { callModel, madeByModel } from '../shared/call-model.ts'
import { areaFrame } from '../shared/frames.ts'
import { modelParams, modelValue, promptParam, seedParam } from '../shared/model-params.ts'

const usesModel: ModelUse = { capability: 'inpaint', requirements: { seed: 'seed', prompt: 'prompt' } }

export const inpaint = defineOperation({
  id: 'inpaint',
  version: 1,
  title: 'Inpaint',
  summary: 'Repaints part of an image from a prompt with an AI model; the rest does not change.',
  keywords: ['generative fill', 'fill', 'remove object', 'erase', 'replace', 'retouch', 'heal'],
  group: 'ai',
  inputs: {
    image: socket.one('The image to repaint.'),
    mask: socket.mask(
      'White areas are repainted, black areas do not change. If the mask has transparency, its brightness is multiplied by its alpha. Must have the size of the image.',
    ),
  },
  params: Type.Object(
    {
      prompt: promptParam('Description of the white area of the mask.'),
      seed: seedParam(),
      ...modelParams(),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image:
      'The image in its original size. Black areas of the mask keep the original pixels, grey areas mix both. If the model returns another size with the same aspect ratio (within 2 %), it is resampled; another aspect ratio is rejected.',
    values: { model: modelValue },
    drawn: { mask: 'The part of the mask that is not black.' },
  },
  alpha: 'made',
  frames: 'first',
  usesModel,
  deterministic: ({ seed }) => seed !== undefined,
  examples: [
    {
      name: 'the content of the cup',
      inputs: { image: 'coffee.jpg', mask: 'cup-mask.png' },
      params: { prompt: 'A saucer with a heart' },
    },
  ],

  async run({ image, mask }, params, context) {
    const { prompt, seed } = params
    if (mask.width !== image.width || mask.height !== image.height) {
      throw failure(
        'input_invalid',
        `The mask is ${mask.width} x ${mask.height} and the image is ${image.width} x ${image.height}. Both must have the same size. Resize one of them first.`,
      )
    }
    const levels = await maskLevels(await pixelsOf(mask, context), context)
    if (levels.data.equals(Buffer.alloc(levels.data.length))) {
      throw failure(
        'input_invalid',
        'The mask is completely black, so no part of the image would be repainted. Draw the area to repaint in white.',
      )
    }
    const { result, model } = await callModel(context, {
      use: usesModel,
      params,
      images: 1,
      request: async () => ({
        prompt,
        images: [await requestImage(image, context)],
        mask: requestMask(levels, context),
        ...(seed !== undefined && { seed }),
      }),
      read: async (response) => pixelsSized(await modelImage(response, context), image, context),
    })
    const blended = await blendByMask(await pixelsOf(image, context), result, levels, context)
    return { image: madeByModel(imageFromPixels(blended), model), model, drawn: await maskFrames(levels, context) }
  },
})

async function maskFrames(levels: MaskLevels, context: OperationContext): Promise<Frame[]> {
  const area = await maskBounds(levels, context)
  return area ? [{ ...areaFrame('mask', 'mask', 'input', area), socket: 'mask' }] : []
}
