/** Asks a provider through the AI SDK: one request, sent once, whose errors never leave this folder as they are. */
import type { ImageModel, LanguageModel } from 'ai'
import type { ModelRequest } from '../../domain/model.ts'
import { type Call, type ProviderAnswer, type ProviderContext, ProviderProblem, type Started } from '../define.ts'
import { problemOf, type Told } from './ai-sdk-trouble.ts'
import { type Wire, wireTo } from './ai-sdk-wire.ts'
import { inpaintSize } from './inpaint-size.ts'

/** What the package of one provider is handed: every one of them takes these. */
export interface SdkSettings {
  baseURL: string
  fetch: typeof fetch
}

export interface SdkProvider extends Told {
  /** Loads the package of the provider: only now, for it takes a tenth of a second. */
  imageModel?(name: string, settings: SdkSettings): Promise<ImageModel>
  textModel?(name: string, settings: SdkSettings): Promise<LanguageModel>
  /** What the SDK hands on of a request for an image. The rest it would drop, with a warning, and the call is paid. */
  passes?: { size?: boolean; aspectRatio?: boolean; seed?: boolean; transparency?: boolean }
  /** Whether it hands on the seed of a request for text. */
  passesTextSeed?: boolean
  /** In which form masks are taken. Default: not at all. */
  mask?: 'transparent' | 'black'
  /** Whether `options` asks it to remove a background. */
  removesBackgrounds?: boolean
  /** What only this provider reads. `tokensMax`: of an answer of words. */
  options?(call: Call, tokensMax: number): ProviderOptions
  /** Whether `options` bounds the tokens: the SDK calls the bound by another name than the model, if it does not know it. */
  boundsTokens?: boolean
  /** The header in which it takes an id of the caller. */
  callIdHeader?: string
  /** What an answer says that it cost, in micro-dollars. */
  costOf?(metadata: Record<string, unknown>): number | undefined
}

export type ProviderOptions = Record<string, Record<string, string | number | boolean>>

/** Most tokens that are asked for in an answer of words, reasoning included: the bound of prices too. */
export const outputTokensMax = 16_384

const words: ReadonlySet<string> = new Set(['describe', 'write', 'judge'])

export async function startBySdk(call: Call, context: ProviderContext, provider: SdkProvider): Promise<Started> {
  refuseWhatWouldBeDropped(call, provider)
  const wire = wireTo(context)
  try {
    const sdk = await load()
    const answer = words.has(call.capability)
      ? await askForText(sdk, call, context, provider, wire)
      : await askForImage(sdk, call, context, provider, wire)
    const { requestId } = wire.seen
    return { done: { ...answer, ...(requestId !== undefined && { requestId }) } }
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason
    throw problemOf(error, wire.seen, provider)
  }
}

type Sdk = typeof import('ai')

let loading: Promise<Sdk> | undefined

function load(): Promise<Sdk> {
  loading ??= import('ai').then((sdk) => {
    // Warnings are told by tests, not by the log: what would be dropped is refused before.
    globalThis.AI_SDK_LOG_WARNINGS = false
    return sdk
  })
  return loading
}

async function askForImage(
  sdk: Sdk,
  call: Call,
  context: ProviderContext,
  provider: SdkProvider,
  wire: Wire,
): Promise<ProviderAnswer> {
  const { request } = call
  const { size = inpaintSize(call, provider.title), aspectRatio, seed } = request
  const model = await provider.imageModel?.(call.model.name, { baseURL: context.baseUrl, fetch: wire.fetch })
  if (model === undefined) throw unsupported(provider, 'makes no images')
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
  const [made] = calls
  if (image === undefined) throw new ProviderProblem('no_output', `${provider.title} gave no image.`, { billed: 'yes' })
  const costMicros = provider.costOf?.(made?.providerMetadata ?? {})
  return {
    images: [Buffer.from(image.base64, 'base64')],
    ...(seed !== undefined && { seed }),
    ...usedBy(made?.usage),
    ...(costMicros !== undefined && { costMicros }),
  }
}

/** A text that begins as a URL stays a text; images and masks are bytes: the SDK would fetch what is a URL. */
async function promptOf({ prompt, images, mask }: ModelRequest, { mask: form }: SdkProvider) {
  if (images.length === 0) return prompt ?? ''
  const drawn = await (form === 'black' ? mask?.black() : mask?.transparent())
  return {
    images: images.map(({ bytes }) => bytes),
    ...(prompt !== undefined && { text: prompt }),
    ...(drawn && { mask: drawn }),
  }
}

async function askForText(
  sdk: Sdk,
  call: Call,
  context: ProviderContext,
  provider: SdkProvider,
  wire: Wire,
): Promise<ProviderAnswer> {
  const { prompt, instructions, images, seed, charsMax } = call.request
  const model = await provider.textModel?.(call.model.name, { baseURL: context.baseUrl, fetch: wire.fetch })
  if (model === undefined) throw unsupported(provider, 'writes no text')
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
    providerOptions: provider.options?.(call, tokensMax) ?? {},
    ...common(call, context, provider),
  })
  if (finishReason === 'content-filter')
    throw new ProviderProblem('refused', `${provider.title} declined the content.`, { billed: 'unknown' })
  if (text.trim() === '') {
    const why = finishReason === 'length' ? ': it came to the most words that it may use before it answered' : ''
    throw new ProviderProblem('no_output', `${provider.title} gave no text${why}.`, { billed: 'yes' })
  }
  return { text, ...(seed !== undefined && { seed }), ...usedBy(usage) }
}

/** A token may be as little as one character; a model that reasons does so in tokens too. */
function tokensFor(charsMax = 4_000): number {
  return Math.min(outputTokensMax, charsMax + 6_000)
}

function common({ id }: Call, { signal }: ProviderContext, { callIdHeader }: SdkProvider) {
  return {
    maxRetries: 0, // It would pay again for what may have been carried out.
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

/** A row of an operator may say more than the SDK can hand on. */
function refuseWhatWouldBeDropped({ capability, request }: Call, provider: SdkProvider): void {
  const { passes = {}, passesTextSeed = false, mask, removesBackgrounds = false } = provider
  const takes: typeof passes = words.has(capability) ? { seed: passesTextSeed } : passes
  for (const [name, what] of Object.entries(droppable) as [keyof typeof droppable, string][])
    if (request[name] !== undefined && request[name] !== false && !takes[name])
      throw unsupported(provider, `takes no ${what} here`)
  if (request.mask && mask === undefined) throw unsupported(provider, 'takes no masks')
  if (capability === 'upscale' || (capability === 'remove-background' && !removesBackgrounds))
    throw unsupported(provider, `is not asked for ${capability}`)
}

const droppable = { size: 'size', aspectRatio: 'aspect ratio', seed: 'seed', transparency: 'transparent ground' }

function unsupported({ title }: SdkProvider, what: string): ProviderProblem {
  return new ProviderProblem('unsupported', `${title} ${what}.`)
}
