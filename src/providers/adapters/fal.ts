/**
 * fal's queue: https://fal.ai/docs/documentation/model-apis/inference/queue. The status is 202 while a job waits or runs and 200 when it
 * is done. Then the response is that of the model, or its error with its status.
 */
import type { Handle } from '../../domain/models/provider-call.ts'
import type { ProviderResponse } from '../../net/provider-http.ts'
import {
  type Call,
  defineProvider,
  type ModelRow,
  type Polled,
  type ProblemKind,
  type ProviderContext,
  type ProviderProblem,
  type ProviderResult,
  type Started,
} from '../define.ts'
import { type InputFields, imageOf, inputOf } from './shared/input-fields.ts'
import {
  badOutput,
  type ErrorReport,
  type Fields,
  fieldsOf,
  headerNumber,
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
  wordsOf,
} from './shared/responses.ts'

const title = 'fal'

/** FLUX on fal accepts any size. It was trained for these. */
const fluxSizes = { free: { sideMin: 256, sideMax: 1536, step: 16, pixelsMax: 2_000_000 } }
const fluxPro = { free: { sideMin: 256, sideMax: 1440, step: 32 } }
const kontextRatios = ['21:9', '16:9', '4:3', '3:2', '1:1', '2:3', '3:4', '9:16', '9:21']
const bananaRatios = ['21:9', '16:9', '3:2', '4:3', '5:4', '1:1', '4:5', '3:4', '2:3', '9:16']
const png = { num_images: 1, output_format: 'png' }

/**
 * Models of fal with their input fields: https://fal.ai/models/<name>/llms.txt. Prices are from these pages, or from
 * https://fal.ai/pricing in the month of `asOf`. Models without a published price have none here.
 */
const models: readonly ModelRow[] = [
  {
    name: 'fal-ai/flux/schnell',
    can: { generate: { sizes: fluxSizes, seed: true } },
    // Per megapixel, rounded up, which it reports as billable units.
    price: { asOf: '2026-05', per: 'unit', usd: 0.003, unitsMax: 3 },
    'x-input': png,
  },
  {
    name: 'fal-ai/flux/dev',
    can: { generate: { sizes: fluxSizes, seed: true } },
    price: { asOf: '2026-05', per: 'unit', usd: 0.025, unitsMax: 3 },
    'x-input': png,
  },
  { name: 'fal-ai/flux-pro/v1.1', can: { generate: { sizes: fluxPro, seed: true } }, 'x-input': png },
  {
    name: 'fal-ai/flux-2-pro',
    can: { generate: { sizes: fluxSizes, seed: true } },
    'x-input': { output_format: 'png' },
  },
  {
    name: 'fal-ai/recraft/v3/text-to-image',
    can: { generate: { sizes: { free: { sideMin: 512, sideMax: 2048, step: 32, pixelsMax: 2_100_000 } } } },
    price: { asOf: '2026-11', per: 'image', usd: 0.04 },
  },
  {
    name: 'fal-ai/nano-banana',
    can: { generate: { aspectRatios: bananaRatios } },
    'x-input': png,
  },
  {
    name: 'fal-ai/flux-pro/kontext',
    can: { edit: { aspectRatios: kontextRatios, seed: true } },
    price: { asOf: '2026-05', per: 'image', usd: 0.04 },
    'x-input': png,
  },
  {
    name: 'fal-ai/nano-banana/edit',
    can: { edit: { aspectRatios: bananaRatios, imagesMax: 3 } },
    'x-fields': { images: 'image_urls' },
    'x-input': png,
  },
  {
    name: 'fal-ai/flux-pro/kontext/multi',
    can: { edit: { aspectRatios: kontextRatios, seed: true, imagesMax: 4 } },
    'x-fields': { images: 'image_urls' },
    'x-input': png,
  },
  {
    name: 'fal-ai/flux-2-pro/edit',
    can: { edit: { sizes: fluxSizes, seed: true, imagesMax: 4 } },
    'x-fields': { images: 'image_urls' },
    'x-input': { output_format: 'png' },
  },
  {
    name: 'fal-ai/flux-pro/v1/fill',
    can: { inpaint: { seed: true } },
    price: { asOf: '2026-11', per: 'megapixel', usd: 0.05 },
    'x-input': png,
  },
  {
    name: 'fal-ai/bria/background/remove',
    can: { 'remove-background': {} },
    price: { asOf: '2026-11', per: 'image', usd: 0.018 },
  },
  {
    name: 'fal-ai/birefnet/v2',
    can: { 'remove-background': {} },
    'x-input': { output_format: 'png' },
  },
  {
    name: 'fal-ai/esrgan',
    can: { upscale: { scales: [2, 4] } },
    'x-fields': { scale: 'scale' },
    'x-input': { output_format: 'png' },
  },
  {
    name: 'fal-ai/clarity-upscaler',
    can: { upscale: { scales: [2, 4], seed: true, prompt: true } },
    price: { asOf: '2026-11', per: 'megapixel', usd: 0.03 },
  },
  {
    name: 'fal-ai/aura-sr',
    can: { upscale: { scales: [4] } },
    'x-fields': { scale: 'upscaling_factor' },
  },
  { name: 'fal-ai/florence-2-large/more-detailed-caption', can: { describe: { prompt: false } } },
  { name: 'fal-ai/moondream3-preview/caption', can: { describe: { prompt: false } } },
  {
    name: 'fal-ai/moondream3-preview/query',
    can: { describe: {} },
    'x-input': { prompt: 'Describe this image.' },
  },
]

export const fal = defineProvider({
  id: 'fal',
  title,
  summary:
    'Hundreds of image models behind one queue, run by fal.ai: every capability but `write` and `judge` from one key.',
  docsUrl: 'https://fal.ai/docs',
  settings: {
    apiKey: { names: ['FAL_KEY', 'FAL_API_KEY'], summary: 'API key of fal.', isSecret: true, isRequired: true },
  },
  baseUrl: { names: ['FAL_BASE_URL'], default: 'https://queue.fal.run' },
  models,
  // Jobs above the concurrency of the account wait in fal's queue without cost.
  concurrency: 8,

  async start(call, context): Promise<Started> {
    const input = await inputOf(call.request, call.model, fields, title)
    const seconds = secondsFor(context)
    const response = await context.http.request({
      method: 'POST',
      url: `${context.baseUrl}/${pathOf(call.model.name, title)}`,
      headers: {
        ...headers(context),
        // fal retries a failed job up to ten times: its cost could exceed the reserved amount.
        'x-fal-no-retry': '1',
        'x-fal-object-lifecycle-preference': JSON.stringify({ expiration_duration_seconds: keptSeconds }),
        ...(seconds !== undefined && { 'x-fal-request-timeout': String(seconds) }),
      },
      json: input,
      timeoutSeconds: submitSeconds,
      signal: context.signal,
    })
    const body = fieldsOf(response.json())
    const report = reportOf(response, context)
    if (!isSuccess(response)) throw refusalOf(response, body, report) ?? submitProblem(response, report)
    const requestId = idOf(body?.request_id)
    if (requestId === undefined) throw unknownOutcome(response, report)
    return { handle: { requestId, ...urlsOf(body, requestId, call, context) }, requestId }
  },

  async poll(handle, call, context): Promise<Polled> {
    const { requestId, statusUrl, responseUrl } = handle as FalHandle
    const status = await send(statusUrl, context)
    const report = { ...reportOf(status, context), requestId }
    const body = fieldsOf(status.json())
    if (!isSuccess(status)) return pollProblem(status, report)
    const state = textOf(body?.status)?.toUpperCase()
    if (isGarbled(status) || state === 'IN_QUEUE' || state === 'IN_PROGRESS') return { pending: {} }
    if (state !== 'COMPLETED') throw badOutput(status, report, 'returned an unreadable response about a job')
    const response = await send(responseUrl, context, resultSeconds)
    const resultBody = fieldsOf(response.json())
    const failure = { ...reportOf(response, context), requestId }
    if (isGarbled(response)) return { pending: {} }
    if (isSuccess(response)) return { done: resultOf(call, response, resultBody, failure) }
    // The status endpoint may be ahead of the response endpoint.
    if (response.status === 400 && /still in progress/i.test(wordsOf(resultBody) ?? '')) return { pending: {} }
    const failed = failureOf(response, resultBody, failure)
    if (failed) throw failed
    return pollProblem(response, failure)
  },

  async cancel(handle, context) {
    const { cancelUrl } = handle as FalHandle
    await context.http.request({ method: 'PUT', url: cancelUrl, headers: headers(context), signal: context.signal })
  },
})

const fields: InputFields = {
  prompt: 'prompt',
  image: 'image_url',
  mask: 'mask_url',
  size: 'image_size',
  aspectRatio: 'aspect_ratio',
  seed: 'seed',
  scale: 'upscale_factor',
}

/** Result files are fetched immediately. A resumed execution finds them for this long. */
const keptSeconds = 24 * 3600

type FalHandle = Handle & { requestId: string; statusUrl: string; responseUrl: string; cancelUrl: string }

function headers({ settings }: ProviderContext): Record<string, string> {
  return { authorization: `Key ${settings.apiKey}`, accept: 'application/json' }
}

/** The URLs of the response, because the documentation advises against building them. They are built only if it has none. */
function urlsOf(body: Fields | undefined, requestId: string, call: Call, { baseUrl }: ProviderContext) {
  const app = pathOf(call.model.name.split('/').slice(0, 2).join('/'), title)
  const built = `${baseUrl}/${app}/requests/${requestId}`
  return {
    statusUrl: textOf(body?.status_url) ?? `${built}/status`,
    responseUrl: textOf(body?.response_url) ?? built,
    cancelUrl: textOf(body?.cancel_url) ?? `${built}/cancel`,
  }
}

function send(url: string, context: ProviderContext, timeoutSeconds?: number): Promise<ProviderResponse> {
  const { signal } = context
  const seconds = timeoutSeconds === undefined ? {} : { timeoutSeconds }
  return context.http.request({ method: 'GET', url, headers: headers(context), ...seconds, signal })
}

function resultOf(
  call: Call,
  response: ProviderResponse,
  body: Fields | undefined,
  report: ErrorReport,
): ProviderResult {
  const flags = [body?.has_nsfw_concepts].flat()
  // The response has a black image, which is billed.
  if (flags.includes(true)) throw problem('refused', response, report, 'took what was made for indecent', 'yes')
  const units = headerNumber(response.headers, 'x-fal-billable-units')
  const seed = numberOf(body?.seed)
  const common: ProviderResult = {
    ...(report.requestId !== undefined && { requestId: report.requestId }),
    ...(units !== undefined && { used: { units } }),
  }
  if (call.capability === 'describe' || call.capability === 'write' || call.capability === 'judge') {
    const text = ['results', 'output', 'caption', 'text'].map((name) => textOf(body?.[name])).find(Boolean)
    if (text === undefined) throw badOutput(response, report, 'returned no text')
    return { ...common, text }
  }
  const files = [body?.images ?? body?.image].flat().filter((file) => file !== undefined && file !== null)
  const images = files.map((file) => imageOf(fieldsOf(file)?.url ?? file))
  if (body !== undefined && files.length === 0)
    throw problem('no_output', response, report, 'returned no image', 'unknown')
  if (body === undefined || images.includes(undefined))
    throw badOutput(response, report, 'returned no image that can be downloaded')
  return { ...common, images: images.filter((image) => image !== undefined), ...(seed !== undefined && { seed }) }
}

/** An error of the model or of the queue; undefined if the response is from neither. */
function failureOf(
  response: ProviderResponse,
  body: Fields | undefined,
  report: ErrorReport,
): ProviderProblem | undefined {
  const refused = refusalOf(response, body, report)
  if (refused) return refused
  const kind = body && runErrors[report.code ?? '']
  if (kind)
    return problem(kind, response, report, 'failed to complete the job', response.status < 500 ? 'unknown' : 'no')
  if (report.code?.startsWith('runner_')) return problem('down', response, report, 'has lost the job')
  // Server errors are never billed. An invalid request may be detected only after a runner has worked on it.
  if (response.status >= 500)
    return Array.isArray(body?.detail) || report.code ? problem('no_output', response, report, 'failed') : undefined
  if (response.status === 400 || response.status === 413 || response.status === 422)
    return problem('invalid_request', response, report, 'rejected the request', 'unknown')
  return undefined
}

function refusalOf(
  response: ProviderResponse,
  body: Fields | undefined,
  report: ErrorReport,
): ProviderProblem | undefined {
  const types = [body?.detail].flat().map((detail) => fieldsOf(detail)?.type)
  if (types.includes('content_policy_violation') || report.code === 'content_policy_violation')
    return problem('refused', response, report, 'rejected the content', response.status === 422 ? 'unknown' : 'no')
  // `{"detail": "User is locked. Reason: Exhausted balance. ..."}`: not a problem of the key.
  if (response.status === 403 && /balance|locked|credit/i.test(wordsOf(body) ?? ''))
    return problem(
      'quota',
      response,
      { ...report, words: '' },
      'has no credit or quota left for the API key of the service',
    )
  return undefined
}

/** https://fal.ai/docs/documentation/model-apis/request-errors and https://fal.ai/docs/documentation/model-apis/errors */
const runErrors: Record<string, ProblemKind> = {
  request_timeout: 'timeout',
  startup_timeout: 'timeout',
  generation_timeout: 'timeout',
  no_media_generated: 'no_output',
  client_cancelled: 'cancelled',
  client_disconnected: 'cancelled',
}

function reportOf(response: ProviderResponse, { settings }: ProviderContext): ErrorReport {
  const body = fieldsOf(response.json())
  const first = fieldsOf([body?.detail].flat()[0])
  const code = textOf(response.headers.get('x-fal-error-type')) ?? textOf(body?.error_type) ?? textOf(first?.type)
  return {
    title,
    secret: settings.apiKey,
    ...(code !== undefined && { code }),
    requestId: idOf(response.headers.get('x-fal-request-id')),
  }
}
