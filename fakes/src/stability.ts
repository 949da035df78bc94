/** Stability's stable-image API: forms of several parts; synchronous, except for the creative upscaler. */
import { randomBytes } from 'node:crypto'
import type { FakeContext, FakeKind, FakeRequest } from './fake.ts'
import { whiteMask } from './images.ts'
import {
  type Fields,
  imageOf,
  integerOf,
  isModerated,
  rejectUnknownFields,
  type SentImage,
  textOf,
} from './request-fields.ts'
import { type FakeResponse, Refusal } from './responses.ts'
import { type Act, renderImage, sizeOfRatio } from './work.ts'

export const stability: FakeKind = {
  id: 'stability',
  title: 'Stability AI',
  env: (url, key) => ({ STABILITY_BASE_URL: url, STABILITY_API_KEY: key }),
  unauthorized: ({ headers }, { key }) =>
    headers.authorization === `Bearer ${key}`
      ? undefined
      : problem(401, 'unauthorized', 'authorization: invalid or missing header value'),
  async respond(request, context) {
    const { method, path } = request
    const [, id] = /^\/v2beta\/(?:stable-image\/upscale\/creative\/result|results)\/([^/]+)$/.exec(path) ?? []
    if (method === 'GET' && id !== undefined) return result(id, request, context)
    const [, name = ''] = /^\/v2beta\/stable-image\/(.+)$/.exec(path) ?? []
    const route = routes[name]
    return method === 'POST' && route
      ? submit(name, route, request, context)
      : problem(404, 'not_found', 'There is no such route')
  },
  error: (status, message) => problem(status, status === 429 ? 'rate_limit_exceeded' : 'internal_error', message),
  quota: problem(
    402,
    'payment_required',
    'You lack sufficient credits to make this request. Please purchase more credits.',
  ),
}

function problem(status: number, name: string, error: string): FakeResponse {
  return { status, json: { id: 'fake', name, errors: [error] } }
}

function refuse(message: string): Refusal {
  return new Refusal(problem(400, 'bad_request', message))
}

interface Route {
  act: Act
  needs: string[]
  fields: string[]
  scale?: number
  isQueued?: boolean
}

const words = ['prompt', 'negative_prompt', 'seed', 'output_format', 'style_preset']
const routes: Record<string, Route> = {
  'generate/core': { act: 'generate', needs: ['prompt'], fields: [...words, 'aspect_ratio'] },
  'generate/ultra': { act: 'generate', needs: ['prompt'], fields: [...words, 'aspect_ratio', 'image', 'strength'] },
  'generate/sd3': {
    act: 'generate',
    needs: ['prompt'],
    fields: [...words, 'aspect_ratio', 'image', 'strength', 'mode', 'model', 'cfg_scale'],
  },
  'edit/inpaint': { act: 'inpaint', needs: ['image', 'prompt'], fields: [...words, 'image', 'mask', 'grow_mask'] },
  'edit/erase': { act: 'inpaint', needs: ['image'], fields: ['image', 'mask', 'grow_mask', 'seed', 'output_format'] },
  'edit/search-and-replace': {
    act: 'edit',
    needs: ['image', 'prompt', 'search_prompt'],
    fields: [...words, 'image', 'search_prompt', 'grow_mask'],
  },
  'edit/outpaint': {
    act: 'edit',
    needs: ['image'],
    fields: [...words, 'image', 'left', 'right', 'up', 'down', 'creativity'],
  },
  'edit/remove-background': { act: 'cut', needs: ['image'], fields: ['image', 'output_format'] },
  'control/style': { act: 'edit', needs: ['image', 'prompt'], fields: [...words, 'image', 'aspect_ratio', 'fidelity'] },
  'control/structure': { act: 'edit', needs: ['image', 'prompt'], fields: [...words, 'image', 'control_strength'] },
  'control/sketch': { act: 'edit', needs: ['image', 'prompt'], fields: [...words, 'image', 'control_strength'] },
  'upscale/fast': { act: 'enlarge', needs: ['image'], fields: ['image', 'output_format'], scale: 4 },
  'upscale/conservative': {
    act: 'enlarge',
    needs: ['image', 'prompt'],
    fields: [...words, 'image', 'creativity'],
    scale: 4,
  },
  'upscale/creative': {
    act: 'enlarge',
    needs: ['image', 'prompt'],
    fields: [...words, 'image', 'creativity'],
    scale: 4,
    isQueued: true,
  },
}
const ratios = ['16:9', '1:1', '21:9', '2:3', '3:2', '4:5', '5:4', '9:16', '9:21']

async function submit(name: string, route: Route, request: FakeRequest, context: FakeContext): Promise<FakeResponse> {
  if (request.parts.length === 0) throw refuse('content-type: must be multipart/form-data')
  const fields: Fields = Object.fromEntries(
    request.parts.map(({ name: field, value, bytes }) => [field, bytes ?? value]),
  )
  rejectUnknownFields(fields, route.fields, (field) => refuse(`${field}: is not allowed`))
  for (const need of route.needs) if (fields[need] === undefined) throw refuse(`${need}: is required`)
  const prompt = textOf(fields, 'prompt', refuse, { charsMax: 10_000, isRequired: false })
  const images: SentImage[] = []
  if (fields.image !== undefined)
    images.push(await imageIn(request, 'image', fields.image, name === 'upscale/fast' ? 32 : 64))
  const mask = fields.mask === undefined ? undefined : await imageIn(request, 'mask', fields.mask, 64)
  const format = fields.output_format ?? 'png'
  if (format !== 'png' && format !== 'jpeg' && format !== 'webp')
    throw refuse('output_format: must be one of jpeg, png, webp')
  if (route.act === 'cut' && format === 'jpeg') throw refuse('output_format: must be one of png, webp')
  if (fields.aspect_ratio !== undefined && !ratios.includes(String(fields.aspect_ratio)))
    throw refuse(`aspect_ratio: must be one of ${ratios.join(', ')}`)
  const seed = integerOf(fields, 'seed', [0, 4_294_967_294], refuse) || context.next()
  const [first] = images
  if (name === 'upscale/fast' && first && first.width * first.height > 1_048_576)
    throw refuse('image: must have at most 1,048,576 pixels')
  if (isModerated(request, prompt) && !prompt.includes('#output'))
    return problem(
      403,
      'content_moderation',
      'Your request was flagged by our content moderation system, as a result your request was denied and you were not charged.',
    )
  const id = randomBytes(32).toString('hex')
  context.bill({ id, model: name, order: request.order })
  const run = async () =>
    request.fault === 'empty'
      ? Buffer.alloc(0)
      : renderImage({
          act: fields.image !== undefined && route.act === 'generate' ? 'edit' : route.act,
          label: { provider: 'stability', model: name, prompt, seed },
          images,
          mask: mask && (await whiteMask(mask.bytes, 'white')),
          size: route.act === 'generate' ? sizeOfRatio(String(fields.aspect_ratio ?? '1:1'), 1_500_000, 64) : undefined,
          scale: route.scale,
          format,
        })
  if (route.isQueued) {
    context.jobs.add<Queued>({
      id,
      model: name,
      isStuck: request.fault === 'stuck',
      run: async () => ({ bytes: await run(), format, seed }),
    })
    return { status: 200, json: { id } }
  }
  const isFiltered = isModerated(request, prompt)
  return imageResponse(request, { bytes: await run(), format, seed }, isFiltered)
}

interface Queued {
  bytes: Buffer
  format: string
  seed: number
}

function imageResponse({ headers }: FakeRequest, { bytes, format, seed }: Queued, isFiltered = false): FakeResponse {
  const finish_reason = isFiltered ? 'CONTENT_FILTERED' : 'SUCCESS'
  if (headers.accept?.includes('json'))
    return { status: 200, json: { image: bytes.toString('base64'), finish_reason, seed } }
  if (headers.accept !== 'image/*') throw refuse("accept: must be 'image/*' or 'application/json'")
  return {
    status: 200,
    headers: { 'finish-reason': finish_reason, seed: String(seed) },
    body: bytes,
    type: `image/${format}`,
  }
}

async function result(id: string, request: FakeRequest, { jobs }: FakeContext): Promise<FakeResponse> {
  const job = request.fault === 'expired' ? undefined : jobs.get(id)
  if (job === undefined)
    return problem(404, 'not_found', 'The generation was not found: it may have expired, or never have been.')
  if (job.look() !== 'done') return { status: 202, json: { id, status: 'in-progress' } }
  return imageResponse(request, (await job.result) as Queued)
}

async function imageIn(request: FakeRequest, at: string, value: unknown, sideMin: number): Promise<SentImage> {
  if (!Buffer.isBuffer(value)) throw refuse(`${at}: must be a file`)
  const image = await imageOf(request, at, value, () => refuse(`${at}: must be a valid image`))
  if (!['png', 'jpeg', 'webp'].includes(image.format)) throw refuse(`${at}: must be jpeg, png or webp`)
  if (Math.min(image.width, image.height) < sideMin)
    throw refuse(`${at}: every side must have at least ${sideMin} pixels`)
  if (image.width * image.height > 9_437_184) throw refuse(`${at}: must have at most 9,437,184 pixels`)
  return image
}
