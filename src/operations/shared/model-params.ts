/** Params of all operations that call AI models, so that they are the same everywhere. */
import Type from 'typebox'
import type { ValueSchema } from '../../../shared/json-schema.ts'
import type { TextFormat } from '../../../shared/parameter-formats.ts'
import { limits } from '../../limits.ts'
import { pixels } from './params.ts'

const name = {
  maxLength: limits.modelNameCharsMax,
  pattern: '^[!-.0-~]+(/[!-~]+)?$',
  'x-expected': 'provider/model, or the name of a local model',
  'x-widget': 'model',
}

/** The models to call. `otherwise`: describes the default. */
export function modelParams(otherwise = 'Default: the model that the service is configured with for this operation.') {
  return {
    model: Type.Optional(
      Type.String({
        ...name,
        title: 'Model',
        description: `The model to call, as \`provider/model\`; \`GET /v1/providers\` lists all models. ${otherwise}`,
      }),
    ),
    fallback: Type.Optional(
      Type.Array(Type.String(name), {
        minItems: 1,
        maxItems: limits.fallbackModelsMax,
        title: 'Fallback',
        description:
          'Models to try, in this order, if the previous model cannot respond. Requests that a provider rejects because of their content are not sent to another model. Results of a fallback model are not cached while the preferred model is available.',
        'x-advanced': true,
      }),
    ),
    onUnknownOutcome: Type.Enum(['fail', 'retry'], {
      default: 'fail',
      title: 'On unknown outcome',
      description:
        'How to handle a call with an unknown outcome, for example because the connection broke or the service was killed. fail: the step fails, and nothing is paid twice; retry: the request is sent again and may be paid twice.',
      'x-advanced': true,
    }),
  }
}

/** The local model of an operation that can't use models of providers. */
export function localModelParam(operation: string, description: string) {
  return Type.String({
    ...name,
    'x-expected': 'the name of a local model',
    'x-local-models': operation,
    title: 'Model',
    description,
    'x-advanced': true,
  })
}

export interface ModelChoice {
  model?: string
  fallback?: string[]
  onUnknownOutcome: 'fail' | 'retry'
}

export function promptParam(description: string) {
  return Type.String({
    minLength: 1,
    maxLength: limits.promptCharsMax,
    title: 'Prompt',
    description,
    'x-widget': 'textarea',
  })
}

/** Size and aspect ratio of the result; use them with `sizeRules`. */
export function sizeParams(otherwise: string) {
  return {
    width: Type.Optional(
      pixels({
        minimum: 1,
        title: 'Width',
        description: `Width of the result. Only some models accept a size. ${otherwise}`,
      }),
    ),
    height: Type.Optional(pixels({ minimum: 1, title: 'Height', description: 'Height of the result.' })),
    aspectRatio: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,3}:[1-9][0-9]{0,3}$',
        'x-expected': 'two whole numbers separated by a colon, such as 16:9',
        maxLength: 9,
        examples: ['1:1', '3:2', '16:9', '9:16'],
        title: 'Aspect ratio',
        description: 'Aspect ratio, such as `16:9`, for models that accept a ratio instead of a size.',
      }),
    ),
  }
}

export const sizeRules = {
  dependentRequired: { width: ['height'], height: ['width'] },
  allOf: [{ not: { required: ['width', 'aspectRatio'] } }],
}

/** The param for a seed: without one, a model returns a different image each time. */
export function seedParam() {
  return Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      title: 'Seed',
      description:
        'The same seed gives the same or nearly the same result; only some models accept a seed. Results with a seed are cached.',
    }),
  )
}

export function charsMaxParam(characters: number) {
  return Type.Integer({
    minimum: 1,
    maximum: limits.textAnswerCharsMax,
    default: characters,
    title: 'Maximum characters',
    description: 'Maximum length, which is also sent to the model. Longer text is cut after a word, with an ellipsis.',
  })
}

/** The formats of texts in a response. A model can't return an image, and knows no fonts and models of the service. */
export const responseFormats: readonly TextFormat[] = ['multiline', 'color', 'url', 'date']

export function responseSchemaParam() {
  return Type.Optional(
    Type.Unsafe<ValueSchema>({
      type: 'object',
      additionalProperties: true,
      title: 'Schema',
      description:
        'JSON Schema of the response, with the keywords of [JSON parameters](../guide/parameters.md#json-with-a-schema): an object or an array. The model responds with a value that matches it, and templates read its fields, such as `{{ nodes.<id>.result.headline }}`. Describe each field with `description`. Templates are not allowed in it. With a schema, `charsMax` has no effect.',
      'x-widget': 'schema',
      'x-formats': responseFormats,
    }),
  )
}

export const resultValue = Type.Unknown({
  description:
    'With `schema`: the value that the model returned. Fields that it left out have their default, or are nil.',
})

export const modelValue = Type.String({ description: 'The model that answered, as `provider/model`.' })
