/**
 * The API of Black Forest Labs: https://docs.bfl.ai/quick_start/generating_images. A task is polled only at its `polling_url`, because
 * it may run in another region than the one that accepted it.
 */
import type { Handle } from '../../domain/models/provider-call.ts'
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
import { imageOf } from './shared/input-fields.ts'
import {
  badOutput,
  clean,
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
  submitProblem,
  submitSeconds,
  textOf,
  unknownOutcome,
} from './shared/responses.ts'

const title = 'Black Forest Labs'

/** https://docs.bfl.ai/flux_2/flux2_overview: multiples of 16, 4 megapixels. */
const flux2 = { free: { sideMin: 256, sideMax: 2048, step: 16, pixelsMax: 4_000_000 } }
/** Sizes of FLUX1.1 [pro]: multiples of 32. */
const flux1 = { free: { sideMin: 256, sideMax: 1440, step: 32 } }
const kontextRatios = ['21:9', '16:9', '4:3', '3:2', '1:1', '2:3', '3:4', '9:16', '9:21']

/**
 * Prices: `skills/bfl-api` of https://github.com/black-forest-labs/skills, January 2026. For FLUX.2 they are the maximum for an output
 * of 4 megapixels without input images, whose cost has no bound. Each task reports its final cost.
 */
const models: readonly ModelRow[] = [
  row('flux-kontext-pro', { edit: { aspectRatios: kontextRatios, seed: true } }, 0.04),
  row('flux-kontext-max', { edit: { aspectRatios: kontextRatios, seed: true } }, 0.08),
  row(
    'flux-2-pro',
    { generate: { sizes: flux2, seed: true }, edit: { sizes: flux2, seed: true, imagesMax: 8 } },
    0.075,
  ),
  row('flux-2-max', { generate: { sizes: flux2, seed: true }, edit: { sizes: flux2, seed: true, imagesMax: 8 } }, 0.16),
  row('flux-2-flex', { generate: { sizes: flux2, seed: true }, edit: { sizes: flux2, seed: true, imagesMax: 8 } }, 0.2),
  row(
    'flux-2-klein-4b',
    { generate: { sizes: flux2, seed: true }, edit: { sizes: flux2, seed: true, imagesMax: 4 } },
    0.017,
  ),
  row(
    'flux-2-klein-9b',
    { generate: { sizes: flux2, seed: true }, edit: { sizes: flux2, seed: true, imagesMax: 4 } },
    0.021,
  ),
  row('flux-pro-1.1', { generate: { sizes: flux1, seed: true } }, 0.04),
  row('flux-pro-1.1-ultra', { generate: { aspectRatios: kontextRatios, seed: true } }, 0.06),
  row('flux-pro-1.0-fill', { inpaint: { seed: true } }, 0.05),
]

export const bfl = defineProvider({
  id: 'bfl',
  title,
  summary: 'FLUX models, run by those who make them: generate, edit and inpaint.',
  docsUrl: 'https://docs.bfl.ai',
  settings: {
    apiKey: { names: ['BFL_API_KEY'], summary: 'API key of Black Forest Labs.', isSecret: true, isRequired: true },
  },
  baseUrl: { names: ['BFL_BASE_URL'], default: 'https://api.bfl.ai/v1' },
  // Tasks are polled in their region, which needs the key, too.
  ownOrigins: ['https://*.bfl.ai'],
  models,
  // An account may run 24 concurrent tasks, and 6 for some models.
  concurrency: 6,

  async start(call, context): Promise<Started> {
    const response = await context.http.request({
      method: 'POST',
      url: `${context.baseUrl}/${pathOf(call.model.name, title)}`,
      headers: headers(context),
      json: await inputOf(call),
      timeoutSeconds: submitSeconds,
      signal: context.signal,
    })
    const report = reportOf(context)
    const body = fieldsOf(response.json())
    if (!isSuccess(response)) throw submitProblem(response, { ...report, ...wordsOf(body) })
    const id = idOf(body?.id)
    // The URL from the time before regions, if the response has none.
    const pollingUrl = textOf(body?.polling_url) ?? (id && `${context.baseUrl}/get_result?id=${id}`)
    if (pollingUrl === undefined) throw unknownOutcome(response, report)
    const requestId = id === undefined ? {} : { requestId: id }
    const credits = creditsOf(body)
    return { handle: { pollingUrl, ...requestId, ...(credits !== undefined && { credits }) }, ...requestId }
  },

  async poll(handle, _call, context): Promise<Polled> {
    const { pollingUrl, requestId, credits } = handle as BflHandle
    const { signal } = context
    const response = await context.http.request({ method: 'GET', url: pollingUrl, headers: headers(context), signal })
    const report = { ...reportOf(context), requestId }
    const body = fieldsOf(response.json())
    const status = statusOf(body)
    // `Task not found` comes with 404 or 200.
    if (!isSuccess(response) && status === undefined) return pollProblem(response, report)
    if (isGarbled(response)) return { pending: {} }
    const reasons = [fieldsOf(body?.details)?.['Moderation Reasons']]
      .flat()
      .filter((reason) => typeof reason === 'string')
    const why = { ...report, code: status, words: reasons.join(', ') }
    switch (status) {
      case 'pending':
      case 'queued':
      case 'processing':
        return { pending: {} }
      case 'ready': {
        const image = imageOf(fieldsOf(body?.result)?.sample)
        if (image === undefined) throw badOutput(response, report, 'returned no image that can be downloaded', 'yes')
        return { done: { images: [image], ...factsOf(body, requestId, credits) } }
      }
      case 'request moderated':
        throw problem('refused', response, why, 'rejected the content')
      // Neither is billed: https://help.bfl.ai/articles/2916279050-why-did-my-request-fail
      case 'content moderated':
        throw problem('refused', response, why, 'rejected the content')
      case 'task not found':
        throw problem('expired', response, { ...report, words: '' }, 'no longer has the task or its result', 'unknown')
      case 'error':
      case 'failed':
        throw problem(
          'no_output',
          response,
          { ...report, ...wordsOf(body) },
          'reported that the task failed',
          'unknown',
        )
      default:
        if (!isSuccess(response)) return pollProblem(response, report)
        throw badOutput(response, report, 'returned an unreadable response about a task')
    }
  },
})

type BflHandle = Handle & { pollingUrl: string; requestId?: string; credits?: number }

function row(name: string, can: ModelRow['can'], usd: number): ModelRow {
  const price = { asOf: '2026-01', per: 'call', usd } as const
  return { name, can, price: can.generate && can.edit ? { generate: price } : price }
}

function headers({ settings }: ProviderContext): Record<string, string> {
  return { 'x-key': settings.apiKey ?? '', accept: 'application/json' }
}

async function inputOf({ request, capability }: Call): Promise<Fields> {
  const { prompt, seed, aspectRatio, size, images, mask } = request
  const input: Fields = { output_format: 'png' }
  if (prompt !== undefined) input.prompt = prompt
  if (seed !== undefined) input.seed = seed
  if (aspectRatio !== undefined) input.aspect_ratio = aspectRatio
  if (size) Object.assign(input, { width: size.width, height: size.height })
  const encoded = images.map(({ bytes }) => bytes.toString('base64'))
  if (capability === 'inpaint') {
    if (mask === undefined) throw new ProviderProblem('unsupported', `${title} requires a mask to inpaint.`)
    return { ...input, image: encoded[0], mask: (await mask.white()).toString('base64') }
  }
  encoded.forEach((image, n) => {
    input[n === 0 ? 'input_image' : `input_image_${n + 1}`] = image
  })
  return input
}

/** The documentation has both spellings. */
function statusOf(body: Fields | undefined): string | undefined {
  return textOf(body?.status)?.toLowerCase().replaceAll('_', ' ')
}

function factsOf(
  body: Fields | undefined,
  requestId: string | undefined,
  submitted: number | undefined,
): ProviderResult {
  const credits = creditsOf(body) ?? submitted
  const seed = numberOf(fieldsOf(body?.result)?.seed)
  return {
    ...(requestId !== undefined && { requestId }),
    ...(seed !== undefined && { seed }),
    // One credit is one US cent.
    ...(credits !== undefined && credits >= 0 && { costMicros: Math.round(credits * 10_000) }),
  }
}

/** A number in the documentation, which changes: a text is accepted, too. */
function creditsOf(body: Fields | undefined): number | undefined {
  const { cost } = body ?? {}
  return numberOf(typeof cost === 'string' && /^\d+(\.\d+)?$/.test(cost) ? Number(cost) : cost)
}

/** `{"detail": [{"loc": [...], "msg": ...}]}` for invalid requests. `error` can have any type. */
function wordsOf(body: Fields | undefined): { words?: string } {
  const { error } = body ?? {}
  if (error === undefined || error === null) return {}
  return { words: clean(typeof error === 'string' ? error : JSON.stringify(error)) }
}

function reportOf({ settings }: ProviderContext): ErrorReport {
  return { title, secret: settings.apiKey }
}
