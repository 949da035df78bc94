/** The API of Black Forest Labs: a job for each request, with a separate URL for polling. */
import { randomUUID } from 'node:crypto'
import type { FakeContext, FakeKind, FakeRequest } from './fake.ts'
import { whiteMask } from './images.ts'
import {
  type Fields,
  fieldsOf,
  imageOfBase64,
  integerOf,
  isModerated,
  oneOf,
  rejectUnknownFields,
  type SentImage,
  textOf,
} from './request-fields.ts'
import { type FakeResponse, Refusal } from './responses.ts'
import { type Act, renderImage, sizeOfRatio } from './work.ts'

export const bfl: FakeKind = {
  id: 'bfl',
  title: 'Black Forest Labs',
  env: (url, key) => ({ BFL_BASE_URL: url, BFL_API_KEY: key }),
  unauthorized: ({ headers }, { key }) =>
    headers['x-key'] === key ? undefined : { status: 403, json: { detail: 'Not authenticated' } },
  async respond(request, context) {
    const { method, path } = request
    if (method === 'GET' && path === '/v1/get_result') return result(request, context)
    const [, name = ''] = /^\/v1\/([\w.-]+)$/.exec(path) ?? []
    const model = models.find(([pattern]) => pattern.test(name))?.[1]
    return method === 'POST' && model
      ? submit(name, model, request, context)
      : { status: 404, json: { detail: 'Not Found' } }
  },
  error: (status, detail) => ({ status, json: { detail } }),
  quota: { status: 402, json: { detail: 'Insufficient credits' } },
}

interface Model {
  act: Act
  required: string[]
  fields: string[]
  imagesMax: number
  side: { min: number; max: number; step: number }
  /** US cents. */
  cost: number
}

const common = ['prompt', 'seed', 'safety_tolerance', 'output_format', 'webhook_url', 'webhook_secret']
const references = Array.from({ length: 10 }, (_, at) => (at === 0 ? 'input_image' : `input_image_${at + 1}`))
const models: [RegExp, Model][] = [
  [
    /^flux-2-(pro|flex|max|klein[\w-]*)(-preview)?$/,
    {
      act: 'generate',
      required: ['prompt'],
      fields: [
        ...common,
        'width',
        'height',
        'prompt_upsampling',
        'disable_pup',
        'steps',
        'guidance',
        ...references.slice(0, 8),
      ],
      imagesMax: 8,
      side: { min: 64, max: 4096, step: 16 },
      cost: 3,
    },
  ],
  [
    /^flux-kontext-(pro|max)$/,
    {
      act: 'generate',
      required: ['prompt'],
      fields: [...common, 'aspect_ratio', 'prompt_upsampling', ...references.slice(0, 4)],
      imagesMax: 4,
      side: { min: 256, max: 1440, step: 32 },
      cost: 4,
    },
  ],
  [
    /^flux-pro-1\.1-ultra$/,
    {
      act: 'generate',
      required: ['prompt'],
      fields: [...common, 'aspect_ratio', 'raw', 'prompt_upsampling', 'image_prompt', 'image_prompt_strength'],
      imagesMax: 0,
      side: { min: 256, max: 4096, step: 32 },
      cost: 6,
    },
  ],
  [
    /^flux-(pro-1\.1|pro|dev)$/,
    {
      act: 'generate',
      required: [],
      fields: [...common, 'width', 'height', 'prompt_upsampling', 'image_prompt', 'steps', 'guidance'],
      imagesMax: 0,
      side: { min: 256, max: 1440, step: 32 },
      cost: 4,
    },
  ],
  [
    /^flux-pro-1\.0-fill$/,
    {
      act: 'inpaint',
      required: ['image'],
      fields: [...common, 'image', 'mask', 'steps', 'guidance', 'prompt_upsampling'],
      imagesMax: 1,
      side: { min: 256, max: 4096, step: 1 },
      cost: 5,
    },
  ],
]

function refuse(msg: string, field = '', type = 'value_error'): Refusal {
  return new Refusal({ status: 422, json: { detail: [{ loc: ['body', field], msg, type }] } })
}

async function submit(name: string, model: Model, request: FakeRequest, context: FakeContext): Promise<FakeResponse> {
  const fields = fieldsOf(request.json, refuse)
  rejectUnknownFields(fields, model.fields, (field) =>
    refuse('Extra inputs are not permitted', field, 'extra_forbidden'),
  )
  for (const field of model.required) if (fields[field] === undefined) throw refuse('Field required', field, 'missing')
  const prompt = textOf(fields, 'prompt', refuse, { isRequired: false })
  const { min, max, step } = model.side
  const [width, height] = ['width', 'height'].map((side) => integerOf(fields, side, [min, max], refuse))
  for (const [at, side] of [width, height].entries())
    if (side !== undefined && side % step !== 0)
      throw refuse(`Input should be a multiple of ${step}`, at ? 'height' : 'width', 'multiple_of')
  const images: SentImage[] = []
  for (const field of [...references, 'image'])
    if (fields[field] !== undefined) images.push(await imageOfBase64(request, field, fields[field], refuse))
  const mask = fields.mask === undefined ? undefined : await imageOfBase64(request, 'mask', fields.mask, refuse)
  if (mask && images[0] && (mask.width !== images[0].width || mask.height !== images[0].height))
    throw refuse('Mask and image must have the same size', 'mask')
  integerOf(fields, 'safety_tolerance', [0, 6], refuse)
  const format = oneOf(fields, 'output_format', ['jpeg', 'png', 'webp'], refuse) ?? 'jpeg'
  const seed = integerOf(fields, 'seed', [0, 2 ** 53], refuse) ?? context.next()
  const size = sizeOf(fields, images, width, height)
  const id = randomUUID()
  const label = { provider: 'bfl', model: name, prompt, seed }
  const act = model.act === 'generate' && images.length > 0 ? 'edit' : model.act
  context.bill({ id, model: name, order: request.order })
  context.jobs.add<Outcome>({
    id,
    model: name,
    isStuck: request.fault === 'stuck',
    async run() {
      const details = { 'Moderation Reasons': ['Derivative Works Filter'] }
      if (isModerated(request, prompt) || request.fault === 'failed') context.unbill(id)
      // Requests are moderated before the job, results after it.
      if (isModerated(request, prompt))
        return { status: prompt.includes('#content') ? 'Content Moderated' : 'Request Moderated', details }
      if (request.fault === 'failed') return { status: 'Error', details: { error: 'worker died' } }
      if (request.fault === 'empty') return { status: 'Ready', result: {} }
      const white = mask && (await whiteMask(mask.bytes, 'white'))
      const bytes = await renderImage({
        act,
        label,
        images,
        mask: white,
        size: act === 'inpaint' ? undefined : size,
        format,
      })
      const sample = context.keep(bytes, `image/${format}`)
      return { status: 'Ready', result: { sample, prompt, seed, start_time: 0, end_time: 0.1, duration: 0.1 } }
    },
  })
  const megapixels = (pixels: number) => Math.round(pixels / 10_000) / 100
  const json = {
    id,
    polling_url: `${context.url}/v1/get_result?id=${id}`,
    cost: model.cost,
    input_mp: megapixels(images.reduce((sum, image) => sum + image.width * image.height, 0)),
    output_mp: megapixels(size.width * size.height),
  }
  return { status: 200, json }
}

interface Outcome {
  status: string
  result?: object
  details?: object
}

async function result(request: FakeRequest, { jobs }: FakeContext): Promise<FakeResponse> {
  const id = request.query.get('id')
  if (id === null) throw refuse('Field required', 'id', 'missing')
  const job = request.fault === 'expired' ? undefined : jobs.get(id)
  const blank = { id, result: null, progress: null, details: null, preview: null }
  if (job === undefined) return { status: 404, json: { ...blank, status: 'Task not found' } }
  const state = job.look()
  if (state !== 'done')
    return { status: 200, json: { ...blank, status: 'Pending', progress: state === 'running' ? 0.5 : 0 } }
  return { status: 200, json: { ...blank, ...((await job.result) as Outcome) } }
}

function sizeOf(fields: Fields, images: SentImage[], width: number | undefined, height: number | undefined) {
  const [first] = images
  const ratio = fields.aspect_ratio === undefined ? undefined : sizeOfRatio(String(fields.aspect_ratio))
  if (fields.aspect_ratio !== undefined && ratio === undefined) throw refuse('is not a ratio', 'aspect_ratio')
  const usual = ratio ?? { width: first?.width ?? 1024, height: first?.height ?? 768 }
  return { width: width ?? usual.width, height: height ?? usual.height }
}
