/** OpenAI: the Images API, and Chat Completions, which unlike Responses stores no requests. */
import type { ModelTraits } from '../../domain/models/model.ts'
import { type Call, defineProvider, type ModelRow, type Price } from '../define.ts'
import { outputTokensMax, type ProviderOptions, startBySdk } from './shared/ai-sdk.ts'
import { lookingModel, writingModel } from './shared/text-models.ts'

const sizes = { listed: ['1024x1024', '1536x1024', '1024x1536'] }
const images = (traits: ModelTraits): ModelRow['can'] => ({
  generate: { sizes, ...traits },
  edit: { sizes, imagesMax: 16, ...traits },
  inpaint: { sizes, ...traits },
})

/**
 * https://developers.openai.com/api/docs/pricing. Responses report text and image tokens as one number, so requests with images use the
 * higher of both prices. An image of the best quality takes about 6,200 tokens.
 */
function imageTokens(
  asOf: string,
  textUsd: number,
  imageUsd: number,
  outputUsd: number,
): NonNullable<ModelRow['price']> {
  const generate: Price = { asOf, per: 'tokens', inputUsd: textUsd, outputUsd, inputMax: 10_000, outputMax: 7_000 }
  const edit: Price = { ...generate, inputUsd: imageUsd, inputMax: 30_000 }
  return { generate, edit, inpaint: edit }
}

function words(inputUsd: number, outputUsd: number): Price {
  return { asOf: '2026-11', per: 'tokens', inputUsd, outputUsd, inputMax: 60_000, outputMax: outputTokensMax }
}

export const openai = defineProvider({
  id: 'openai',
  title: 'OpenAI',
  summary: 'GPT Image and GPT, run by OpenAI.',
  docsUrl: 'https://developers.openai.com/api/docs',
  settings: {
    apiKey: { names: ['OPENAI_API_KEY'], summary: 'The key of OpenAI.', isSecret: true, isRequired: true },
    organization: {
      names: ['OPENAI_ORGANIZATION', 'OPENAI_ORG_ID'],
      summary: 'The organization that pays, if several.',
    },
    project: { names: ['OPENAI_PROJECT', 'OPENAI_PROJECT_ID'], summary: 'The project that pays, if several.' },
  },
  baseUrl: { names: ['OPENAI_BASE_URL'], default: 'https://api.openai.com/v1' },
  models: [
    { name: 'gpt-image-2', can: images({}), price: imageTokens('2026-11', 5, 8, 30) },
    { name: 'gpt-image-1.5', can: images({ transparency: true }), price: imageTokens('2026-11', 5, 8, 32) },
    { name: 'gpt-image-1-mini', can: images({ transparency: true }), price: imageTokens('2026-11', 2, 2.5, 8) },
    { name: 'gpt-image-1', can: images({ transparency: true }), price: imageTokens('2026-11', 5, 10, 40) },
    { name: 'gpt-image-2.5-*', can: images({ transparency: true }) },
    { name: 'gpt-image-2.6-*', can: images({}) },
    { name: 'gpt-image-*', can: images({}) },
    // Without reasoning, it responds quickly.
    {
      name: 'gpt-6-luna',
      can: lookingModel({ structuredOutput: true }),
      price: words(0.1, 0.5),
      'x-reasoning': 'none',
    },
    { name: 'gpt-6-sol', can: lookingModel({ structuredOutput: true }), price: words(2, 10), 'x-reasoning': 'none' },
    {
      name: 'gpt-5.6-luna',
      can: lookingModel({ structuredOutput: true }),
      price: words(0.2, 1.2),
      'x-reasoning': 'none',
    },
    {
      name: 'gpt-5.4-mini',
      can: lookingModel({ structuredOutput: true }),
      price: words(0.75, 4.5),
      'x-reasoning': 'none',
    },
    { name: 'gpt-4.1', can: lookingModel({ seed: true, structuredOutput: true }), price: words(2, 8) },
    { name: 'gpt-4.1-mini', can: lookingModel({ seed: true, structuredOutput: true }), price: words(0.4, 1.6) },
    { name: 'gpt-4.1-nano', can: lookingModel({ seed: true, structuredOutput: true }), price: words(0.1, 0.4) },
    { name: 'gpt-4o', can: lookingModel({ seed: true, structuredOutput: true }), price: words(2.5, 10) },
    { name: 'gpt-4o-mini', can: lookingModel({ seed: true, structuredOutput: true }), price: words(0.15, 0.6) },
    { name: 'gpt-6*', can: lookingModel({ structuredOutput: true }) },
    { name: 'gpt-5*', can: lookingModel({ structuredOutput: true }) },
    { name: 'o3-mini', can: writingModel({ structuredOutput: true }) },
  ],
  concurrency: 8,

  start: (call, context) => {
    const { apiKey = '', organization, project } = context.settings
    const account = { apiKey, ...(organization && { organization }), ...(project && { project }) }
    return startBySdk(call, context, {
      title: 'OpenAI',
      secrets: [apiKey],
      imageModel: async (name, settings) =>
        (await import('@ai-sdk/openai')).createOpenAI({ ...settings, ...account }).image(name),
      textModel: async (name, settings) =>
        (await import('@ai-sdk/openai')).createOpenAI({ ...settings, ...account }).chat(name),
      passes: { size: true, transparency: true },
      mask: 'transparent',
      passesTextSeed: true,
      options: (request, tokensMax) => ({ openai: optionsOf(request, tokensMax) }),
      boundsTokens: true,
      callIdHeader: 'x-client-request-id',
    })
  },
})

function optionsOf({ request, model }: Call, tokensMax: number): ProviderOptions[string] {
  const options: ProviderOptions[string] = {}
  // Only PNG and WebP have an alpha channel.
  if (request.transparency) Object.assign(options, { background: 'transparent', outputFormat: 'png' })
  if (tokensMax > 0) options.maxCompletionTokens = tokensMax
  if (typeof model['x-reasoning'] === 'string') options.reasoningEffort = model['x-reasoning']
  return options
}
