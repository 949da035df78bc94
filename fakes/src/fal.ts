/** fal's queue: a job is accepted without a check, and its errors are in the response of the result. */
import { randomUUID } from 'node:crypto'
import type { FakeContext, FakeKind, FakeRequest } from './fake.ts'
import { schemaOf } from './fal-models.ts'
import type { ImageFormat } from './images.ts'
import { generated, whiteMask } from './images.ts'
import {
  type Fields,
  fieldsOf,
  imageOfUrl,
  integerOf,
  isModerated,
  oneOf,
  type SentImage,
  textOf,
} from './request-fields.ts'
import { type FakeResponse, Refusal } from './responses.ts'
import { writtenText } from './texts.ts'
import { renderImage, sizeOfRatio } from './work.ts'

export const fal: FakeKind = {
  id: 'fal',
  title: 'fal',
  env: (url, key) => ({ FAL_BASE_URL: url, FAL_KEY: key }),
  unauthorized: ({ headers }, { key }) =>
    headers.authorization === `Key ${key}`
      ? undefined
      : { status: 401, json: { detail: 'Authentication is required to access this application.' } },
  async respond(request, context) {
    const { method, path } = request
    const [, app, id, action] = /^(\/[^/]+\/[^/]+)\/requests\/([^/]+)(?:\/(status|cancel))?$/.exec(path) ?? []
    if (id !== undefined && app !== undefined) return about({ id, app, action }, request, context)
    if (method === 'POST' && /^\/[^/]+\/[^/]+/.test(path)) return submit(path.slice(1), request, context)
    return { status: 404, json: { detail: 'Not Found' } }
  },
  error: (status, message) => ({ status, json: { detail: message } }),
  quota: {
    status: 403,
    json: { detail: 'User is locked. Reason: Exhausted balance. Top up your balance at fal.ai/dashboard/billing.' },
  },
}

function submit(model: string, request: FakeRequest, context: FakeContext): FakeResponse {
  if (request.json === undefined)
    return { status: 422, json: { detail: [{ loc: ['body'], msg: 'no JSON', type: 'json_invalid' }] } }
  const id = randomUUID()
  const app = model.split('/').slice(0, 2).join('/')
  context.bill({ id, model, order: request.order })
  const job = context.jobs.add({
    id,
    model,
    isStuck: request.fault === 'stuck',
    run: () =>
      responseOf(model, request, context).catch((error) => {
        context.unbill(id)
        if (error instanceof Refusal) return error.response
        throw error
      }),
  })
  return { status: 200, json: { status: 'IN_QUEUE', queue_position: job.position, ...urls(context, app, id) } }
}

function urls({ url }: FakeContext, app: string, request_id: string) {
  const response_url = `${url}/${app}/requests/${request_id}`
  return { request_id, response_url, status_url: `${response_url}/status`, cancel_url: `${response_url}/cancel` }
}

async function about(
  { id, app, action }: { id: string; app: string; action: string | undefined },
  request: FakeRequest,
  context: FakeContext,
): Promise<FakeResponse> {
  const job = request.fault === 'expired' ? undefined : context.jobs.get(id)
  const isOfApp = job && `/${job.model}`.startsWith(app)
  const headers = { 'x-fal-request-id': id }
  if (action === 'cancel' && request.method === 'PUT') {
    if (!job || !isOfApp) return { status: 404, json: { status: 'NOT_FOUND' } }
    if (!job.cancel()) return { status: 400, json: { status: 'ALREADY_COMPLETED' } }
    // A waiting job has cost nothing; a running one may continue.
    if (!job.wasRunning) context.unbill(id)
    return { status: 202, json: { status: 'CANCELLATION_REQUESTED' } }
  }
  if (request.method !== 'GET') return { status: 405, json: { detail: 'Method Not Allowed' } }
  if (!job || !isOfApp) return { status: 404, headers, json: { detail: 'Request not found' } }
  const jobUrls = urls(context, app.slice(1), id)
  if (action === 'status') {
    const state = job.look()
    if (state === 'queued') return { status: 202, headers, json: { status: 'IN_QUEUE', queue_position: 0, ...jobUrls } }
    if (state === 'running') return { status: 202, headers, json: { status: 'IN_PROGRESS', logs: null, ...jobUrls } }
    return {
      status: 200,
      headers,
      json: { status: 'COMPLETED', logs: null, metrics: { inference_time: 0.1 }, ...jobUrls },
    }
  }
  const state = job.state()
  if (state === 'canceled')
    return { status: 499, headers, json: { detail: 'Request was cancelled', error_type: 'client_cancelled' } }
  if (state !== 'done') return { status: 400, headers, json: { detail: 'Request is still in progress' } }
  const response = (await job.result) as FakeResponse
  return { ...response, headers: { ...response.headers, ...headers } }
}

function refuse(msg: string, field = '', type = 'value_error', status = 422): Refusal {
  const detail = [
    { loc: ['body', field].filter(Boolean), msg, type, url: `https://docs.fal.ai/errors#${type}`, input: null },
  ]
  return new Refusal({ status, headers: { 'x-fal-retryable': 'false' }, json: { detail } })
}

async function responseOf(model: string, request: FakeRequest, context: FakeContext): Promise<FakeResponse> {
  const fields = fieldsOf(request.json, refuse)
  const schema = schemaOf(model, fields)
  request.log.ignored.push(...Object.keys(fields).filter((name) => schema.fields && !schema.fields.includes(name)))
  const knownFields: Fields = Object.fromEntries(
    Object.entries(fields).filter(([name]) => schema.fields?.includes(name) ?? true),
  )
  for (const name of schema.required)
    if (knownFields[name] === undefined) throw refuse('Field required', name, 'missing')
  if (request.fault === 'failed') throw refuse('Internal server error', '', 'internal_server_error', 500)
  const prompt = textOf(knownFields, 'prompt', refuse, { isRequired: false })
  if (isModerated(request, prompt))
    throw refuse(
      'The content could not be processed because it was flagged by a content checker.',
      'prompt',
      'content_policy_violation',
    )
  const images = await imagesOf(knownFields, request, context)
  const maskUrl = knownFields.mask_url
  const mask =
    maskUrl === undefined
      ? undefined
      : await imageOfUrl(request, 'mask_url', maskUrl, context, (msg, at) => refuse(msg, at, 'image_load_error'))
  const [first] = images
  if (mask && first && (mask.width !== first.width || mask.height !== first.height))
    throw refuse('The mask must have the size of the image', 'mask_url')
  const seed = integerOf(knownFields, 'seed', [0, 2 ** 53], refuse) ?? context.next()
  const label = { provider: 'fal', model, prompt, seed }
  if (schema.act === 'text') {
    const text = await writtenText({ ...label, images: images.map(({ bytes }) => bytes) })
    return { status: 200, json: request.fault === 'empty' ? {} : { [schema.out]: text } }
  }
  const format: ImageFormat = oneOf(knownFields, 'output_format', ['png', 'jpeg', 'webp'], refuse) ?? schema.format
  const size = sizeOf(knownFields)
  const scale = Number(knownFields.scale ?? knownFields.upscale_factor ?? knownFields.upscaling_factor ?? 2)
  if (!(scale >= 1 && scale <= 8)) throw refuse('Input should be from 1 to 8', 'scale')
  const isBlack = prompt.includes('#nsfw')
  const bytes = isBlack
    ? await generated({ ...label, prompt: '', model: 'black' }, { width: 512, height: 512, format })
    : await renderImage({
        act: schema.act,
        label,
        images,
        mask: mask && (await whiteMask(mask.bytes, 'white')),
        size,
        scale,
        format,
      })
  const type = `image/${format}`
  const megapixels = Math.ceil(((size?.width ?? 1024) * (size?.height ?? 1024)) / 1e6)
  const file = {
    url: context.keep(bytes, type),
    content_type: type,
    file_name: `fake.${format}`,
    file_size: bytes.byteLength,
  }
  const result = schema.out === 'image' ? { image: file } : { images: request.fault === 'empty' ? [] : [file] }
  const extra = schema.fields?.includes('seed') ? { seed } : {}
  const flags = schema.out === 'image' ? {} : { has_nsfw_concepts: [isBlack], prompt }
  const headers = { 'x-fal-billable-units': String(megapixels) }
  return { status: 200, headers, json: { ...result, ...extra, ...flags, timings: { inference: 0.1 } } }
}

async function imagesOf(fields: Fields, request: FakeRequest, context: FakeContext): Promise<SentImage[]> {
  const { image_url: singleUrl, image_urls: several } = fields
  if (several !== undefined && !Array.isArray(several))
    throw refuse('Input should be a valid list', 'image_urls', 'list_type')
  const images: SentImage[] = []
  for (const [at, url] of [
    ...(singleUrl === undefined ? [] : [['image_url', singleUrl]]),
    ...(several ?? []).map((url) => ['image_urls', url]),
  ])
    images.push(
      await imageOfUrl(request, String(at), url, context, (msg, field) => refuse(msg, field, 'image_load_error')),
    )
  return images
}

const presets: Record<string, [number, number]> = {
  square_hd: [1024, 1024],
  square: [512, 512],
  portrait_4_3: [768, 1024],
  portrait_16_9: [576, 1024],
  landscape_4_3: [1024, 768],
  landscape_16_9: [1024, 576],
}

function sizeOf({ image_size: imageSize, aspect_ratio: ratio }: Fields): { width: number; height: number } | undefined {
  if (typeof imageSize === 'string') {
    const [width, height] = presets[imageSize] ?? []
    if (width === undefined || height === undefined)
      throw refuse('Input is not a preset', 'image_size', 'literal_error')
    return { width, height }
  }
  if (imageSize !== undefined) {
    const { width, height } = fieldsOf(imageSize, refuse, 'image_size')
    if (!isSide(width) || !isSide(height))
      throw refuse('Input should be from 1 to 14142', 'image_size', 'less_than_equal')
    return { width, height }
  }
  if (ratio === undefined) return undefined
  const size = sizeOfRatio(String(ratio))
  if (size === undefined) throw refuse('Input is not a ratio', 'aspect_ratio', 'literal_error')
  return size
}

function isSide(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= 14_142
}
