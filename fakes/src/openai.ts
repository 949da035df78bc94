/** The API of OpenAI: pictures, edits, responses, chat. Also that of Azure, and of servers that are compatible with it. */

import type { FakeContext, FakeKind, FakeRequest } from './fake.ts'
import { edited, framed, generated, inpainted, resized, whiteMask } from './images.ts'
import {
  type Fields,
  fieldsOf,
  imageOf,
  imageOfUrl,
  integerOf,
  isModerated,
  oneOf,
  rejectUnknownFields,
  type SentImage,
  textOf,
} from './request-fields.ts'
import type { FakeResponse } from './responses.ts'
import { Refusal } from './responses.ts'
import { writtenText } from './texts.ts'

export const openai: FakeKind = {
  id: 'openai',
  title: 'OpenAI',
  env: (url, key) => ({ OPENAI_BASE_URL: url, OPENAI_API_KEY: key }),
  unauthorized: bearer,
  respond: (request, context) => openaiResponse(request, context, { prefix: '/v1', label: 'openai', isStrict: true }),
  error: (status, message) => ({ status, json: { error: { message, type: 'server_error', param: null, code: null } } }),
  quota: {
    status: 429,
    json: {
      error: {
        message: 'You exceeded your current quota, please check your plan and billing details.',
        type: 'insufficient_quota',
        param: null,
        code: 'insufficient_quota',
      },
    },
  },
}

export const openaiCompatible: FakeKind = {
  ...openai,
  id: 'openai-compatible',
  title: 'an OpenAI-compatible server',
  env: (url, key) => ({
    OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`,
    OPENAI_COMPATIBLE_API_KEY: key,
    OPENAI_COMPATIBLE_IMAGE_MODELS: 'fake-image',
    OPENAI_COMPATIBLE_TEXT_MODELS: 'fake-text',
  }),
  respond: (request, context) =>
    openaiResponse(request, context, { prefix: '/v1', label: 'openai-compatible', isStrict: false }),
}

/** Deployments can have any name, the key is in a separate header, and the API has a version. */
export const azure: FakeKind = {
  ...openai,
  id: 'azure',
  title: 'Azure OpenAI',
  env: (url, key) => ({
    AZURE_BASE_URL: url,
    AZURE_API_KEY: key,
    AZURE_IMAGE_DEPLOYMENTS: 'fake-image',
    AZURE_TEXT_DEPLOYMENTS: 'fake-text',
  }),
  unauthorized: ({ headers }, { key }) => {
    if (headers['api-key'] === key) return undefined
    const message =
      'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.'
    return { status: 401, json: { error: { code: '401', message } } }
  },
  respond: (request, context) =>
    openaiResponse(request, context, { prefix: '/openai/v1', label: 'azure', isStrict: true, anyModel: true }),
}

interface Flavour {
  prefix: string
  label: string
  /** Whether fields that the documents do not have are refused. */
  isStrict: boolean
  anyModel?: boolean
}

export function bearer({ headers }: FakeRequest, { key }: FakeContext): FakeResponse | undefined {
  if (headers.authorization === `Bearer ${key}`) return undefined
  const sentKey = headers.authorization?.replace('Bearer ', '')
  const message =
    sentKey === undefined
      ? "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY)."
      : `Incorrect API key provided: ${sentKey}. You can find your API key at https://platform.openai.com/account/api-keys.`
  const code = sentKey === undefined ? null : 'invalid_api_key'
  return { status: 401, json: { error: { message, type: 'invalid_request_error', param: null, code } } }
}

export async function openaiResponse(
  request: FakeRequest,
  context: FakeContext,
  flavour: Flavour,
): Promise<FakeResponse> {
  const { method, path } = request
  const route = path.startsWith(flavour.prefix) ? path.slice(flavour.prefix.length) : ''
  const headers = { 'x-request-id': `req_fake_${request.order}` }
  const act = method === 'POST' ? routes[route] : undefined
  if (act) return { headers, ...(await act(request, context, flavour)) }
  if (method === 'GET' && route === '/models')
    return {
      status: 200,
      headers,
      json: { object: 'list', data: [{ id: 'gpt-image-2', object: 'model', owned_by: 'fake' }] },
    }
  const message = `Invalid URL (${method} ${path})`
  return { status: 404, headers, json: { error: { message, type: 'invalid_request_error', param: null, code: null } } }
}

type Route = (request: FakeRequest, context: FakeContext, flavour: Flavour) => Promise<FakeResponse>
const routes: Record<string, Route> = {
  '/images/generations': generate,
  '/images/edits': edit,
  '/responses': respond,
  '/chat/completions': chat,
}

const imageFields = [
  ...['model', 'prompt', 'n', 'size', 'quality', 'background', 'output_format', 'output_compression'],
  ...['moderation', 'user', 'stream', 'partial_images'],
]

function refuse(message: string, param?: string, code: string | null = 'invalid_value', status = 400): Refusal {
  const error = { message, type: 'invalid_request_error', param: param ?? null, code }
  return new Refusal({ status, headers: { 'x-request-id': 'req_fake_refused' }, json: { error } })
}

const unknownField = (name: string) => refuse(`Unknown parameter: '${name}'.`, name, 'unknown_parameter')

async function generate(request: FakeRequest, context: FakeContext, flavour: Flavour): Promise<FakeResponse> {
  const fields = fieldsOf(request.json, refuse)
  if (flavour.isStrict) rejectUnknownFields(fields, imageFields, unknownField)
  return imagesResponse(fields, {
    request,
    context,
    flavour,
    images: [],
    make: (label, size) => generated(label, size),
  })
}

async function edit(request: FakeRequest, context: FakeContext, flavour: Flavour): Promise<FakeResponse> {
  if (request.parts.length === 0)
    throw refuse(`Invalid content type: expected multipart/form-data`, undefined, 'unsupported_content_type')
  const fields: Fields = Object.fromEntries(
    request.parts.filter(({ bytes }) => !bytes).map(({ name, value }) => [name, value]),
  )
  if (flavour.isStrict) rejectUnknownFields(fields, [...imageFields, 'input_fidelity'], unknownField)
  if (flavour.isStrict && fields.input_fidelity !== undefined && /gpt-image-(2|1-mini)/.test(String(fields.model)))
    throw refuse(
      `The model does not support the 'input_fidelity' parameter.`,
      'input_fidelity',
      'invalid_input_fidelity_model',
    )
  const files = request.parts.filter(({ name, bytes }) => bytes && (name === 'image' || name === 'image[]'))
  if (files.length === 0) throw refuse(`Missing required parameter: 'image'.`, 'image', 'missing_required_parameter')
  if (files.length > 16) throw refuse(`Too many images: at most 16.`, 'image', 'array_above_max_length')
  const images: SentImage[] = []
  for (const { name, bytes = Buffer.alloc(0) } of files) {
    const image = await imageOf(request, name, bytes, () =>
      refuse('Invalid image file or mode for image.', 'image', 'invalid_image_file'),
    )
    if (!['png', 'jpeg', 'webp'].includes(image.format))
      throw refuse(
        `Invalid file: unsupported mimetype ('image/${image.format}').`,
        'image',
        'unsupported_file_mimetype',
      )
    images.push(image)
  }
  const file = request.parts.find(({ name, bytes }) => bytes && name === 'mask')?.bytes
  const mask =
    file && (await imageOf(request, 'mask', file, () => refuse('Invalid mask image.', 'mask', 'invalid_image_file')))
  const [first] = images
  if (mask && first) {
    if (mask.format !== 'png' || mask.channels !== 4)
      throw refuse(
        'Invalid mask image format - mask image must be a PNG with an alpha channel.',
        'mask',
        'invalid_mask_image_format',
      )
    if (mask.width !== first.width || mask.height !== first.height)
      throw refuse(
        'Invalid mask image format - mask size does not match image size.',
        'mask',
        'invalid_mask_image_format',
      )
  }
  return imagesResponse(fields, {
    request,
    context,
    flavour,
    images,
    make: async (label, size) => {
      const bytes = images.map((image) => image.bytes)
      if (!mask)
        return size.isTransparent ? framed(await edited(label, bytes, size), size.format) : edited(label, bytes, size)
      const whole = await inpainted(label, bytes[0] ?? Buffer.alloc(0), await whiteMask(mask.bytes, 'transparent'))
      return size.isTransparent ? framed(await resized(whole, size), size.format) : resized(whole, size)
    },
  })
}

interface ImageWork {
  request: FakeRequest
  context: FakeContext
  flavour: Flavour
  images: SentImage[]
  make(
    label: { provider: string; model: string; prompt: string; seed: number },
    size: { width: number; height: number; format: 'png' | 'jpeg' | 'webp'; isTransparent: boolean },
  ): Promise<Buffer>
}

async function imagesResponse(
  fields: Fields,
  { request, context, flavour, images, make }: ImageWork,
): Promise<FakeResponse> {
  const model = textOf(fields, 'model', () =>
    refuse(`Missing required parameter: 'model'.`, 'model', 'missing_required_parameter'),
  )
  if (flavour.isStrict && !flavour.anyModel && !/^(gpt-image-|chatgpt-image-)/.test(model))
    throw refuse(`The model '${model}' does not exist.`, 'model', 'invalid_value')
  const prompt = textOf(fields, 'prompt', (message, name) =>
    refuse(`${message} ('${name}')`, 'prompt', 'missing_required_parameter'),
  )
  const n = integerOf(fields, 'n', [1, 10], refuse) ?? 1
  oneOf(fields, 'quality', ['auto', 'low', 'medium', 'high', ...(flavour.isStrict ? [] : ['standard', 'hd'])], refuse)
  const background = oneOf(fields, 'background', ['auto', 'transparent', 'opaque'], refuse) ?? 'auto'
  const format = oneOf(fields, 'output_format', ['png', 'jpeg', 'webp'], refuse) ?? 'png'
  oneOf(fields, 'moderation', ['auto', 'low'], refuse)
  const isTransparent = background === 'transparent'
  if (isTransparent && format === 'jpeg')
    throw refuse(`Transparent background is not supported for JPEG output format.`, 'background')
  if (isTransparent && /gpt-image-2/.test(model))
    throw refuse('Transparent background is not supported for this model.', 'background')
  const size = sizeOf(fields, model, images, flavour)
  if (isModerated(request, prompt)) throw moderated()
  const files = await Promise.all(
    Array.from({ length: n }, () =>
      make({ provider: flavour.label, model, prompt, seed: context.next() }, { ...size, format, isTransparent }),
    ),
  )
  context.bill({ id: `req_fake_${request.order}`, model, order: request.order })
  const data = files.map((bytes) =>
    fields.response_format === 'url'
      ? { url: context.keep(bytes, `image/${format}`) }
      : { b64_json: bytes.toString('base64') },
  )
  const text = Math.ceil(prompt.length / 4)
  const usage = {
    total_tokens: text + images.length * 300 + n * 1056,
    input_tokens: text + images.length * 300,
    output_tokens: n * 1056,
    input_tokens_details: { text_tokens: text, image_tokens: images.length * 300 },
  }
  const extra = { background: isTransparent ? 'transparent' : 'opaque', output_format: format, quality: 'low' }
  const created = Math.floor(Date.now() / 1000)
  const json = {
    created,
    ...extra,
    size: `${size.width}x${size.height}`,
    data: request.fault === 'empty' ? [] : data,
    usage,
  }
  return { status: 200, json }
}

function sizeOf(fields: Fields, model: string, images: SentImage[], { isStrict }: Flavour) {
  const { size = 'auto' } = fields
  if (size === 'auto') {
    const [{ width, height } = { width: 1, height: 1 }] = images
    if (width > height * 1.2) return { width: 1536, height: 1024 }
    return height > width * 1.2 ? { width: 1024, height: 1536 } : { width: 1024, height: 1024 }
  }
  const [, width = 0, height = 0] = (/^(\d+)x(\d+)$/.exec(String(size)) ?? []).map(Number)
  const wrong = (why: string) => refuse(`Invalid value: '${size}'. ${why}`, 'size')
  if (width === 0 || height === 0) throw wrong('A size is WIDTHxHEIGHT or auto.')
  if (!isStrict) return { width, height }
  if (/gpt-image-1/.test(model)) {
    const listed = ['1024x1024', '1024x1536', '1536x1024']
    if (!listed.includes(String(size))) throw wrong(`Supported values are: ${listed.join(', ')}, and 'auto'.`)
    return { width, height }
  }
  const long = Math.max(width, height)
  if (width % 16 || height % 16) throw wrong('Both edges must be multiples of 16.')
  if (long > 3840 || long > 3 * Math.min(width, height)) throw wrong('At most 3840, and at most 3:1.')
  if (width * height < 655_360 || width * height > 8_294_400) throw wrong('From 655360 to 8294400 pixels.')
  return { width, height }
}

function moderated(): Refusal {
  const message =
    'Your request was rejected by the safety system. If you believe this is an error, contact us at help.openai.com and include the request ID req_fake.'
  const error = { message, type: 'image_generation_user_error', param: null, code: 'moderation_blocked' }
  return new Refusal({ status: 400, json: { error } })
}

async function respond(request: FakeRequest, context: FakeContext, flavour: Flavour): Promise<FakeResponse> {
  const fields = fieldsOf(request.json, refuse)
  const model = textOf(fields, 'model', refuse)
  const input = typeof fields.input === 'string' ? [{ role: 'user', content: fields.input }] : fields.input
  if (!Array.isArray(input)) throw refuse(`Missing required parameter: 'input'.`, 'input', 'missing_required_parameter')
  const format = (fields.text as { format?: { type?: string; schema?: unknown } } | undefined)?.format
  const read = await readMessages(input, request, context)
  const tokensMax = integerOf(fields, 'max_output_tokens', [16, 1_000_000], refuse)
  const text = await textFor(
    { ...read, prompt: [fields.instructions, read.prompt].filter(Boolean).join('\n') },
    format,
    {
      model,
      tokensMax,
      flavour,
      fault: request.fault,
    },
  )
  const isFiltered = isModerated(request, read.prompt)
  context.bill({ id: `req_fake_${request.order}`, model, order: request.order })
  const id = `${request.order}${'0'.repeat(24)}`
  const content = isFiltered
    ? [{ type: 'refusal', refusal: "I'm sorry, but I can't help with that." }]
    : [{ type: 'output_text', text, annotations: [] }]
  const message = { type: 'message', id: `msg_${id}`, status: 'completed', role: 'assistant', content }
  const json = {
    id: `resp_${id}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status: isFiltered ? 'incomplete' : 'completed',
    incomplete_details: isFiltered ? { reason: 'content_filter' } : null,
    error: null,
    model,
    output: request.fault === 'empty' ? [] : [message],
    usage: {
      ...usageOf(read.prompt, text, read.images),
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  }
  return { status: 200, json }
}

async function chat(request: FakeRequest, context: FakeContext, flavour: Flavour): Promise<FakeResponse> {
  const fields = fieldsOf(request.json, refuse)
  const model = textOf(fields, 'model', refuse)
  if (!Array.isArray(fields.messages))
    throw refuse(`Missing required parameter: 'messages'.`, 'messages', 'missing_required_parameter')
  const read = await readMessages(fields.messages, request, context)
  const { type, json_schema } = (fields.response_format ?? {}) as {
    type?: string
    json_schema?: { schema?: unknown; strict?: boolean }
  }
  if (json_schema?.strict) checkStrict(json_schema.schema)
  const tokensMax =
    integerOf(fields, 'max_completion_tokens', [1, 1_000_000], refuse) ??
    integerOf(fields, 'max_tokens', [1, 1_000_000], refuse)
  const format = { ...(type && { type }), ...(json_schema && { schema: json_schema.schema }) }
  const text = await textFor(read, format, { model, tokensMax, flavour, fault: request.fault })
  const isFiltered = isModerated(request, read.prompt)
  context.bill({ id: `req_fake_${request.order}`, model, order: request.order })
  const { input_tokens, output_tokens, total_tokens } = usageOf(read.prompt, text, read.images)
  const content = isFiltered || request.fault === 'empty' ? '' : text
  const json = {
    id: `chatcmpl-fake${request.order}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null },
        logprobs: null,
        finish_reason: isFiltered ? 'content_filter' : 'stop',
      },
    ],
    usage: { prompt_tokens: input_tokens, completion_tokens: output_tokens, total_tokens },
  }
  return { status: 200, json }
}

/** The words and pictures of a conversation, in either of its two shapes. */
async function readMessages(messages: unknown[], request: FakeRequest, context: FakeContext) {
  const words: string[] = []
  const images: Buffer[] = []
  for (const message of messages) {
    const { content } = fieldsOf(message, refuse, 'messages')
    if (typeof content === 'string') words.push(content)
    else if (!Array.isArray(content)) throw refuse('Invalid type for content.', 'messages', 'invalid_type')
    else
      for (const part of content) {
        const { type, text, image_url: image } = fieldsOf(part, refuse, 'content')
        if (type === 'text' || type === 'input_text') words.push(String(text))
        else if (type === 'image_url' || type === 'input_image') {
          const url = typeof image === 'string' ? image : (image as { url?: unknown } | undefined)?.url
          const wrong = () => refuse('You uploaded an unsupported image.', 'image_url', 'invalid_image_format')
          images.push((await imageOfUrl(request, 'image_url', url, context, wrong)).bytes)
        } else throw refuse(`Invalid value: '${type}'.`, 'content')
      }
  }
  return { prompt: words.join('\n'), images }
}

async function textFor(
  { prompt, images }: { prompt: string; images: Buffer[] },
  format: { type?: string; schema?: unknown } | undefined,
  {
    model,
    tokensMax,
    flavour,
    fault,
  }: { model: string; tokensMax: number | undefined; flavour: Flavour; fault: string | undefined },
): Promise<string> {
  const isJson = format?.type === 'json_object'
  const { schema } = format ?? {}
  return writtenText({ provider: flavour.label, model, prompt, images, schema, isJson, tokensMax, fault })
}

const strictKeywords = [
  ...['type', 'description', 'enum', 'const', 'anyOf', '$ref', '$defs', 'properties', 'required'],
  ...['additionalProperties', 'items', 'minItems', 'maxItems', 'minimum', 'maximum', 'exclusiveMinimum'],
  ...['exclusiveMaximum', 'multipleOf', 'pattern', 'format'],
]

/** The part of JSON Schema that strict structured outputs support. */
function checkStrict(schema: unknown, path: string[] = []): void {
  const context = `In context=(${path.map((name) => `'${name}'`).join(', ')})`
  const wrong = (why: string) =>
    refuse(`Invalid schema for response_format 'response': ${context}, ${why}.`, 'response_format', null)
  const fields = fieldsOf(schema, () => wrong('schema must be an object'))
  const { type, properties = {}, required, additionalProperties, items, anyOf = [] } = fields
  if (path.length === 0 && type !== 'object') throw wrong(`schema must have type 'object', not '${type}'`)
  const unknown = Object.keys(fields).find((name) => !strictKeywords.includes(name))
  if (unknown !== undefined) throw wrong(`'${unknown}' is not permitted`)
  if (type === 'object') {
    if (additionalProperties !== false) throw wrong("'additionalProperties' is required to be supplied and to be false")
    const names = Object.keys(properties as object)
    if (!Array.isArray(required) || names.some((name) => !required.includes(name)))
      throw wrong("'required' is required to be supplied and to be an array including every key in properties")
    for (const [name, property] of Object.entries(properties as object))
      checkStrict(property, [...path, 'properties', name])
  }
  if (items !== undefined) checkStrict(items, [...path, 'items'])
  for (const [i, alternative] of (anyOf as unknown[]).entries()) checkStrict(alternative, [...path, 'anyOf', String(i)])
}

function usageOf(prompt: string, text: string, images: Buffer[]) {
  const input_tokens = Math.ceil(prompt.length / 4) + images.length * 300
  const output_tokens = Math.ceil(text.length / 4)
  return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens }
}
