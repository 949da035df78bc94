/** Gemini's `generateContent`, for images and text. */

import type { FakeContext, FakeKind, FakeRequest } from './fake.ts'
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
import { writtenText } from './texts.ts'
import { renderImage, sizeOfRatio } from './work.ts'

export const google: FakeKind = {
  id: 'google',
  title: 'Google Gemini',
  env: (url, key) => ({ GOOGLE_BASE_URL: url, GOOGLE_GENERATIVE_AI_API_KEY: key }),
  unauthorized({ headers, query }, { key }) {
    const sentKey = headers['x-goog-api-key'] ?? query.get('key')
    if (sentKey === key) return undefined
    if (sentKey === null)
      return status(
        403,
        'PERMISSION_DENIED',
        "Method doesn't allow unregistered callers (callers without established identity).",
      )
    // A wrong key is sentKey as a wrong argument.
    const details = [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID', domain: 'googleapis.com' },
    ]
    return status(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', { details })
  },
  async respond(request, context) {
    const [, model = ''] = /^\/v1beta\/models\/([\w.-]+):generateContent$/.exec(request.path) ?? []
    if (request.method !== 'POST' || model === '') return status(404, 'NOT_FOUND', 'Requested entity was not found.')
    if (!model.startsWith('gemini-'))
      return status(
        404,
        'NOT_FOUND',
        `models/${model} is not found for API version v1beta, or is not supported for generateContent.`,
      )
    return generate(model, request, context)
  },
  error: (code, message) =>
    status(code, code === 429 ? 'RESOURCE_EXHAUSTED' : code === 503 ? 'UNAVAILABLE' : 'INTERNAL', message),
  quota: {
    status: 429,
    json: {
      error: {
        code: 429,
        message: 'You exceeded your current quota, please check your plan and billing details.',
        status: 'RESOURCE_EXHAUSTED',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
            violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }],
          },
        ],
      },
    },
  },
}

function status(code: number, name: string, message: string, more: object = {}): FakeResponse {
  return { status: code, json: { error: { code, message, status: name, ...more } } }
}

function refuse(message: string): Refusal {
  return new Refusal(status(400, 'INVALID_ARGUMENT', message))
}

const ratios = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9']
const configFields = [
  ...['temperature', 'topP', 'topK', 'candidateCount', 'maxOutputTokens', 'stopSequences', 'responseMimeType', 'seed'],
  ...['responseSchema', 'responseJsonSchema', 'responseModalities', 'imageConfig', 'thinkingConfig', 'presencePenalty'],
  ...['frequencyPenalty', 'mediaResolution'],
]

async function generate(model: string, request: FakeRequest, context: FakeContext): Promise<FakeResponse> {
  const body = fieldsOf(request.json, refuse)
  const unknown = (field: string) =>
    refuse(`Invalid JSON payload received. Unknown name "${field}": Cannot find field.`)
  rejectUnknownFields(
    body,
    [
      'contents',
      'systemInstruction',
      'generationConfig',
      'safetySettings',
      'tools',
      'toolConfig',
      'cachedContent',
      'labels',
    ],
    unknown,
  )
  const config = fieldsOf(body.generationConfig ?? {}, refuse)
  rejectUnknownFields(config, configFields, unknown)
  if (!Array.isArray(body.contents) || body.contents.length === 0)
    throw refuse('* GenerateContentRequest.contents: contents is not specified')
  const { prompt, images } = await readContents(
    [...body.contents, ...(body.systemInstruction ? [body.systemInstruction] : [])],
    request,
  )
  const modalities = [config.responseModalities ?? []].flat()
  const makesImages = /-image|nano-banana/.test(model)
  if (modalities.includes('IMAGE') && !makesImages)
    throw refuse('Model does not support the requested response modalities: image')
  const imageConfig = fieldsOf(config.imageConfig ?? {}, refuse)
  rejectUnknownFields(imageConfig, ['aspectRatio', 'imageSize', 'imageOutputOptions'], unknown)
  const ratio = oneOf(imageConfig, 'aspectRatio', ratios, refuse)
  const seed = integerOf(config, 'seed', [-(2 ** 31), 2 ** 31 - 1], refuse) ?? context.next()
  context.bill({ id: `fake-${request.order}`, model, order: request.order })
  const blocked = isModerated(request, prompt)
  // A blocked request has no candidate; a blocked result has a finish reason.
  if (blocked && !prompt.includes('#output') && !makesImages)
    return completed(model, request, { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }, { prompt, tokens: 0 })
  if (blocked) return completed(model, request, candidate([], 'IMAGE_SAFETY'), { prompt, tokens: 0 })
  if (request.fault === 'empty') {
    const parts = makesImages ? [] : [{ text: '' }]
    return completed(model, request, candidate(parts, makesImages ? 'NO_IMAGE' : 'STOP'), { prompt, tokens: 0 })
  }
  const label = { provider: 'google', model, prompt, seed }
  if (makesImages && !(modalities.length > 0 && !modalities.includes('IMAGE'))) {
    const size =
      ratio === undefined
        ? images[0] && { width: images[0].width, height: images[0].height }
        : sizeOfRatio(ratio, 1_048_576, 16)
    const act = images.length > 0 ? 'edit' : 'generate'
    const bytes = await renderImage({ act, label, images, size })
    const parts = [{ inlineData: { mimeType: 'image/png', data: bytes.toString('base64') } }]
    return completed(model, request, candidate(parts, 'STOP'), { prompt, tokens: 1290 })
  }
  const bytes = images.map((image) => image.bytes)
  const schema = config.responseSchema ?? config.responseJsonSchema
  const isJson = config.responseMimeType === 'application/json'
  const tokensMax = integerOf(config, 'maxOutputTokens', [1, 1_000_000], refuse)
  const text = await writtenText({ ...label, images: bytes, schema, isJson, tokensMax, fault: request.fault })
  return completed(model, request, candidate([{ text }], 'STOP'), { prompt, tokens: Math.ceil(text.length / 4) })
}

function candidate(parts: object[], finishReason: string): object {
  return { candidates: [{ content: { parts, role: 'model' }, finishReason, index: 0 }] }
}

function completed(
  modelVersion: string,
  { order }: FakeRequest,
  body: object,
  { prompt, tokens }: { prompt: string; tokens: number },
): FakeResponse {
  const promptTokenCount = Math.ceil(prompt.length / 4)
  const usageMetadata = { promptTokenCount, candidatesTokenCount: tokens, totalTokenCount: promptTokenCount + tokens }
  return { status: 200, json: { ...body, usageMetadata, modelVersion, responseId: `fake-${order}` } }
}

async function readContents(
  contents: unknown[],
  request: FakeRequest,
): Promise<{ prompt: string; images: SentImage[] }> {
  const words: string[] = []
  const images: SentImage[] = []
  for (const content of contents) {
    const { parts } = fieldsOf(content, refuse)
    if (!Array.isArray(parts) || parts.length === 0)
      throw refuse('* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.')
    for (const part of parts) {
      const { text, inlineData } = fieldsOf(part, refuse)
      if (text !== undefined) words.push(textOf({ text } as Fields, 'text', refuse, { charsMax: 1_000_000 }))
      else if (inlineData !== undefined) {
        const { mimeType, data } = fieldsOf(inlineData, refuse)
        if (!/^image\/(png|jpeg|webp|heic|heif)$/.test(String(mimeType)))
          throw refuse(`Unsupported MIME type: ${mimeType}`)
        images.push(await imageOfBase64(request, 'inlineData', data, () => refuse('Unable to process input image.')))
      } else throw refuse('contents.parts must have one initialized field')
    }
  }
  return { prompt: words.join('\n'), images }
}
