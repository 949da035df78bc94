/**
 * Stability AI's REST API: https://platform.stability.ai/docs/api-reference. All requests return their result, except the creative
 * upscaler, which has jobs.
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
import {
  badOutput,
  type ErrorReport,
  fieldsOf,
  idOf,
  isSuccess,
  numberOf,
  pollProblem,
  problem,
  resultSeconds,
  submitProblem,
  submitSeconds,
  textOf,
  unknownOutcome,
  wordsOf,
} from './shared/responses.ts'

const title = 'Stability AI'

const ratios = ['16:9', '1:1', '21:9', '2:3', '3:2', '4:5', '5:4', '9:16', '9:21']
const enlarge = { upscale: { scales: [2], prompt: true, seed: true } }
/** The prompt if the request has none. */
const faithful = 'the same picture, sharp and rich in detail'
const generate = { generate: { aspectRatios: ratios, seed: true } }

/**
 * One credit is one US cent. Prices of upscaling and editing: https://stability.ai/api-pricing-update-25, August 2025. Prices of
 * generation: https://platform.stability.ai/pricing, June 2026.
 */
const models: readonly ModelRow[] = [
  row('core', 'generate/core', generate, 3, '2026-06'),
  row('ultra', 'generate/ultra', generate, 8, '2026-06'),
  row('sd3.5-large', 'generate/sd3', generate, 6.5, '2026-06'),
  row('sd3.5-large-turbo', 'generate/sd3', generate, 4, '2026-06'),
  row('sd3.5-medium', 'generate/sd3', generate, 3.5, '2026-06'),
  row('inpaint', 'edit/inpaint', { inpaint: { seed: true } }, 5, '2025-08'),
  row('remove-background', 'edit/remove-background', { 'remove-background': {} }, 5, '2025-08'),
  row('upscale-fast', 'upscale/fast', { upscale: { scales: [4] } }, 2, '2025-08'),
  // Both make some 4 megapixels of one at most: at least twice the size. They want words.
  row('upscale-conservative', 'upscale/conservative', enlarge, 40, '2025-08', faithful),
  row('upscale-creative', 'upscale/creative', enlarge, 60, '2025-08', faithful),
]

export const stability = defineProvider({
  id: 'stability',
  title,
  summary: 'Stable Image and Stable Diffusion, run by Stability AI: generate, inpaint, remove backgrounds and upscale.',
  docsUrl: 'https://platform.stability.ai/docs/api-reference',
  settings: {
    apiKey: { names: ['STABILITY_API_KEY'], summary: 'API key of Stability AI.', isSecret: true, isRequired: true },
  },
  baseUrl: { names: ['STABILITY_BASE_URL'], default: 'https://api.stability.ai' },
  models,
  // 150 requests in 10 seconds are allowed.
  concurrency: 6,

  async start(call, context): Promise<Started> {
    const path = textOf(call.model['x-path'])
    if (path === undefined)
      throw new ProviderProblem('unsupported', `${title}: the model ${call.model.name} has no x-path.`)
    const isQueued = path === 'upscale/creative'
    const response = await context.http.request({
      method: 'POST',
      url: `${context.baseUrl}/v2beta/stable-image/${path}`,
      headers: headers(context),
      form: await formOf(call),
      ...(isQueued && { timeoutSeconds: submitSeconds }),
      signal: context.signal,
    })
    const report = reportOf(response, context)
    if (!isSuccess(response)) throw refusalOf(response, report) ?? submitProblem(response, report)
    if (!isQueued) return { done: resultOf(response, report) }
    const id = idOf(fieldsOf(response.json())?.id)
    if (id === undefined) throw unknownOutcome(response, report)
    // The API allows one poll every ten seconds.
    return { handle: { id }, requestId: id, waitMs: 10_000 }
  },

  async poll(handle, call, context): Promise<Polled> {
    const { id } = handle as StabilityHandle
    const get = (path: string) => {
      const { http, signal } = context
      const url = `${context.baseUrl}/v2beta/${path}`
      return http.request({ method: 'GET', url, headers: headers(context), timeoutSeconds: resultSeconds, signal })
    }
    let response = await get(`results/${id}`)
    // The old path of results.
    if (response.status === 404) response = await get(`stable-image/${call.model['x-path']}/result/${id}`)
    const report = { ...reportOf(response, context), requestId: id }
    if (response.status === 202) return { pending: { waitMs: 10_000 } }
    if (isSuccess(response)) return { done: resultOf(response, report) }
    const refused = refusalOf(response, report)
    if (refused) throw refused
    return pollProblem(response, report)
  },
})

type StabilityHandle = Handle & { id: string }

function row(
  name: string,
  path: string,
  can: ModelRow['can'],
  credits: number,
  asOf: string,
  prompt?: string,
): ModelRow {
  const price = { asOf, per: 'call', usd: credits / 100 } as const
  return { name, can, price, 'x-path': path, ...(prompt !== undefined && { 'x-prompt': prompt }) }
}

function headers({ settings }: ProviderContext): Record<string, string> {
  return { authorization: `Bearer ${settings.apiKey}`, accept: 'application/json' }
}

async function formOf({ request, model }: Call): Promise<FormData> {
  const { prompt = textOf(model['x-prompt']), seed, aspectRatio, images, mask } = request
  const form = new FormData()
  const [image] = images
  if (image) {
    const type = image.mediaType
    form.set('image', new Blob([new Uint8Array(image.bytes)], { type }), `image.${type.split('/')[1]}`)
  }
  // White pixels are repainted.
  if (mask) form.set('mask', new Blob([new Uint8Array(await mask.white())], { type: 'image/png' }), 'mask.png')
  if (prompt !== undefined) form.set('prompt', prompt)
  if (seed !== undefined) form.set('seed', String(seed))
  if (aspectRatio !== undefined) form.set('aspect_ratio', aspectRatio)
  if (model['x-path'] === 'generate/sd3') form.set('model', model.name)
  form.set('output_format', 'png')
  return form
}

function resultOf(response: ProviderResponse, report: ErrorReport): ProviderResult {
  const body = fieldsOf(response.json())
  if (body === undefined) throw unknownOutcome(response, report)
  if (body.finish_reason === 'CONTENT_FILTERED')
    throw problem('refused', response, { ...report, words: '' }, 'rejected the content', 'unknown')
  // The creative upscaler returns it in some versions.
  const base64 = textOf(body.image) ?? textOf(body.result)
  if (base64 === undefined) throw problem('no_output', response, report, 'returned no image', 'unknown')
  if (!/^[\w+/=-]+$/.test(base64)) throw badOutput(response, report, 'returned an image that is not valid base64')
  const seed = numberOf(body.seed)
  return {
    images: [Buffer.from(base64, 'base64')],
    ...(seed !== undefined && { seed }),
    ...(report.requestId !== undefined && { requestId: report.requestId }),
  }
}

/** 403 means moderation if the message says so, otherwise an invalid key. */
function refusalOf(response: ProviderResponse, report: ErrorReport): ProviderProblem | undefined {
  const body = fieldsOf(response.json())
  const isModerated = /moderat|content|flagged|filter/i.test(`${report.code} ${wordsOf(body)}`)
  if (report.code !== 'content_moderation' && !(response.status === 403 && isModerated)) return undefined
  return problem('refused', response, report, 'rejected the content')
}

function reportOf(response: ProviderResponse, { settings }: ProviderContext): ErrorReport {
  const body = fieldsOf(response.json())
  const code = textOf(body?.name)
  // `errors` has more detail than `name`.
  const words = textOf([body?.errors].flat()[0])
  return {
    title,
    secret: settings.apiKey,
    ...(code !== undefined && { code }),
    ...(words !== undefined && { words }),
    requestId: idOf(response.headers.get('x-request-id')) ?? idOf(body?.id),
  }
}
