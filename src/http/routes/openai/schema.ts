/** Schemas of the OpenAI-compatible API. */
import Type from 'typebox'
import { named } from '../../../domain/named-schema.ts'
import { limits } from '../../../limits.ts'
import { ExecutionCost } from '../executions/schema.ts'

export const OpenAiModelList = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'The slug of the workflow, or `slug@channel`. Its id if it has no slug.' }),
          object: Type.Literal('model'),
          created: Type.Integer({ description: 'Seconds since 1970.' }),
          owned_by: Type.String(),
        },
        named('OpenAiModel'),
      ),
    ),
  },
  {
    ...named('OpenAiModelList'),
    examples: [
      { object: 'list', data: [{ id: 'card@live', object: 'model', created: 1_796_000_000, owned_by: 'tintype' }] },
    ],
  },
)

export const responseFormats = ['url', 'b64_json'] as const

/** The fields of both requests. */
export const imagesFields = {
  model: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,80}(@[A-Za-z0-9-]{1,63})?$',
    description: 'The slug of a workflow whose document has `openai`, `slug@channel` or `slug@version`.',
    'x-expected': 'the slug of a workflow, or slug@channel',
  }),
  prompt: Type.String({ description: 'The value for the parameter that `openai.prompt` names.' }),
  n: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.openAiImagesMax,
      description:
        'Number of images: as many executions with the same parameters, each with its own cost. At most `openai.n` of the document. Default: 1.',
    }),
  ),
  size: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'For the parameters that `openai.size`, or `openai.width` and `openai.height` name. `auto` uses their defaults.',
    }),
  ),
  response_format: Type.Optional(
    Type.Enum([...responseFormats], { description: 'Whether `data` has URLs or the bytes in base64. Default: url.' }),
  ),
}

const exampleUrl = 'https://images.example.com/images/img_06h15xnfhw00snp469yjg5mdfjbs.webp'

export const OpenAiImagesResponse = Type.Object(
  {
    created: Type.Integer({ description: 'Seconds since 1970.' }),
    data: Type.Array(
      Type.Object(
        {
          url: Type.Optional(Type.String()),
          b64_json: Type.Optional(Type.String()),
          executionId: Type.String({ description: 'The execution of the image. Not in the API of OpenAI.' }),
          cost: Type.Optional(ExecutionCost),
        },
        named('OpenAiImage'),
      ),
    ),
  },
  {
    ...named('OpenAiImages'),
    examples: [
      { created: 1_796_000_000, data: [{ url: exampleUrl, executionId: 'exec_06h15xnfhg00ww4d3x48s1b7wznh' }] },
    ],
  },
)
