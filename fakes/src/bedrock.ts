/** Amazon Bedrock: `invoke` of Nova Canvas, and `converse` of anything that writes. */

import type { FakeContext, FakeKind, FakeRequest } from './fake.ts'
import { whiteMask } from './images.ts'
import {
  type Fields,
  fieldsOf,
  imageOfBase64,
  integerOf,
  isModerated,
  rejectUnknownFields,
  type SentImage,
  textOf,
} from './request-fields.ts'
import { type FakeResponse, Refusal } from './responses.ts'
import { writtenText } from './texts.ts'
import { type Act, renderImage } from './work.ts'

export const bedrock: FakeKind = {
  id: 'bedrock',
  title: 'Amazon Bedrock',
  env: (url, key) => ({ BEDROCK_BASE_URL: url, BEDROCK_REGION: 'us-east-1', AWS_BEARER_TOKEN_BEDROCK: key }),
  unauthorized({ headers }, { key }) {
    const { authorization = '' } = headers
    if (authorization === `Bearer ${key}`) return undefined
    // Of a signature only whose it is, and for what, is looked at.
    const scope =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/[\w-]+\/bedrock\/aws4_request, ?SignedHeaders=\S+, ?Signature=[0-9a-f]{64}$/
    if (scope.exec(authorization)?.[1] === key) return undefined
    if (authorization === '') return problem(403, 'MissingAuthenticationTokenException', 'Missing Authentication Token')
    if (authorization.startsWith('Bearer'))
      return problem(403, 'AccessDeniedException', 'Authentication failed: Please make sure your API Key is valid.')
    return problem(403, 'UnrecognizedClientException', 'The security token included in the request is invalid.')
  },
  async respond(request, context) {
    const [, id = '', act] = /^\/model\/([^/]+)\/(invoke|converse)$/.exec(request.path) ?? []
    const model = decodeURIComponent(id)
    if (request.method !== 'POST' || act === undefined)
      return problem(404, 'UnknownOperationException', 'Unknown operation')
    if (act === 'converse') return converse(model, request, context)
    if (!/(^|\.)amazon\.(nova-canvas|titan-image)/.test(model))
      return problem(400, 'ValidationException', 'The provided model identifier is invalid.')
    return invoke(model, request, context)
  },
  error: (status, message) => {
    const names: Record<number, string> = {
      429: 'ThrottlingException',
      503: 'ServiceUnavailableException',
      400: 'ValidationException',
    }
    return problem(status, names[status] ?? 'InternalServerException', message)
  },
  quota: problem(400, 'ServiceQuotaExceededException', 'Your request exceeds the service quota for your account.'),
}

function problem(status: number, type: string, message: string): FakeResponse {
  return {
    status,
    headers: { 'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/` },
    json: { message },
  }
}

function refuse(message: string): Refusal {
  return new Refusal(problem(400, 'ValidationException', message))
}

const tasks: Record<string, { act: Act; params: string; fields: string[]; needsText: boolean }> = {
  TEXT_IMAGE: {
    act: 'generate',
    params: 'textToImageParams',
    fields: ['text', 'negativeText', 'conditionImage', 'controlMode', 'controlStrength', 'style'],
    needsText: true,
  },
  INPAINTING: {
    act: 'inpaint',
    params: 'inPaintingParams',
    fields: ['image', 'maskPrompt', 'maskImage', 'text', 'negativeText'],
    needsText: false,
  },
  OUTPAINTING: {
    act: 'inpaint',
    params: 'outPaintingParams',
    fields: ['image', 'maskPrompt', 'maskImage', 'text', 'negativeText', 'outPaintingMode'],
    needsText: true,
  },
  IMAGE_VARIATION: {
    act: 'edit',
    params: 'imageVariationParams',
    fields: ['images', 'text', 'negativeText', 'similarityStrength'],
    needsText: false,
  },
  BACKGROUND_REMOVAL: { act: 'cut', params: 'backgroundRemovalParams', fields: ['image'], needsText: false },
}

async function invoke(model: string, request: FakeRequest, context: FakeContext): Promise<FakeResponse> {
  const malformed = (message: string) =>
    refuse(`Malformed input request: ${message}, please reformat your input and try again.`)
  const body = fieldsOf(request.json, malformed)
  const task = tasks[String(body.taskType)]
  if (task === undefined) throw malformed('#/taskType: is not a valid enum value')
  const extraneous = (name: string) => malformed(`#: extraneous key [${name}] is not permitted`)
  // Removing a ground takes nothing that says how to make a picture.
  rejectUnknownFields(
    body,
    ['taskType', task.params, ...(task.act === 'cut' ? [] : ['imageGenerationConfig'])],
    extraneous,
  )
  const params = fieldsOf(body[task.params], () => malformed(`#: required key [${task.params}] not found`))
  rejectUnknownFields(params, task.fields, extraneous)
  const config = fieldsOf(body.imageGenerationConfig ?? {}, malformed)
  rejectUnknownFields(config, ['numberOfImages', 'quality', 'width', 'height', 'cfgScale', 'seed'], extraneous)
  const prompt = textOf(params, 'text', malformed, { charsMax: 1024, isRequired: task.needsText })
  const size = sizeOf(config)
  const n = integerOf(config, 'numberOfImages', [1, 5], malformed) ?? 1
  const seed = integerOf(config, 'seed', [0, 2_147_483_646], malformed) ?? 12
  const sources =
    task.params === 'imageVariationParams' ? [params.images].flat() : params.image === undefined ? [] : [params.image]
  if (task.act !== 'generate' && sources.length === 0) throw malformed('#: required key [image] not found')
  if (sources.length > 5) throw malformed('#/images: expected maximum item count: 5')
  const images: SentImage[] = []
  for (const image of sources) {
    const read = await imageOfBase64(request, 'image', image, () => refuse('Invalid image.'))
    if (Math.min(read.width, read.height) < 320 || Math.max(read.width, read.height) > 4096)
      throw refuse('The image must have sides from 320 to 4096 pixels.')
    if (read.format !== 'png' && read.format !== 'jpeg') throw refuse('The image must be PNG or JPEG.')
    images.push(read)
  }
  if (task.act === 'inpaint' && params.maskImage === undefined && params.maskPrompt === undefined)
    throw malformed('either maskPrompt or maskImage must be sources')
  const mask =
    params.maskImage === undefined
      ? undefined
      : await imageOfBase64(request, 'mask', params.maskImage, () => refuse('Invalid mask.'))
  const [first] = images
  if (mask && first && (mask.width !== first.width || mask.height !== first.height))
    throw refuse('The mask must have the size of the image.')
  // Its masks are pure black and pure white: black is replaced, or white if an image is extended.
  if (mask && isGrey(mask.pixels)) throw refuse('The mask must be of pure black and pure white.')
  if (isModerated(request, prompt))
    throw refuse(
      'This request has been blocked by our content filters. Our filters automatically flagged this prompt because it may conflict our AUP or AWS Responsible AI Policy.',
    )
  const white = mask && (await whiteMask(mask.bytes, body.taskType === 'INPAINTING' ? 'black' : 'white'))
  const rendered = await Promise.all(
    Array.from({ length: n }, (_, at) =>
      renderImage({
        act: task.act,
        label: { provider: 'bedrock', model, prompt, seed: seed + at },
        images,
        mask: white,
        size: first ? undefined : size,
      }),
    ),
  )
  context.bill({ id: `bedrock-${request.order}`, model, order: request.order })
  const headers = { 'x-amzn-requestid': `fake-${request.order}` }
  return {
    status: 200,
    headers,
    json: { images: request.fault === 'empty' ? [] : rendered.map((bytes) => bytes.toString('base64')), error: null },
  }
}

function isGrey(pixels: Buffer): boolean {
  for (const value of pixels) if (value > 0 && value < 255) return true
  return false
}

function sizeOf(config: Fields): { width: number; height: number } {
  const [width = 1024, height = 1024] = ['width', 'height'].map((side) => integerOf(config, side, [320, 4096], refuse))
  if (width % 16 || height % 16) throw refuse('Width and height must be multiples of 16.')
  if (Math.max(width, height) > 4 * Math.min(width, height)) throw refuse('The ratio must be from 1:4 to 4:1.')
  if (width * height > 4_194_304) throw refuse('At most 4194304 pixels.')
  return { width, height }
}

async function converse(model: string, request: FakeRequest, context: FakeContext): Promise<FakeResponse> {
  const body = fieldsOf(request.json, refuse)
  const { messages, system = [], inferenceConfig = {} } = body
  if (!Array.isArray(messages) || messages.length === 0) throw refuse('A conversation must start with a user message.')
  const words: string[] = [system].flat().map((part) => String(fieldsOf(part, refuse).text ?? ''))
  const images: Buffer[] = []
  for (const message of messages)
    for (const part of [fieldsOf(message, refuse).content].flat()) {
      const { text, image } = fieldsOf(part, refuse)
      if (typeof text === 'string') words.push(text)
      if (image !== undefined) {
        const { source } = fieldsOf(image, refuse)
        images.push(
          (
            await imageOfBase64(request, 'image', fieldsOf(source, refuse).bytes, () =>
              refuse('Could not process image'),
            )
          ).bytes,
        )
      }
    }
  const prompt = words.join('\n')
  const isFiltered = isModerated(request, prompt)
  const tokensMax = integerOf(fieldsOf(inferenceConfig, refuse), 'maxTokens', [1, 1_000_000], refuse)
  const tool = toolOf(body)
  const schema = tool?.schema ?? outputSchemaOf(body)
  const text = await writtenText({
    provider: 'bedrock',
    model,
    prompt,
    images,
    schema,
    tokensMax,
    fault: request.fault,
  })
  context.bill({ id: `bedrock-${request.order}`, model, order: request.order })
  const inputTokens = Math.ceil(prompt.length / 4)
  const outputTokens = Math.ceil(text.length / 4)
  const part = tool
    ? { toolUse: { toolUseId: `tooluse_${request.order}`, name: tool.name, input: JSON.parse(text) as unknown } }
    : { text }
  const json = {
    output: { message: { role: 'assistant', content: isFiltered || request.fault === 'empty' ? [] : [part] } },
    stopReason: isFiltered ? 'content_filtered' : tool ? 'tool_use' : 'end_turn',
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    metrics: { latencyMs: 1 },
  }
  return { status: 200, headers: { 'x-amzn-requestid': `fake-${request.order}` }, json }
}

/** The tool that the model has to use, and the schema of its input. */
function toolOf({ toolConfig }: Fields): { name: string; schema: unknown } | undefined {
  if (toolConfig === undefined) return undefined
  const { tools, toolChoice = {} } = fieldsOf(toolConfig, refuse)
  if (!Array.isArray(tools) || tools.length === 0)
    throw refuse('The toolConfig field must be defined with at least one tool.')
  const { name, inputSchema } = fieldsOf(fieldsOf(tools[0], refuse).toolSpec, refuse)
  const { json } = fieldsOf(inputSchema, refuse)
  if (fieldsOf(json, refuse).type !== 'object') throw refuse('The value at toolConfig.tools.0 must be an object.')
  return fieldsOf(toolChoice, refuse).any === undefined ? undefined : { name: String(name), schema: json }
}

/** Output schema of Anthropic's models. */
function outputSchemaOf({ additionalModelRequestFields = {} }: Fields): unknown {
  const { output_config: config = {} } = fieldsOf(additionalModelRequestFields, refuse)
  const { format = {} } = fieldsOf(config, refuse)
  return fieldsOf(format, refuse).schema
}
