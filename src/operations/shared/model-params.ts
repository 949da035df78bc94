/** Params of all operations that ask AI models, so that they mean the same everywhere. */
import Type from 'typebox'
import { limits } from '../../limits.ts'
import { pixels } from './params.ts'

const name = {
  maxLength: limits.modelNameCharsMax,
  pattern: '^[!-.0-~]+(/[!-~]+)?$',
  'x-expected': 'provider/model, or the name of a local model',
  'x-widget': 'model',
}

/** Which models are asked. `otherwise`: what is said of leaving `model` out. */
export function modelParams(otherwise = 'Default: the one that the service has set for this operation.') {
  return {
    model: Type.Optional(
      Type.String({
        ...name,
        title: 'Model',
        description: `The model, as \`provider/model\`; \`GET /v1/providers\` lists them. ${otherwise}`,
      }),
    ),
    fallback: Type.Optional(
      Type.Array(Type.String(name), {
        minItems: 1,
        maxItems: limits.fallbackModelsMax,
        title: 'Fallback',
        description:
          'Models that are tried in this order when the one before cannot answer. What a provider declines for its content, no other one is asked. Nothing that a fallback gives is kept in the cache while the model before it is there to be asked again.',
        'x-advanced': true,
      }),
    ),
    onUnknownOutcome: Type.Enum(['fail', 'retry'], {
      default: 'fail',
      title: 'On unknown outcome',
      description:
        'When nobody can tell whether a call was carried out, because the connection broke or the service was killed. fail: the step fails, and nothing is paid twice; retry: it is asked again, and may be paid twice.',
      'x-advanced': true,
    }),
  }
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

/** Size and shape of what is made; `sizeRules` go with them. */
export function sizeParams(otherwise: string) {
  return {
    width: Type.Optional(
      pixels({
        minimum: 1,
        title: 'Width',
        description: `Of what is made. Only some models can be told. ${otherwise}`,
      }),
    ),
    height: Type.Optional(pixels({ minimum: 1, title: 'Height', description: 'Of what is made.' })),
    aspectRatio: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,3}:[1-9][0-9]{0,3}$',
        'x-expected': 'two whole numbers with a colon between, as in 16:9',
        maxLength: 9,
        examples: ['1:1', '3:2', '16:9', '9:16'],
        title: 'Aspect ratio',
        description: 'Width to height, as `16:9`, for models that know shapes instead of sizes.',
      }),
    ),
  }
}

export const sizeRules = {
  dependentRequired: { width: ['height'], height: ['width'] },
  allOf: [{ not: { required: ['width', 'aspectRatio'] } }],
}

/** Of what models make: without one, it is another picture each time. */
export function seedParam() {
  return Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      title: 'Seed',
      description:
        'The same seed gives the same result, or nearly; only some models take one. With a seed, results are served from the cache.',
    }),
  )
}

export function charsMaxParam(characters: number) {
  return Type.Integer({
    minimum: 1,
    maximum: limits.textAnswerCharsMax,
    default: characters,
    title: 'Most characters',
    description: 'The model is told; what is longer all the same is cut after a word, with an ellipsis.',
  })
}

export const modelValue = Type.String({ description: 'The model that answered, as `provider/model`.' })
