import Type from 'typebox'
import { requestView } from '../../imaging/raster/write/request-image.ts'
import { limits } from '../../limits.ts'
import { defineOperation, type ModelUse, socket } from '../define.ts'
import { callModel } from '../shared/call-model.ts'
import { charsMaxParam, modelParams, modelValue, responseSchemaParam, resultValue } from '../shared/model-params.ts'
import { lengthOrSchema, readText } from '../shared/model-text.ts'

const usesModel: ModelUse = { capability: 'describe', requirements: { prompt: 'question', schema: 'schema' } }

const altText =
  'Describe this image in one or two plain sentences, as an alternative text for people who cannot see it. Say what is visible, without "image of" and without guessing names.'

const facts = 'Describe this image. Say only what is visible, without guessing names.'

export const describe = defineOperation({
  id: 'describe',
  version: 1,
  title: 'Describe',
  summary: 'Describes an image, or answers a question about it, as text or as JSON, with an AI model.',
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
      schema: responseSchemaParam(),
      ...modelParams(),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: 'The image, unchanged.',
    values: {
      text: Type.String({ description: 'The response of the model. With `schema`: the JSON of `result`.' }),
      result: resultValue,
      model: modelValue,
    },
    structured: { value: 'result', param: 'schema' },
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
    {
      name: 'facts as JSON',
      inputs: { image: 'coffee.jpg' },
      params: {
        schema: {
          type: 'object',
          required: ['alt', 'objects', 'isIndoors'],
          additionalProperties: false,
          properties: {
            alt: {
              type: 'string',
              maxLength: 200,
              description: 'Alternative text for people who cannot see the image.',
            },
            objects: { type: 'array', maxItems: 5, items: { type: 'string' } },
            isIndoors: { type: 'boolean' },
          },
        },
      },
    },
  ],

  async run({ image }, params, context) {
    const { charsMax, schema } = params
    const { question = schema ? facts : altText } = params
    const { result, model } = await callModel(context, {
      use: usesModel,
      params,
      images: 1,
      request: async () => ({
        prompt: schema ? question : `${question} Use at most ${charsMax} characters.`,
        images: [await requestView(image, context)],
        ...lengthOrSchema(charsMax, schema),
      }),
      read: async (response) => readText(response, charsMax, schema),
    })
    return { image, ...result, model }
  },
})
