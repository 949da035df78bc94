import Type from 'typebox'
import { requestView } from '../../imaging/raster/write/request-image.ts'
import { limits } from '../../limits.ts'
import { defineOperation, type ModelUse, socket } from '../define.ts'
import { callModel } from '../shared/call-model.ts'
import { charsMaxParam, modelParams, modelValue } from '../shared/model-params.ts'
import { roomFor, textOf } from '../shared/model-text.ts'

const usesModel: ModelUse = { capability: 'describe', requirements: { prompt: 'question' } }

const altText =
  'Describe this image in one or two plain sentences, as an alternative text for people who cannot see it. Say what is visible, without "image of" and without guessing names.'

export const describe = defineOperation({
  id: 'describe',
  version: 1,
  title: 'Describe',
  summary: 'Describes an image, or answers a question about it, with an AI model.',
  keywords: ['caption', 'alt text', 'image to text', 'question', 'tag', 'classify', 'vision'],
  group: 'ai',
  inputs: {
    image: socket.one(
      `The image to describe. Sides longer than ${limits.modelInputSidePixelsMax} pixels are scaled down before the image is sent.`,
    ),
  },
  params: Type.Object(
    {
      question: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: limits.questionCharsMax,
          title: 'Question',
          description:
            'Question about the image. It may also name the language of the response. Default: ask for alternative text in English, one or two sentences.',
          'x-widget': 'textarea',
        }),
      ),
      charsMax: charsMaxParam(500),
      ...modelParams(),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The image, unchanged.',
    values: {
      text: Type.String({ description: 'The response of the model.' }),
      model: modelValue,
    },
  },
  alpha: 'kept',
  frames: 'first',
  usesModel,
  deterministic: true,
  examples: [
    { name: 'for those who cannot see it', inputs: { image: 'coffee.jpg' }, params: {} },
    {
      name: 'a question',
      inputs: { image: 'cat.jpg' },
      params: { question: 'Which colours has this animal? Name at most three.', charsMax: 100 },
    },
  ],

  async run({ image }, params, context) {
    const { question = altText, charsMax } = params
    const { result, model } = await callModel(context, {
      use: usesModel,
      params,
      images: 1,
      request: async () => ({
        prompt: `${question} Use at most ${charsMax} characters.`,
        images: [await requestView(image, context)],
        charsMax: roomFor(charsMax),
      }),
      read: async (response) => textOf(response, charsMax),
    })
    return { image, text: result, model }
  },
})
