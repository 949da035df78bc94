import Type from 'typebox'
import { requestViews } from '../../imaging/raster/write/request-image.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { defineOperation, type ModelUse, socket } from '../define.ts'
import { callModel } from '../shared/call-model.ts'
import { modelParams, modelValue } from '../shared/model-params.ts'
import { parseJudgement } from '../shared/parse-judgement.ts'

/** A single image needs no model call. */
const imagesMin = 2

const usesModel: ModelUse = { capability: 'judge', requirements: { images: 'images', prompt: 'question' }, imagesMin }

const reasonCharsMax = 500

export const judge = defineOperation({
  id: 'judge',
  version: 1,
  title: 'Judge',
  summary: 'Chooses the best of several images with an AI model.',
  keywords: ['best', 'select', 'pick', 'rank', 'rate', 'compare', 'quality'],
  group: 'ai',
  inputs: {
    images: socket.many(
      `The images to choose from. The maximum is ${limits.modelInputImagesMax}, or fewer if the model accepts fewer. Sides longer than ${limits.modelInputSidePixelsMax} pixels are scaled down before the images are sent.`,
    ),
  },
  params: Type.Object(
    {
      question: Type.String({
        minLength: 1,
        maxLength: limits.questionCharsMax,
        default: 'Which of these images is the best?',
        title: 'Question',
        description: 'The question that the model answers by choosing an image.',
        'x-widget': 'textarea',
      }),
      ...modelParams(),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image:
      'The chosen image, unchanged. To choose the matching image of another list, such as larger copies, connect that list to `choose` with `index: "{{ nodes.judge.index }}"`.',
    values: {
      index: Type.Integer({ description: 'Index of the chosen image, starting at 0.' }),
      reason: Type.String({ description: 'The reason that the model gave; empty if there is only one image.' }),
      model: Type.Union([modelValue, Type.Null()], {
        description: 'The model that answered; null if there is only one image, because no model is called.',
      }),
    },
  },
  alpha: 'made',
  frames: 'first',
  usesModel,
  deterministic: true,
  examples: [
    {
      name: 'the one with an animal',
      inputs: { images: ['coffee.jpg', 'cat.jpg'] },
      params: { question: 'Which of these images would suit the page of a veterinarian best?' },
    },
  ],

  async run({ images }, params, context) {
    const [only] = images
    if (only !== undefined && images.length < imagesMin) return { image: only, index: 0, reason: '', model: null }
    const { result, model } = await callModel(context, {
      use: usesModel,
      params,
      images: images.length,
      request: async () => ({
        prompt: promptOf(params.question, images),
        images: await requestViews(images, context),
      }),
      read: async ({ text = '' }) => parseJudgement(text, images.length, reasonCharsMax),
    })
    const { index, reason } = result
    return { image: images[index] as ImageValue, index, reason, model }
  },
})

function promptOf(question: string, { length }: ImageValue[]): string {
  return [
    `You are shown ${length} images, numbered 1 to ${length} in the order in which you see them.`,
    `The question is: ${question}`,
    `Choose exactly one. Answer with nothing but JSON of this form: {"index": <number of the image, 1 to ${length}>, "reason": "<one or two short sentences>"}`,
  ].join('\n\n')
}
