/**
 * Replicate's predictions: https://replicate.com/docs/reference/http. Official models are called by name, others by version. Files expire
 * after an hour.
 */
import type { Handle } from '../../domain/models/provider-call.ts'
import type { ProviderResponse } from '../../net/provider-http.ts'
import {
  type Call,
  defineProvider,
  type ModelRow,
  type Polled,
  type ProviderContext,
  ProviderProblem,
  type ProviderResult,
  type Started,
} from '../define.ts'
import { type InputFields, imageOf, inputOf } from './shared/input-fields.ts'
import {
  badOutput,
  type ErrorReport,
  type Fields,
  fieldsOf,
  idOf,
  isGarbled,
  isSuccess,
  numberOf,
  pathOf,
  pollProblem,
  problem,
  resultSeconds,
  secondsFor,
  submitProblem,
  submitSeconds,
  textOf,
  unknownOutcome,
} from './shared/responses.ts'

const title = 'Replicate'

const fluxRatios = ['1:1', '16:9', '21:9', '3:2', '2:3', '4:5', '5:4', '3:4', '4:3', '9:16', '9:21']
const kontextRatios = ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '4:5', '5:4', '21:9', '9:21', '2:1', '1:2']
const bananaRatios = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9']
const png = { output_format: 'png' }
const banana = { images: 'image_input' }

/**
 * Models of Replicate with their input fields: https://replicate.com/<name>/api/schema. Prices are from https://replicate.com/pricing in
 * the month of `asOf`. Models without a published price have none here.
 */
const models: readonly ModelRow[] = [
  {
    name: 'black-forest-labs/flux-schnell',
    can: { generate: { aspectRatios: fluxRatios, seed: true } },
    price: { asOf: '2026-05', per: 'image', usd: 0.003 },
    'x-input': { num_outputs: 1, ...png },
  },
  {
    name: 'black-forest-labs/flux-dev',
    can: { generate: { aspectRatios: fluxRatios, seed: true } },
    price: { asOf: '2026-05', per: 'image', usd: 0.025 },
    'x-input': { num_outputs: 1, ...png },
  },
  {
    name: 'black-forest-labs/flux-1.1-pro',
    can: { generate: { aspectRatios: ['1:1', '16:9', '3:2', '2:3', '4:5', '5:4', '9:16', '3:4', '4:3'], seed: true } },
    'x-input': png,
  },
  {
    name: 'black-forest-labs/flux-kontext-pro',
    can: { edit: { aspectRatios: kontextRatios, seed: true } },
    'x-fields': { image: 'input_image' },
    'x-input': png,
  },
  {
    name: 'google/nano-banana',
    can: { generate: { aspectRatios: bananaRatios }, edit: { aspectRatios: bananaRatios, imagesMax: 3 } },
    'x-fields': banana,
    'x-input': png,
  },
  {
    name: 'black-forest-labs/flux-fill-pro',
    can: { inpaint: { seed: true } },
    'x-input': png,
  },
  { name: 'black-forest-labs/flux-fill-dev', can: { inpaint: { seed: true } }, 'x-input': png },
  { name: 'bria/remove-background', can: { 'remove-background': {} } },
  { name: 'recraft-ai/recraft-remove-background', can: { 'remove-background': {} } },
  {
    name: 'lucataco/remove-bg',
    can: { 'remove-background': {} },
    'x-version': '95fcc2a26d3899cd6c2691c900465aaeff466285a65c14638cc5f36f34befaf1',
  },
  {
    name: 'nightmareai/real-esrgan',
    can: { upscale: { scales: [2, 4] } },
    'x-version': 'f121d640bd286e1fdc67f9799164c1d5be36ff74576ee11c803ae5b665dd46aa',
  },
  {
    name: 'google/upscaler',
    can: { upscale: { scales: [2, 4] } },
    'x-fields': { scale: 'upscale_factor', scaleForm: 'x' },
  },
  {
    name: 'salesforce/blip',
    can: { describe: { prompt: false } },
    'x-version': '2e1dddc8621f72155f24cf2e0adbde548458d3cab9f00c0139eea840d0ac4746',
    'x-input': { task: 'image_captioning' },
  },
  {
    name: 'openai/gpt-4o-mini',
    can: { describe: {}, write: {}, judge: { imagesMax: 10 } },
    'x-fields': { images: 'image_input' },
    'x-input': { prompt: 'Describe this image.' },
  },
]

export const replicate = defineProvider({
  id: 'replicate',
  title,
  summary: 'Models of many makers, run by Replicate: every capability from one key.',
  docsUrl: 'https://replicate.com/docs/reference/http',
  settings: {
    apiKey: {
      names: ['REPLICATE_API_TOKEN', 'REPLICATE_API_KEY'],
      summary: 'API token of Replicate.',
      isSecret: true,
      isRequired: true,
    },
  },
  baseUrl: { names: ['REPLICATE_BASE_URL'], default: 'https://api.replicate.com/v1' },
  models,
  concurrency: 8,

  async start(call, context): Promise<Started> {
    const { path, version } = targetOf(call)
    const input = await inputOf(call.request, call.model, fields, title)
    const seconds = secondsFor(context)
    const response = await context.http.request({
      method: 'POST',
      url: `${context.baseUrl}/${path}`,
      headers: {
        ...headers(context),
        // The API requires at least five seconds.
        ...(seconds !== undefined && { 'cancel-after': `${Math.max(5, seconds)}s` }),
      },
      json: version === undefined ? { input } : { version, input },
      timeoutSeconds: submitSeconds,
      signal: context.signal,
    })
    const report = reportOf(response, context)
    if (!isSuccess(response)) throw submitProblem(response, report)
    const body = fieldsOf(response.json())
    const id = idOf(body?.id)
    if (body === undefined || id === undefined) throw unknownOutcome(response, report)
    const urls = fieldsOf(body.urls)
    const built = `${context.baseUrl}/predictions/${id}`
    const handle = { id, getUrl: textOf(urls?.get) ?? built, cancelUrl: textOf(urls?.cancel) ?? `${built}/cancel` }
    return { handle, requestId: id }
  },

  async poll(handle, call, context): Promise<Polled> {
    const { id, getUrl } = handle as ReplicateHandle
    const response = await context.http.request({
      method: 'GET',
      url: getUrl,
      headers: headers(context),
      timeoutSeconds: resultSeconds,
      signal: context.signal,
    })
    const report = { ...reportOf(response, context), requestId: id }
    if (!isSuccess(response)) return pollProblem(response, report)
    const body = fieldsOf(response.json())
    if (isGarbled(response)) return { pending: {} }
    switch (textOf(body?.status)?.toLowerCase()) {
      case 'queued':
      case 'starting':
      case 'processing':
        return { pending: {} }
      case 'succeeded':
        return { done: resultOf(call, response, body ?? {}, report) }
      case 'failed':
        throw failureOf(response, body ?? {}, report)
      // https://replicate.com/changelog/2025-10-16-prediction-deadlines: billed only if it had started to run.
      case 'canceled':
        throw problem('timeout', response, report, 'ran into the deadline, or was told to cancel', 'yes')
      case 'aborted':
        throw problem('timeout', response, report, 'did not begin before the deadline', 'no')
      default:
        throw badOutput(response, report, 'returned an unreadable response about a prediction')
    }
  },

  async cancel(handle, context) {
    const { cancelUrl } = handle as ReplicateHandle
    await context.http.request({ method: 'POST', url: cancelUrl, headers: headers(context), signal: context.signal })
  },
})

const fields: InputFields = {
  prompt: 'prompt',
  instructions: 'system_prompt',
  image: 'image',
  mask: 'mask',
  aspectRatio: 'aspect_ratio',
  seed: 'seed',
  scale: 'scale',
}

type ReplicateHandle = Handle & { id: string; getUrl: string; cancelUrl: string }

function headers({ settings }: ProviderContext): Record<string, string> {
  return { authorization: `Bearer ${settings.apiKey}`, accept: 'application/json' }
}

/** `owner/name`, or `owner/name:version` (or `x-version`), which is called by its version alone. */
function targetOf({ model }: Call): { path: string; version?: string } {
  const [name = '', named] = model.name.split(':')
  const version = named ?? textOf(model['x-version'])
  if (version !== undefined) return { path: 'predictions', version }
  if (name.split('/').length !== 2)
    throw new ProviderProblem('unsupported', `${title} requires model names such as owner/name or owner/name:version.`)
  return { path: `models/${pathOf(name, title)}/predictions` }
}

function resultOf(call: Call, response: ProviderResponse, body: Fields, report: ErrorReport): ProviderResult {
  const { requestId } = report
  const common: ProviderResult = { ...(requestId !== undefined && { requestId }), ...usedOf(fieldsOf(body.metrics)) }
  const { output } = body
  if (output === null || output === undefined || output === '' || (Array.isArray(output) && output.length === 0))
    throw problem('no_output', response, { ...report, words: '' }, 'returned no result', 'yes')
  const parts = [output].flat()
  if (call.capability === 'describe' || call.capability === 'write' || call.capability === 'judge') {
    if (!parts.every((part) => typeof part === 'string')) throw badOutput(response, report, 'gave no text', 'yes')
    // BLIP starts every text with this word.
    return { ...common, text: parts.join('').replace(/^Caption: /, '') }
  }
  const images = parts.map(imageOf)
  if (images.includes(undefined)) throw badOutput(response, report, 'returned no image that can be downloaded', 'yes')
  return { ...common, images: images.filter((image) => image !== undefined) }
}

function usedOf(metrics: Fields | undefined): Pick<ProviderResult, 'used'> {
  const seconds = numberOf(metrics?.predict_time)
  const inputTokens = numberOf(metrics?.input_token_count)
  const outputTokens = numberOf(metrics?.output_token_count)
  const used = {
    ...(seconds !== undefined && { seconds }),
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
  }
  return Object.keys(used).length === 0 ? {} : { used }
}

/** Recognised by the message of the model, because Replicate has no error code for it. */
const refusals = /nsfw|sensitive|flagged|safety|content (policy|moderation|filter)|moderat|prohibited/i

function failureOf(response: ProviderResponse, body: Fields, report: ErrorReport): ProviderProblem {
  const words = textOf(body.error) ?? ''
  const failureReport = { ...report, words }
  if (refusals.test(words)) return problem('refused', response, failureReport, 'rejected the content', 'unknown')
  return problem('no_output', response, failureReport, 'reported that the model failed', 'unknown')
}

function reportOf(response: ProviderResponse, { settings }: ProviderContext): ErrorReport {
  const code = textOf(fieldsOf(response.json())?.type)
  return { title, secret: settings.apiKey, ...(code !== undefined && { code }) }
}
