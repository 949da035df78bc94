/** The API of remove.bg, which others speak too. */

import type { FakeContext, FakeKind, FakeRequest } from './fake.ts'
import { cutOut } from './images.ts'
import { type Fields, imageOf, imageOfBase64, oneOf, rejectUnknownFields } from './request-fields.ts'
import { type FakeResponse, Refusal } from './responses.ts'

export const removebg: FakeKind = {
  id: 'removebg',
  title: 'remove.bg',
  env: (url, key) => ({ REMOVEBG_BASE_URL: url, REMOVE_BG_API_KEY: key }),
  unauthorized: ({ headers }, { key }) =>
    headers['x-api-key'] === key ? undefined : problem(403, 'API Key invalid', 'auth_failed'),
  async respond(request, context) {
    const { method, path } = request
    return method === 'POST' && path === '/v1.0/removebg'
      ? remove(request, context)
      : problem(404, 'Not found', 'not_found')
  },
  error: (status, message) => problem(status, message, status === 429 ? 'rate_limit_exceeded' : 'internal_error'),
  quota: problem(402, 'Insufficient credits', 'insufficient_credits'),
}

function problem(status: number, title: string, code: string): FakeResponse {
  return { status, json: { errors: [{ title, code }] } }
}

function refuse(title: string, code = 'invalid_parameter'): Refusal {
  return new Refusal(problem(400, title, code))
}

const knownFields = [
  ...[
    'image_file',
    'image_file_b64',
    'image_url',
    'size',
    'type',
    'type_level',
    'format',
    'roi',
    'crop',
    'crop_margin',
  ],
  ...[
    'scale',
    'position',
    'channels',
    'add_shadow',
    'shadow_type',
    'shadow_opacity',
    'semitransparency',
    'bg_color',
    'bg_image_url',
  ],
]

async function remove(request: FakeRequest, context: FakeContext): Promise<FakeResponse> {
  const fields: Fields = request.parts.length
    ? Object.fromEntries(request.parts.map(({ name, value, bytes }) => [name, bytes ?? value]))
    : ((request.json as Fields | undefined) ?? {})
  rejectUnknownFields(fields, knownFields, (field) => refuse(`Unknown parameter: ${field}`))
  const { image_file: file, image_file_b64: base64 } = fields
  if (file === undefined && base64 === undefined) throw refuse('No image given', 'missing_source')
  const wrong = () => refuse('Could not read the image', 'invalid_image')
  const image = Buffer.isBuffer(file)
    ? await imageOf(request, 'image_file', file, wrong)
    : await imageOfBase64(request, 'image_file_b64', base64, wrong)
  if (!['png', 'jpeg', 'webp'].includes(image.format)) throw refuse('Unsupported file type', 'file_type_not_supported')
  oneOf(fields, 'size', ['preview', 'small', 'regular', 'medium', 'hd', '4k', '50MP', 'full', 'auto'], refuse)
  oneOf(fields, 'type', ['auto', 'person', 'product', 'car', 'animal', 'graphic', 'transportation'], refuse)
  const requestedFormat = oneOf(fields, 'format', ['auto', 'png', 'jpg', 'webp', 'zip'], refuse) ?? 'auto'
  if (requestedFormat === 'zip') throw refuse('A fake gives no zip')
  // It has no words to be moderated by: what it does not understand, it refuses.
  if (request.fault === 'moderated' || request.fault === 'failed')
    throw refuse(
      'Could not identify foreground in image. For details and recommendations see https://www.remove.bg/supported-images.',
      'unknown_foreground',
    )
  const format = requestedFormat === 'jpg' ? 'jpeg' : requestedFormat === 'webp' ? 'webp' : 'png'
  const bytes = await cutOut({ provider: 'removebg', model: 'removebg' }, image.bytes, format)
  context.bill({ id: `removebg-${request.order}`, model: 'removebg', order: request.order })
  const facts = {
    'x-credits-charged': fields.size === 'preview' ? '0.25' : '1.0',
    'x-width': String(image.width),
    'x-height': String(image.height),
  }
  const headers = { ...facts, 'x-type': 'product', 'x-ratelimit-limit': '500', 'x-ratelimit-remaining': '499' }
  // The first name is the preferred one.
  if (request.headers.accept?.startsWith('application/json'))
    return { status: 200, headers, json: { data: { result_b64: bytes.toString('base64') } } }
  return { status: 200, headers, body: request.fault === 'empty' ? '' : bytes, type: `image/${format}` }
}
