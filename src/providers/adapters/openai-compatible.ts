/** Any server with the OpenAI API: Ollama, vLLM, LM Studio, LocalAI, LiteLLM. It serves any model name. */
import type { ModelTraits } from '../../domain/models/model.ts'
import { defineProvider, type ModelRow } from '../define.ts'
import { startBySdk } from './shared/ai-sdk.ts'
import { lookingModel, namesOf } from './shared/text-models.ts'

const sizes: NonNullable<ModelTraits['sizes']> = { free: { sideMin: 64, sideMax: 4096 } }

export const openaiCompatible = defineProvider({
  id: 'openai-compatible',
  title: 'OpenAI-compatible server',
  summary: 'Any server with the OpenAI API: Ollama, vLLM, LM Studio, LocalAI, LiteLLM.',
  docsUrl: 'https://ai-sdk.dev/providers/openai-compatible-providers',
  settings: {
    apiKey: {
      names: ['OPENAI_COMPATIBLE_API_KEY'],
      summary: 'The key of that server, if it needs one.',
      isSecret: true,
    },
    textModels: {
      names: ['OPENAI_COMPATIBLE_TEXT_MODELS'],
      summary: 'Its models that see and write, with commas. Those that do only one of the two belong in `MODELS_FILE`.',
    },
    imageModels: {
      names: ['OPENAI_COMPATIBLE_IMAGE_MODELS'],
      summary: 'Its image models, comma-separated. Declare missing capabilities in `MODELS_FILE`.',
    },
  },
  baseUrl: { names: ['OPENAI_COMPATIBLE_BASE_URL'], path: '/v1' },
  models: async ({ textModels, imageModels }) => [
    ...namesOf(imageModels).map(imageRow),
    ...namesOf(textModels).map((name): ModelRow => ({ name, can: lookingModel({ seed: true }) })),
  ],
  concurrency: 4,

  start: (call, context) => {
    const { apiKey } = context.settings
    const compatible = async (settings: { baseURL: string; fetch: typeof fetch }) =>
      (await import('@ai-sdk/openai-compatible')).createOpenAICompatible({
        ...settings,
        name: 'server',
        // Only requests to models that the operator marks with `structuredOutput` have a schema.
        supportsStructuredOutputs: true,
        ...(apiKey !== undefined && { apiKey }),
      })
    return startBySdk(call, context, {
      title: 'The OpenAI-compatible server',
      secrets: apiKey === undefined ? [] : [apiKey],
      imageModel: async (name, settings) => (await compatible(settings)).imageModel(name),
      textModel: async (name, settings) => (await compatible(settings)).chatModel(name),
      passes: { size: true, transparency: true },
      mask: 'transparent',
      passesTextSeed: true,
      options: ({ request }) => ({ server: request.transparency ? { background: 'transparent' } : {} }),
    })
  },
})

function imageRow(name: string): ModelRow {
  return { name, can: { generate: { sizes }, edit: { sizes, imagesMax: 16 }, inpaint: { sizes } } }
}
