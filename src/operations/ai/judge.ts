import Type from 'typebox'
import { requestViews } from '../../imaging/raster/write/request-image.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { defineOperation, type ModelUse, socket } from '../define.ts'
import { callModel } from '../shared/call-model.ts'
import { modelParams, modelValue } from '../shared/model-params.ts'
import { parseJudgement } from '../shared/parse-judgement.ts'

/** Of one alone there is nothing to ask. */
const imagesMin = 2

const usesModel: ModelUse = { capability: 'judge', requirements: { images: 'images', prompt: 'question' }, imagesMin }

const reasonCharsMax = 500

export const judge = defineOperation({
  id: 'judge',
  version: 1,
  title: 'Judge',
  summary: 'Lets an AI model choose the best of several images.',
  group: 'ai',
  inputs: {
    images: socket.many(
      `The images to choose from. No more than ${limits.modelInputImagesMax}, and no more than the model takes. Sides of more than ${limits.modelInputSidePixelsMax} pixels are made smaller before they are handed on.`,
    ),
  },
  params: Type.Object(
    {
      question: Type.String({
        minLength: 1,
        maxLength: limits.questionCharsMax,
        default: 'Which of these images is the best?',
        title: 'Question',
        description: 'What the best one is the best at.',
        'x-widget': 'textarea',
      }),
      ...modelParams(),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image:
      'The image that was chosen, unchanged. To choose among others by it, such as larger copies, wire them to `choose` with `index: "{{ nodes.judge.index }}"`.',
    values: {
      index: Type.Integer({ description: 'Its place, from 0.' }),
      reason: Type.String({ description: 'Why, in the words of the model; empty for one image alone.' }),
      model: Type.Union([modelValue, Type.Null()], {
        description: 'The model that answered; nothing for one image alone, for which none is asked.',
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
      asks: usesModel,
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
