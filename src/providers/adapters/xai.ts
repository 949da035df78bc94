/** xAI: images with its own API, text with OpenAI's Chat Completions. */
import type { ModelTraits } from '../../domain/models/model.ts'
import { defineProvider, type Price } from '../define.ts'
import { outputTokensMax, startBySdk } from './shared/ai-sdk.ts'
import { lookingModel } from './shared/text-models.ts'

/** https://docs.x.ai/developers/model-capabilities/images/generation */
const aspectRatios = [
  ...['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '2:1', '1:2'],
  ...['19.5:9', '9:19.5', '20:9', '9:20'],
]
const generate: ModelTraits = { aspectRatios }
const edit: ModelTraits = { aspectRatios, imagesMax: 3 }

function words(inputUsd: number, outputUsd: number): Price {
  return { asOf: '2026-11', per: 'tokens', inputUsd, outputUsd, inputMax: 60_000, outputMax: outputTokensMax }
}

export const xai = defineProvider({
  id: 'xai',
  title: 'xAI',
  summary: 'Grok and Grok Imagine, run by xAI.',
  docsUrl: 'https://docs.x.ai',
  settings: {
    apiKey: { names: ['XAI_API_KEY'], summary: 'The key of xAI.', isSecret: true, isRequired: true },
  },
  baseUrl: { names: ['XAI_BASE_URL'], default: 'https://api.x.ai/v1' },
  models: [
    {
      name: 'grok-imagine-image',
      can: { generate, edit },
      // Responses report their cost; this is the reserved amount. Each input image costs 0.2 cents.
      price: {
        generate: { asOf: '2026-11', per: 'call', usd: 0.02 },
        edit: { asOf: '2026-11', per: 'call', usd: 0.026 },
      },
    },
    { name: 'grok-imagine-*', can: { generate, edit } },
    { name: 'grok-4.6', can: lookingModel({ structuredOutput: true }), price: words(2, 6) },
    { name: 'grok-4.5', can: lookingModel({ structuredOutput: true }), price: words(2, 6) },
    { name: 'grok-4-1-fast-non-reasoning', can: lookingModel({ structuredOutput: true }), price: words(0.2, 0.5) },
    { name: 'grok-4*', can: lookingModel({ structuredOutput: true }) },
  ],
  concurrency: 4,

  start: (call, context) => {
    const { apiKey = '' } = context.settings
    return startBySdk(call, context, {
      title: 'xAI',
      secrets: [apiKey],
      imageModel: async (name, settings) =>
        (await import('@ai-sdk/xai')).createXai({ ...settings, apiKey }).image(name),
      textModel: async (name, settings) =>
        (await import('@ai-sdk/openai-compatible'))
          .createOpenAICompatible({ ...settings, apiKey, name: 'xai', supportsStructuredOutputs: true })
          .chatModel(name),
      passes: { aspectRatio: true },
      costOf: ({ xai: metadata }) => microsOf((metadata as { costInUsdTicks?: unknown } | undefined)?.costInUsdTicks),
    })
  },
})

/** A tick is 1e-10 dollars. */
function microsOf(ticks: unknown): number | undefined {
  return typeof ticks === 'number' && ticks >= 0 && Number.isFinite(ticks) ? Math.ceil(ticks / 10_000) : undefined
}
