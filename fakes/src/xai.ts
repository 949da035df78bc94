/** The API of xAI: pictures as JSON, and text as OpenAI has it. */

import type { FakeContext, FakeKind, FakeRequest } from './fake.ts'
import { openaiResponse } from './openai.ts'
import {
  fieldsOf,
  imageOfUrl,
  integerOf,
  isModerated,
  oneOf,
  rejectUnknownFields,
  type SentImage,
  textOf,
} from './request-fields.ts'
import { type FakeResponse, Refusal } from './responses.ts'
import { renderImage, sizeOfRatio } from './work.ts'

export const xai: FakeKind = {
  id: 'xai',
  title: 'xAI',
  env: (url, key) => ({ XAI_BASE_URL: url, XAI_API_KEY: key }),
  unauthorized({ headers }, { key }) {
    if (headers.authorization === `Bearer ${key}`) return undefined
    if (headers.authorization === undefined)
      return problem(401, 'Unauthenticated', 'No authorization header or an invalid authorization token is provided.')
    // A wrong key is sentKey as a wrong argument.
    const sentKey = headers.authorization.replace('Bearer ', '')
    return problem(
      400,
      'Client specified an invalid argument',
      `Incorrect API key provided: ${sentKey}. You can obtain an API key from https://console.x.ai.`,
    )
  },
  async respond(request, context) {
    const { method, path } = request
    if (method === 'POST' && /^\/v1\/images\/(generations|edits)$/.test(path)) return imagesResponse(request, context)
    return openaiResponse(request, context, { prefix: '/v1', label: 'xai', isStrict: true, anyModel: true })
  },
  error: (status, message) =>
    problem(status, status === 429 ? 'Some resource has been exhausted' : 'Internal error', message),
  quota: {
    status: 403,
    json: {
      code: 'The caller does not have permission to execute the specified operation',
      error: "Your newly created team doesn't have any credits yet. You can purchase credits on https://console.x.ai.",
    },
  },
}

function problem(status: number, code: string, error: string): FakeResponse {
  return { status, json: { code, error } }
}

function refuse(message: string): Refusal {
  return new Refusal(problem(400, 'Client specified an invalid argument', message))
}

const knownFields = [
  ...['model', 'prompt', 'n', 'response_format', 'aspect_ratio', 'resolution', 'quality', 'user', 'image', 'images'],
  ...['output_format', 'sync_mode'],
]
const ratios = [
  '1:1',
  '3:4',
  '4:3',
  '9:16',
  '16:9',
  '2:3',
  '3:2',
  '9:19.5',
  '19.5:9',
  '9:20',
  '20:9',
  '1:2',
  '2:1',
  'auto',
]

async function imagesResponse(request: FakeRequest, context: FakeContext): Promise<FakeResponse> {
  const fields = fieldsOf(request.json, refuse)
  rejectUnknownFields(fields, knownFields, (field) => refuse(`Argument not supported: ${field}`))
  const model = textOf(fields, 'model', refuse)
  if (!/^grok-(imagine-image|2-image)/.test(model))
    return problem(
      404,
      'Some requested entity was not found',
      `The model ${model} does not exist or your team does not have access to it.`,
    )
  const prompt = textOf(fields, 'prompt', refuse, { charsMax: 8000 })
  const n = integerOf(fields, 'n', [1, 10], refuse) ?? 1
  const responseFormat = oneOf(fields, 'response_format', ['url', 'b64_json'], refuse) ?? 'url'
  const ratio = oneOf(fields, 'aspect_ratio', ratios, refuse)
  const urls = [fields.image ?? [], fields.images ?? []].flat()
  const isEdit = request.path.endsWith('edits')
  if (isEdit && urls.length === 0) throw refuse('image is required')
  if (urls.length > 3) throw refuse('At most 3 images.')
  const images: SentImage[] = []
  for (const image of urls)
    images.push(
      await imageOfUrl(request, 'image', fieldsOf(image, refuse).url, context, () => refuse('Invalid image.')),
    )
  if (prompt.includes('#400') && isModerated(request, prompt))
    throw refuse('Generated image rejected by content moderation.')
  const isRefused = isModerated(request, prompt)
  const [first] = images
  const size =
    ratio && ratio !== 'auto'
      ? sizeOfRatio(ratio, 1_048_576, 16)
      : first && { width: first.width, height: first.height }
  const files = await Promise.all(
    Array.from({ length: n }, () =>
      renderImage({
        act: isEdit ? 'edit' : 'generate',
        label: { provider: 'xai', model, prompt, seed: context.next() },
        images,
        size,
        format: 'jpeg',
      }),
    ),
  )
  if (!isRefused) context.bill({ id: `xai-${request.order}`, model, order: request.order })
  const data = files.map((bytes) => {
    if (isRefused) return { respect_moderation: false, ...(responseFormat === 'url' ? { url: '' } : { b64_json: '' }) }
    const image =
      responseFormat === 'url' ? { url: context.keep(bytes, 'image/jpeg') } : { b64_json: bytes.toString('base64') }
    return { ...image, revised_prompt: '', respect_moderation: true }
  })
  // 1 US dollar is 10,000,000,000 ticks: 2 cents each.
  const usage = { cost_in_usd_ticks: isRefused ? 0 : n * 200_000_000 }
  return { status: 200, json: { data: request.fault === 'empty' ? [] : data, usage } }
}
