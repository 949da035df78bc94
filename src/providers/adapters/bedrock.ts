/** Amazon Bedrock: Nova Canvas for images, and every model with the Converse API for text. */
import type { ModelTraits } from '../../domain/models/model.ts'
import { type Call, defineProvider, type Price, ProviderProblem } from '../define.ts'
import { startBySdk } from './shared/ai-sdk.ts'
import { lookingModel } from './shared/text-models.ts'

/** https://docs.aws.amazon.com/nova/latest/userguide/image-gen-access.html */
const sizes: NonNullable<ModelTraits['sizes']> = {
  free: { sideMin: 320, sideMax: 4096, step: 16, pixelsMax: 4_194_304 },
}

/** Price for images up to 2048 x 2048. Up to 1024 x 1024 the price is 0.04. */
const canvas: Price = { asOf: '2026-07', per: 'image', usd: 0.06 }

function words(inputUsd: number, outputUsd: number): Price {
  return { asOf: '2026-07', per: 'tokens', inputUsd, outputUsd, inputMax: 60_000, outputMax: 5_000 }
}

export const bedrock = defineProvider({
  id: 'bedrock',
  title: 'Amazon Bedrock',
  summary: 'Amazon Nova and other models, run by AWS in a region of your choice.',
  docsUrl: 'https://docs.aws.amazon.com/bedrock/',
  settings: {
    bearerToken: { names: ['AWS_BEARER_TOKEN_BEDROCK'], summary: 'A Bedrock API key.', isSecret: true },
    accessKeyId: {
      names: ['AWS_ACCESS_KEY_ID'],
      summary: 'An access key instead of an API key, where `BEDROCK_REGION` is set: those of S3 alone do not count.',
      isSecret: true,
    },
    secretAccessKey: { names: ['AWS_SECRET_ACCESS_KEY'], summary: 'Its secret.', isSecret: true },
    sessionToken: {
      names: ['AWS_SESSION_TOKEN'],
      summary: 'Session token of temporary credentials.',
      isSecret: true,
    },
    region: {
      names: ['BEDROCK_REGION'],
      summary: 'AWS region of the models. Required with an access key.',
      check: checkRegion,
    },
    endpointRegion: {
      names: ['BEDROCK_REGION', 'AWS_REGION'],
      summary: 'AWS region of the models for an API key.',
      default: 'us-east-1',
      check: checkRegion,
    },
  },
  baseUrl: { names: ['BEDROCK_BASE_URL'], default: 'https://bedrock-runtime.{endpointRegion}.amazonaws.com' },
  models: [
    {
      // AWS accepts no new customers for it and plans to end it. Existing customers can still use it.
      name: 'amazon.nova-canvas-v1:0',
      can: { generate: { sizes, seed: true }, inpaint: { seed: true }, 'remove-background': {} },
      price: canvas,
    },
    { name: 'amazon.nova-lite-v1:0', can: lookingModel({ structuredOutput: true }), price: words(0.06, 0.24) },
    { name: 'amazon.nova-pro-v1:0', can: lookingModel({ structuredOutput: true }), price: words(0.8, 3.2) },
    ...['', 'us.', 'eu.', 'apac.', 'global.'].flatMap((area) => [
      { name: `${area}amazon.nova-*`, can: lookingModel({ structuredOutput: true }) },
      { name: `${area}anthropic.claude-*`, can: lookingModel({ structuredOutput: true }) },
    ]),
  ],
  concurrency: 4,

  missingConfig: ({ bearerToken, accessKeyId, secretAccessKey, region }) => {
    if (bearerToken !== undefined || (region && accessKeyId && secretAccessKey)) return undefined
    return 'set AWS_BEARER_TOKEN_BEDROCK, or BEDROCK_REGION with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
  },

  start: async (call, context) => {
    refuseSeedZero(call)
    const {
      bearerToken = '',
      accessKeyId = '',
      secretAccessKey = '',
      sessionToken,
      endpointRegion = '',
    } = context.settings
    const account = async (settings: { baseURL: string; fetch: typeof fetch }) =>
      (await import('@ai-sdk/amazon-bedrock')).createAmazonBedrock({
        ...settings,
        region: endpointRegion,
        // With an empty key, the package doesn't look for one in the environment.
        apiKey: bearerToken,
        accessKeyId,
        secretAccessKey,
        ...(sessionToken !== undefined && { sessionToken }),
      })
    return startBySdk(call, context, {
      title: 'Amazon Bedrock',
      secrets: [bearerToken, accessKeyId, secretAccessKey, sessionToken ?? ''],
      imageModel: async (name, settings) => (await account(settings)).image(name),
      textModel: async (name, settings) => (await account(settings))(name),
      passes: { size: true, seed: true },
      // Black pixels are repainted.
      mask: 'black',
      removesBackgrounds: true,
      options: ({ capability }) =>
        capability === 'remove-background' ? { amazonBedrock: { taskType: 'BACKGROUND_REMOVAL' } } : {},
    })
  },
})

function checkRegion(text: string): void {
  if (!/^[a-z]{2,}(-[a-z]+)+-\d$/.test(text)) throw new Error('must be an AWS region, such as us-east-1')
}

/** The package treats 0 as no seed and drops it. */
function refuseSeedZero({ request, model }: Call): void {
  if (request.seed === 0)
    throw new ProviderProblem('unsupported', `The model ${model.name} of Amazon Bedrock accepts seeds from 1, not 0.`)
}
