/** Google: the Gemini API. Its models return images and text with the same request, and support no masks. */
import { defineProvider, type ModelRow, type Price } from '../define.ts'
import { outputTokensMax, startBySdk } from './shared/ai-sdk.ts'
import { lookingModel } from './shared/text-models.ts'

const aspectRatios = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9']

function images(imagesMax: number): ModelRow['can'] {
  return { generate: { aspectRatios, seed: true }, edit: { aspectRatios, seed: true, imagesMax } }
}

/**
 * https://ai.google.dev/gemini-api/docs/pricing. An image takes 1,120 or 1,290 tokens. Thinking tokens count at the image price here,
 * although they cost less.
 */
function imageTokens(inputUsd: number, outputUsd: number): Price {
  return { asOf: '2026-11', per: 'tokens', inputUsd, outputUsd, inputMax: 25_000, outputMax: 4_000 }
}

function words(inputUsd: number, outputUsd: number): Price {
  return { asOf: '2026-11', per: 'tokens', inputUsd, outputUsd, inputMax: 60_000, outputMax: outputTokensMax }
}

export const google = defineProvider({
  id: 'google',
  title: 'Google',
  summary: 'Gemini and its image models, run by Google.',
  docsUrl: 'https://ai.google.dev/gemini-api/docs',
  settings: {
    apiKey: {
      names: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
      summary: 'The key of the Gemini API.',
      isSecret: true,
      isRequired: true,
    },
  },
  baseUrl: { names: ['GOOGLE_BASE_URL'], default: 'https://generativelanguage.googleapis.com/v1beta' },
  models: [
    { name: 'gemini-nano-banana-2.1', can: images(14), price: imageTokens(1.5, 30) },
    { name: 'gemini-2.5-flash-image', can: images(3), price: imageTokens(0.3, 30) },
    { name: 'gemini-3-pro-image-preview', can: images(14), price: imageTokens(2, 120) },
    { name: 'gemini-3-pro-image', can: images(14), price: imageTokens(2, 120) },
    { name: 'gemini-3.1-flash-image-preview', can: images(14) },
    { name: 'gemini-nano-banana-*', can: images(14) },
    {
      name: 'gemini-3.5-flash-lite',
      can: lookingModel({ seed: true, structuredOutput: true }),
      price: words(0.3, 2.5),
    },
    {
      name: 'gemini-2.5-flash-lite',
      can: lookingModel({ seed: true, structuredOutput: true }),
      price: words(0.1, 0.4),
    },
    { name: 'gemini-2.5-flash', can: lookingModel({ seed: true, structuredOutput: true }), price: words(0.3, 2.5) },
    { name: 'gemini-2.5-pro', can: lookingModel({ seed: true, structuredOutput: true }), price: words(1.25, 10) },
    { name: 'gemini-*', can: lookingModel({ seed: true, structuredOutput: true }) },
  ],
  concurrency: 8,

  start: (call, context) => {
    const { apiKey = '' } = context.settings
    const gemini = async (settings: { baseURL: string; fetch: typeof fetch }) =>
      (await import('@ai-sdk/google')).createGoogle({ ...settings, apiKey })
    return startBySdk(call, context, {
      title: 'Google',
      secrets: [apiKey],
      imageModel: async (name, settings) => (await gemini(settings)).image(name),
      textModel: async (name, settings) => (await gemini(settings)).chat(name),
      passes: { aspectRatio: true, seed: true },
      passesTextSeed: true,
    })
  },
})
