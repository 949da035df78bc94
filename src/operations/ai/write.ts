import Type from 'typebox'
import { limits } from '../../limits.ts'
import { defineOperation, type ModelUse } from '../define.ts'
import { callModel } from '../shared/call-model.ts'
import { charsMaxParam, modelParams, modelValue, promptParam, seedParam } from '../shared/model-params.ts'
import { roomFor, textOf } from '../shared/model-text.ts'

const usesModel: ModelUse = { capability: 'write', requirements: { seed: 'seed', prompt: 'prompt' } }

const plainText = 'Return only the requested text: no introduction, no quotation marks, no Markdown.'

export const write = defineOperation({
  id: 'write',
  version: 1,
  title: 'Write',
  summary: 'Writes text for other nodes, such as a caption or a prompt, with an AI model.',
  keywords: ['text generation', 'copywriting', 'headline', 'caption', 'slogan', 'translate', 'chat', 'llm'],
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
      seed: seedParam(),
      ...modelParams(),
    },
    { additionalProperties: false },
  ),
  outputs: {
    image: undefined,
    values: {
      text: Type.String({ description: 'The text that the model wrote.' }),
      model: modelValue,
    },
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
  ],

  async run(_, params, context) {
    const { prompt, instructions = plainText, charsMax, seed } = params
    const { result, model } = await callModel(context, {
      use: usesModel,
      params,
      request: async () => ({
        prompt,
        instructions: `${instructions}\nUse at most ${charsMax} characters.`,
        images: [],
        charsMax: roomFor(charsMax),
        ...(seed !== undefined && { seed }),
      }),
      read: async (response) => textOf(response, charsMax),
    })
    return { text: result, model }
  },
})
