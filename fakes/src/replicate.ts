/** Replicate's predictions: asked by the name of an official model, or by a version. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FakeContext, FakeKind, FakeRequest } from './fake.ts'
import { whiteMask } from './images.ts'
import type { Job } from './jobs.ts'
import { isList, replicateSchema } from './replicate-models.ts'
import { type Fields, fieldsOf, imageOfUrl, integerOf, isModerated, type SentImage, textOf } from './request-fields.ts'
import { type FakeResponse, Refusal } from './responses.ts'
import { writtenText } from './texts.ts'
import { renderImage, sizeOfRatio } from './work.ts'

export const replicate: FakeKind = {
  id: 'replicate',
  title: 'Replicate',
  env: (url, key) => ({ REPLICATE_BASE_URL: url, REPLICATE_API_TOKEN: key }),
  unauthorized: ({ headers }, { key }) =>
    headers.authorization === `Bearer ${key}`
      ? undefined
      : problem(401, 'Unauthenticated', 'You did not pass a valid authentication token'),
  async respond(request, context) {
    const { method, path } = request
    const [, model] = /^\/v1\/models\/([^/]+\/[^/]+)\/predictions$/.exec(path) ?? []
    if (method === 'POST' && model !== undefined) return create(model, request, context)
    if (method === 'POST' && path === '/v1/predictions') return create(versionOf(request), request, context)
    const [, id, action] = /^\/v1\/predictions\/([^/]+)(\/cancel)?$/.exec(path) ?? []
    const job = id === undefined || request.fault === 'expired' ? undefined : context.jobs.get(id)
    if (job === undefined) return problem(404, 'Not found', 'The requested resource could not be found.')
    if (action === undefined)
      return method === 'GET' ? jobResponse(job, context) : problem(405, 'Method not allowed', '')
    if (job.cancel() && !job.wasRunning) context.unbill(job.id)
    return jobResponse(job, context, true)
  },
  error: (status, message) => problem(status, 'Error', message),
  quota: problem(
    402,
    'Insufficient credit',
    'You have insufficient credit to run this model. Go to https://replicate.com/account/billing#billing to purchase credit.',
  ),
}

function problem(status: number, title: string, detail: string, more: object = {}): FakeResponse {
  return { status, type: 'application/problem+json', json: { title, detail, status, ...more } }
}

function refuse(message: string, field = 'input', status = 422): Refusal {
  const detail = `- input.${field}: ${message}\n`
  return new Refusal(
    problem(status, 'Input validation failed', detail, {
      invalid_fields: [{ type: 'invalid', field, description: message }],
    }),
  )
}

function versionOf({ json }: FakeRequest): string {
  const { version } = fieldsOf(json, refuse)
  if (typeof version !== 'string' || !/^(?:[\w.-]+\/[\w.-]+(?::[0-9a-f]{64})?|[0-9a-f]{64})$/.test(version))
    throw new Refusal(
      problem(
        422,
        'Invalid version or not permitted',
        'The specified version does not exist (or perhaps you do not have permission to use it?)',
      ),
    )
  return version
}

interface Outcome {
  output: unknown
  error: string | null
  seconds: number
}

async function create(model: string, request: FakeRequest, context: FakeContext): Promise<FakeResponse> {
  const { prefer, 'cancel-after': cancelAfter } = request.headers
  const body = fieldsOf(request.json, refuse)
  const input = fieldsOf(body.input, () => refuse('input is required'))
  const wait = /^wait(?:=(\d+))?$/.exec(String(prefer ?? ''))
  if (
    prefer !== undefined &&
    prefer !== 'respond-async' &&
    (!wait || Number(wait[1] ?? 60) > 60 || Number(wait[1] ?? 60) < 1)
  )
    return problem(400, 'Invalid Prefer header', 'Prefer must be wait or wait=N with N from 1 to 60')
  if (cancelAfter !== undefined && !/^\d+(s|m|h)?$/.test(String(cancelAfter)))
    return problem(400, 'Invalid Cancel-After header', 'Cancel-After must be a duration such as 30s, 5m or 1h')
  const read = await readInput(model, input, request, context)
  const id = `fake${randomUUID().replaceAll('-', '').slice(0, 22)}`
  context.bill({ id, model, order: request.order })
  const job = context.jobs.add<Outcome>({
    id,
    model,
    isStuck: request.fault === 'stuck',
    async run() {
      if (request.fault === 'failed' || read.isModerated) context.unbill(id)
      if (request.fault === 'failed')
        return { output: null, error: 'Prediction failed: out of memory (E1001)', seconds: 0.1 }
      if (read.isModerated)
        return {
          output: null,
          error: 'The input or output was flagged as sensitive. Please try again with different inputs. (E005)',
          seconds: 0.1,
        }
      return { output: request.fault === 'empty' ? null : await read.make(), error: null, seconds: 0.1 }
    },
  })
  inputs.set(job, input)
  if (wait && request.fault !== 'stuck') {
    await sleep(Math.min(context.latencyMs, Number(wait[1] ?? 60) * 1000))
    job.look()
  }
  return { ...(await jobResponse(job, context, true)), status: 201 }
}

const inputs = new WeakMap<Job, Fields>()

/** The current state of a prediction. */
async function jobResponse(job: Job, { url }: FakeContext, isQuiet = false): Promise<FakeResponse> {
  const state = isQuiet ? job.state() : job.look()
  const { output, error, seconds } =
    state === 'done' ? ((await job.result) as Outcome) : { output: null, error: null, seconds: 0 }
  const statuses = {
    queued: 'starting',
    running: 'processing',
    done: error === null ? 'succeeded' : 'failed',
    canceled: 'canceled',
  }
  const isOver = state === 'done' || state === 'canceled'
  const predictionUrl = `${url}/v1/predictions/${job.id}`
  const json = {
    id: job.id,
    model: job.model,
    version: 'hidden',
    input: shortened(inputs.get(job) ?? {}),
    logs: '',
    output,
    data_removed: false,
    error,
    source: 'api',
    status: statuses[state],
    created_at: new Date(job.createdAt).toISOString(),
    ...(isOver && { completed_at: new Date().toISOString(), metrics: { predict_time: seconds, total_time: seconds } }),
    urls: { get: predictionUrl, cancel: `${predictionUrl}/cancel`, web: `https://replicate.com/p/${job.id}` },
  }
  return { status: 200, json }
}

/** Long text was a file, and is replaced by its URL. */
function shortened(input: Fields): Fields {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      JSON.stringify(value).length > 2000 ? 'https://replicate.delivery/fake' : value,
    ]),
  )
}

async function readInput(model: string, input: Fields, request: FakeRequest, context: FakeContext) {
  const schema = replicateSchema(model, input)
  request.log.ignored.push(...Object.keys(input).filter((name) => schema.fields && !schema.fields.includes(name)))
  const fields: Fields = Object.fromEntries(
    Object.entries(input).filter(([name]) => schema.fields?.includes(name) ?? true),
  )
  for (const name of schema.required) if (fields[name] === undefined) throw refuse(`${name} is required`, name)
  const prompt = textOf(fields, 'prompt', refuse, { isRequired: false })
  const images: SentImage[] = []
  for (const name of ['image', 'input_image', 'input_images', 'image_input'])
    for (const url of [fields[name] ?? []].flat()) images.push(await imageOfUrl(request, name, url, context, refuse))
  const mask = fields.mask === undefined ? undefined : await imageOfUrl(request, 'mask', fields.mask, context, refuse)
  const seed = integerOf(fields, 'seed', [0, 2 ** 53], refuse) ?? context.next()
  const { output_format: outputFormat = schema.format } = fields
  const format =
    outputFormat === 'jpg' || outputFormat === 'jpeg'
      ? 'jpeg'
      : outputFormat === 'png'
        ? 'png'
        : outputFormat === 'webp'
          ? 'webp'
          : undefined
  if (format === undefined) throw refuse('must be one of webp, jpg, png', 'output_format')
  const ratio = fields.aspect_ratio
  const size = ratio === undefined || ratio === 'match_input_image' ? undefined : sizeOfRatio(String(ratio))
  if (ratio !== undefined && ratio !== 'match_input_image' && size === undefined)
    throw refuse('is not a ratio', 'aspect_ratio')
  const scale = Number(String(fields.scale ?? fields.upscale_factor ?? 2).replace('x', ''))
  if (!(scale >= 0 && scale <= 10)) throw refuse('must be from 0 to 10', 'scale')
  const label = { provider: 'replicate', model, prompt, seed }
  return {
    isModerated: isModerated(request, prompt),
    async make(): Promise<unknown> {
      if (schema.act === 'text') {
        const bytes = images.map((image) => image.bytes)
        const text = await writtenText({ ...label, images: bytes, fault: request.fault })
        // Of a language model: a list of pieces, to be put together.
        return schema.isPieces ? (text.match(/.{1,7}/gs) ?? []) : `Caption: ${text}`
      }
      const white = mask && (await whiteMask(mask.bytes, 'white'))
      const bytes = await renderImage({ act: schema.act, label, images, mask: white, size, scale, format })
      const url = context.keep(bytes, `image/${format}`)
      return isList(model) ? [url] : url
    },
  }
}
