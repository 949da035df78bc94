/** Calls a provider through the AI SDK: one request, sent once. Errors of the SDK never leave this folder unfiltered. */
import type { ImageModel, JSONSchema7, LanguageModel, OutputInterface } from 'ai'
import type { ModelRequest } from '../../../domain/models/model.ts'
import { responseSchema, unwrapped } from '../../../domain/models/response-schema.ts'
import { type Call, type ProviderContext, ProviderProblem, type ProviderResult, type Started } from '../../define.ts'
import { type ProviderIdentity, problemOf } from './ai-sdk-errors.ts'
import { createTransport, type Transport } from './ai-sdk-transport.ts'
import { inpaintSize } from './inpaint-size.ts'

/** Options that the packages of all providers accept. */
export interface SdkSettings {
  baseURL: string
  fetch: typeof fetch
}

export interface SdkProvider extends ProviderIdentity {
  /** Loads the package of the provider. It takes a tenth of a second, so it isn't loaded at start. */
  imageModel?(name: string, settings: SdkSettings): Promise<ImageModel>
  textModel?(name: string, settings: SdkSettings): Promise<LanguageModel>
  /** The image params that the SDK supports. It would drop others with a warning, and the call is billed. */
  passes?: { size?: boolean; aspectRatio?: boolean; seed?: boolean; transparency?: boolean }
  /** Whether it supports a seed for text. */
  passesTextSeed?: boolean
  /** The format of masks. Default: masks are not supported. */
  mask?: 'transparent' | 'black'
  /** Whether `options` requests the removal of a background. */
  removesBackgrounds?: boolean
  /** Options for this provider only. `tokensMax`: for text. */
  options?(call: Call, tokensMax: number): ProviderOptions
  /** Whether `options` has the token limit, because the SDK would send it under the wrong name to models that it doesn't know. */
  boundsTokens?: boolean
  /** The header for a request id from the client. */
  callIdHeader?: string
  /** The cost that a response reports, in micro-dollars. */
  costOf?(metadata: Record<string, unknown>): number | undefined
}

export type ProviderOptions = Record<string, Record<string, string | number | boolean>>

/** Token limit of a text, including reasoning. Prices use the same bound. */
export const outputTokensMax = 16_384

const words: ReadonlySet<string> = new Set(['describe', 'write', 'judge'])

export async function startBySdk(call: Call, context: ProviderContext, provider: SdkProvider): Promise<Started> {
  refuseWhatWouldBeDropped(call, provider)
  const wire = createTransport(context)
  try {
    const sdk = await load()
    const result = words.has(call.capability)
      ? await requestText(sdk, call, context, provider, wire)
      : await requestImage(sdk, call, context, provider, wire)
    const { requestId } = wire.sentState
    return { done: { ...result, ...(requestId !== undefined && { requestId }) } }
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason
    throw problemOf(error, wire.sentState, provider)
  }
}

type Sdk = typeof import('ai')

let loading: Promise<Sdk> | undefined

function load(): Promise<Sdk> {
  loading ??= import('ai').then((sdk) => {
    // Tests fail on warnings. In production, params that the SDK would drop are rejected before.
    globalThis.AI_SDK_LOG_WARNINGS = false
    return sdk
  })
  return loading
}

async function requestImage(
  sdk: Sdk,
  call: Call,
  context: ProviderContext,
  provider: SdkProvider,
  wire: Transport,
): Promise<ProviderResult> {
  const { request } = call
  const { size = inpaintSize(call, provider.title), aspectRatio, seed } = request
  const model = await provider.imageModel?.(call.model.name, { baseURL: context.baseUrl, fetch: wire.fetch })
  if (model === undefined) throw unsupported(provider, 'does not generate images with this model')
  const { images, calls } = await sdk.generateImage({
    model,
    prompt: await promptOf(request, provider),
    n: 1,
    ...(size && { size: `${size.width}x${size.height}` as const }),
    ...(aspectRatio !== undefined && { aspectRatio: aspectRatio as `${number}:${number}` }),
    ...(seed !== undefined && { seed }),
    providerOptions: provider.options?.(call, 0) ?? {},
    ...common(call, context, provider),
  })
  const [image] = images
  const [firstCall] = calls
  if (image === undefined)
    throw new ProviderProblem('no_output', `${provider.title} returned no image.`, { billed: 'yes' })
  const costMicros = provider.costOf?.(firstCall?.providerMetadata ?? {})
  return {
    images: [Buffer.from(image.base64, 'base64')],
    ...(seed !== undefined && { seed }),
    ...usedBy(firstCall?.usage),
    ...(costMicros !== undefined && { costMicros }),
  }
}

/** Images and masks are passed as bytes, and texts as text parts, because the SDK would fetch anything that looks like a URL. */
async function promptOf({ prompt, images, mask }: ModelRequest, { mask: form }: SdkProvider) {
  if (images.length === 0) return prompt ?? ''
  const drawn = await (form === 'black' ? mask?.black() : mask?.transparent())
  return {
    images: images.map(({ bytes }) => bytes),
    ...(prompt !== undefined && { text: prompt }),
    ...(drawn && { mask: drawn }),
  }
}

async function requestText(
  sdk: Sdk,
  call: Call,
  context: ProviderContext,
  provider: SdkProvider,
  wire: Transport,
): Promise<ProviderResult> {
  const { prompt, instructions, images, seed, charsMax, schema } = call.request
  const model = await provider.textModel?.(call.model.name, { baseURL: context.baseUrl, fetch: wire.fetch })
  if (model === undefined) throw unsupported(provider, 'does not write text with this model')
  const tokensMax = tokensFor(charsMax)
  const { text, finishReason, usage } = await sdk.generateText({
    model,
    ...(instructions !== undefined && { instructions }),
    messages: [
      {
        role: 'user',
        content: [
          ...images.map(({ bytes, mediaType }) => ({ type: 'file' as const, data: bytes, mediaType })),
          ...(prompt === undefined ? [] : [{ type: 'text' as const, text: prompt }]),
        ],
      },
    ],
    ...(!provider.boundsTokens && { maxOutputTokens: tokensMax }),
    ...(seed !== undefined && { seed }),
    ...(schema && { output: jsonOutput(responseSchema(schema) as JSONSchema7) }),
    providerOptions: provider.options?.(call, tokensMax) ?? {},
    ...common(call, context, provider),
  })
  if (finishReason === 'content-filter')
    throw new ProviderProblem('refused', `${provider.title} rejected the content.`, { billed: 'unknown' })
  if (text.trim() === '') {
    const why = finishReason === 'length' ? ': it reached its token limit before the response was complete' : ''
    throw new ProviderProblem('no_output', `${provider.title} returned no text${why}.`, { billed: 'yes' })
  }
  return {
    text: schema ? unwrapped(schema, text) : text,
    ...(seed !== undefined && { seed }),
    ...usedBy(usage),
  }
}

/**
 * Output that is not `Output.object`, which rejects a response that doesn't match: the request is retried with its
 * difference.
 */
function jsonOutput(schema: JSONSchema7): OutputInterface<string> {
  return {
    name: 'object',
    responseFormat: Promise.resolve({ type: 'json', name: 'response', schema }),
    parseCompleteOutput: async ({ text }) => text,
    parsePartialOutput: async () => undefined,
    createElementStreamTransform: () => undefined,
  }
}

/** A token can be a single character, and reasoning needs tokens, too. */
function tokensFor(charsMax = 4_000): number {
  return Math.min(outputTokensMax, charsMax + 6_000)
}

function common({ id }: Call, { signal }: ProviderContext, { callIdHeader }: SdkProvider) {
  return {
    maxRetries: 0, // A retry could be billed twice.
    abortSignal: signal,
    headers: callIdHeader === undefined ? {} : { [callIdHeader]: id },
  }
}

function usedBy(usage?: { inputTokens?: number | undefined; outputTokens?: number | undefined }) {
  const { inputTokens, outputTokens } = usage ?? {}
  if (inputTokens === undefined && outputTokens === undefined) return {}
  return {
    used: { ...(inputTokens !== undefined && { inputTokens }), ...(outputTokens !== undefined && { outputTokens }) },
  }
}

/** A row of the operator may have params that the SDK doesn't support. */
function refuseWhatWouldBeDropped({ capability, request }: Call, provider: SdkProvider): void {
  const { passes = {}, passesTextSeed = false, mask, removesBackgrounds = false } = provider
  const takes: typeof passes = words.has(capability) ? { seed: passesTextSeed } : passes
  for (const [name, param] of Object.entries(droppable) as [keyof typeof droppable, string][])
    if (request[name] !== undefined && request[name] !== false && !takes[name])
      throw unsupported(provider, `does not support the param ${param} here`)
  if (request.mask && mask === undefined) throw unsupported(provider, 'does not support masks')
  if (capability === 'upscale' || (capability === 'remove-background' && !removesBackgrounds))
    throw unsupported(provider, `does not support ${capability}`)
}

const droppable = { size: 'size', aspectRatio: 'aspect ratio', seed: 'seed', transparency: 'transparent ground' }

function unsupported({ title }: SdkProvider, message: string): ProviderProblem {
  return new ProviderProblem('unsupported', `${title} ${message}.`)
}
