import Type from 'typebox'
import { limits } from '../../limits.ts'
import { defineOperation, type ModelUse } from '../define.ts'
import { callModel } from '../shared/call-model.ts'
import {
  charsMaxParam,
  modelParams,
  modelValue,
  promptParam,
  responseSchemaParam,
  resultValue,
  seedParam,
} from '../shared/model-params.ts'
import { lengthOrSchema, readText } from '../shared/model-text.ts'

const usesModel: ModelUse = { capability: 'write', requirements: { seed: 'seed', prompt: 'prompt', schema: 'schema' } }

const plainText = 'Return only the requested text: no introduction, no quotation marks, no Markdown.'
const plainTexts = 'Write each text without quotation marks and Markdown.'

export const write = defineOperation({
  id: 'write',
  version: 1,
  title: 'Write',
  summary: 'Writes text for other nodes, such as a caption or a prompt, or several texts as JSON, with an AI model.',
  keywords: ['text generation', 'copywriting', 'headline', 'caption', 'slogan', 'translate', 'chat', 'llm', 'json'],
  group: 'ai',
  inputs: {},
  params: Type.Object(
    {
      prompt: promptParam('Description of the text to write.'),
      instructions: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: limits.questionCharsMax,
          title: 'Instructions',
          description: 'Style instructions: tone, language, things to leave out. Default: plain text without extras.',
          'x-widget': 'textarea',
        }),
      ),
      charsMax: charsMaxParam(1_000),
      schema: responseSchemaParam(),
      seed: seedParam(),
      ...modelParams(),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: undefined,
    values: {
      text: Type.String({ description: 'The text that the model wrote. With `schema`: the JSON of `result`.' }),
      result: resultValue,
      model: modelValue,
    },
    structured: { value: 'result', param: 'schema' },
  },
  alpha: 'made',
  frames: 'none',
  usesModel,
  deterministic: ({ seed }) => seed !== undefined,
  examples: [
    {
      name: 'a caption',
      params: {
        prompt: 'A caption for a photograph of a cup of coffee on a wooden table, for the page of a small café',
        instructions: 'One short sentence, warm and without exclamation marks.',
        charsMax: 80,
      },
    },
    {
      name: 'a headline, a caption and tags',
      params: {
        prompt: 'The page of a small café that opens at seven and roasts its own coffee',
        schema: {
          type: 'object',
          required: ['headline', 'caption', 'tags'],
          additionalProperties: false,
          properties: {
            headline: { type: 'string', maxLength: 40, description: 'A headline without a full stop.' },
            caption: { type: 'string', maxLength: 120, description: 'One warm sentence.' },
            tags: { type: 'array', minItems: 2, maxItems: 4, items: { type: 'string', maxLength: 20 } },
          },
        },
      },
    },
  ],

  async run(_, params, context) {
    const { prompt, charsMax, schema, seed } = params
    const { instructions = schema ? plainTexts : plainText } = params
    const { result, model } = await callModel(context, {
      use: usesModel,
      params,
      request: async () => ({
        prompt,
        instructions: schema ? instructions : `${instructions}\nUse at most ${charsMax} characters.`,
        images: [],
        ...lengthOrSchema(charsMax, schema),
        ...(seed !== undefined && { seed }),
      }),
      read: async (response) => readText(response, charsMax, schema),
    })
    return { ...result, model }
  },
})
