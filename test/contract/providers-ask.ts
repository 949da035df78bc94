/** Calls one model of one provider with all features of its row, using a fake, like the code in providers/calls. */
import sharp from 'sharp'
import type { Fake } from '../../fakes/src/fake.ts'
import { fakeKinds } from '../../fakes/src/index.ts'
import type { ValueSchema } from '../../shared/json-schema.ts'
import type { Capability, ModelRequest, ModelTraits, RequestImage, RequestMask } from '../../src/domain/models/model.ts'
import { createProviderHttp } from '../../src/net/provider-http.ts'
import { type ClassifiedError, classifyError, type Phase } from '../../src/providers/calls/classify-error.ts'
import type { Call, ModelRow, Provider, ProviderContext, ProviderResult, Started } from '../../src/providers/define.ts'
import { readProviders } from '../../src/providers/settings.ts'

export const prompt = 'a small red lighthouse'

export interface Subject {
  provider: Provider
  row: ModelRow
  capability: Capability
  /** Whether its request has a schema. */
  isStructured?: true
}

/** Every row of a provider with each of its capabilities. Rows for several models are not models. */
export async function subjectsOf(provider: Provider): Promise<Subject[]> {
  const { settings } = configOf(provider, 'http://127.0.0.1:9100', 'fake')
  const rows = typeof provider.models === 'function' ? await provider.models(settings) : provider.models
  return rows
    .filter(({ name }) => !name.endsWith('*'))
    .flatMap((row) => (Object.keys(row.can) as Capability[]).map((capability) => ({ provider, row, capability })))
}

/** Settings from the environment that the fake prints. */
export function configOf(provider: Provider, url: string, key: string) {
  const env = fakeKinds.find(({ id }) => id === provider.id)?.env(url, key) ?? {}
  const { providers, problems } = readProviders(env, [provider], () => '')
  const config = providers[provider.id]
  if (config?.baseUrl === undefined || problems.length > 0) throw new Error(`${provider.id}: ${problems.join(' ')}`)
  return { ...config, baseUrl: config.baseUrl }
}

export const responseBytesMax = 4_000_000

export function contextOf(
  provider: Provider,
  fake: Fake,
  { key = fake.key, signal = new AbortController().signal } = {},
): ProviderContext {
  const { baseUrl, settings } = configOf(provider, fake.url, key)
  const { ownOrigins = [] } = provider
  const http = createProviderHttp({
    baseUrl,
    ownOrigins,
    allow: [new URL(fake.filesUrl).host],
    bytesMax: responseBytesMax,
  })
  return { settings, baseUrl, http, signal }
}

let calls = 0

export async function callOf({ row, capability, isStructured }: Subject): Promise<Call> {
  const id = `call_${String(++calls).padStart(8, '0')}`
  const request = await requestOf(capability, row.can[capability] ?? {})
  return { id, capability, model: row, request: isStructured ? { ...request, schema: structuredSchema } : request }
}

/** Every kind of value, optional ones as well, and a list at the root, which strict structured output doesn't have. */
export const structuredSchema: ValueSchema = {
  type: 'array',
  minItems: 2,
  items: {
    type: 'object',
    required: ['headline', 'score'],
    properties: {
      headline: { type: 'string', title: 'Headline', minLength: 3, maxLength: 30 },
      score: { type: 'integer', minimum: 1, maximum: 5, default: 3 },
      tone: { type: 'string', enum: ['warm', 'cold'] },
      color: { type: 'string', format: 'color', description: 'Of the ground.' },
      day: { type: 'string', format: 'date' },
      tags: { type: 'array', maxItems: 3, items: { type: 'string' } },
      place: { type: 'object', properties: { city: { type: 'string' }, isOpen: { type: 'boolean' } } },
    },
  },
}

const sample = { width: 768, height: 512 }
/** An image to enlarge. */
const small = { width: 192, height: 128 }

/** A request with all features of the row. */
async function requestOf(capability: Capability, traits: ModelTraits): Promise<ModelRequest> {
  const isBlind = capability === 'generate' || capability === 'write'
  const takesWords = traits.prompt ?? (capability !== 'remove-background' && capability !== 'upscale')
  const count = isBlind ? 0 : capability === 'judge' ? 2 : Math.min(traits.imagesMax ?? 1, 2)
  const words =
    capability === 'judge'
      ? `Answer with nothing but JSON of this form: {"index": <number of the image>, "reason": "<why>"}`
      : prompt
  return {
    capability,
    images: await Promise.all(
      Array.from({ length: count }, (_, at) => imageOf(at, capability === 'upscale' ? small : sample)),
    ),
    ...(takesWords && { prompt: words }),
    ...(capability === 'write' && { instructions: 'Write one sentence.' }),
    ...(traits.sizes && { size: sizeOf(traits.sizes) }),
    ...(!traits.sizes &&
      traits.aspectRatios && {
        aspectRatio: traits.aspectRatios.includes('3:2') ? '3:2' : (traits.aspectRatios[0] ?? ''),
      }),
    ...(traits.seed && { seed: 7 }),
    ...(traits.transparency && { transparency: true }),
    ...(capability === 'inpaint' && { mask }),
    ...(capability === 'upscale' && { scale: traits.scales?.[0] ?? 2 }),
    ...((capability === 'write' || capability === 'describe') && { charsMax: 500 }),
  }
}

function sizeOf(sizes: NonNullable<ModelTraits['sizes']>): { width: number; height: number } {
  if ('free' in sizes) return sample
  const [width = 0, height = 0] = (sizes.listed.includes('1536x1024') ? '1536x1024' : (sizes.listed[0] ?? ''))
    .split('x')
    .map(Number)
  return { width, height }
}

/** The second is brighter. */
async function imageOf(at: number, size: typeof sample): Promise<RequestImage> {
  const background = at === 0 ? '#205080' : '#e0d0a0'
  const bytes = await sharp({ create: { ...size, channels: 3, background } })
    .png({ compressionLevel: 3 })
    .toBuffer()
  return { bytes, mediaType: 'image/png', ...size }
}

/** The mask of an inpainting. */
export const hole = { left: 384, top: 128, width: 256, height: 256 }

const mask: RequestMask = {
  white: () => maskOf('#000', '#fff'),
  black: () => maskOf('#fff', '#000'),
  async transparent() {
    const { width, height } = hole
    const cut = { create: { width, height, channels: 4 as const, background: '#fff' } }
    return sharp({ create: { ...sample, channels: 4, background: '#000' } })
      .composite([{ input: cut, left: hole.left, top: hole.top, blend: 'dest-out' }])
      .png()
      .toBuffer()
  },
}

async function maskOf(ground: string, inside: string): Promise<Buffer> {
  const { left, top, width, height } = hole
  const input = { create: { width, height, channels: 3 as const, background: inside } }
  return sharp({ create: { ...sample, channels: 3, background: ground } })
    .composite([{ input, left, top }])
    .toColourspace('b-w')
    .png()
    .toBuffer()
}

export interface CallResult extends ProviderResult {
  /** Images of the response as files. */
  files: Buffer[]
}

/** The error as providers/calls classifies it. */
export class ProviderCallError extends Error {
  readonly phase: Phase
  readonly classified: ClassifiedError

  constructor(phase: Phase, classified: ClassifiedError, cause: unknown) {
    super(`${phase}: ${classified.kind}: ${classified.message}`, { cause })
    this.phase = phase
    this.classified = classified
  }
}

/** Starts a call, polls without waiting, and downloads its result. */
export async function callProvider(subject: Subject, call: Call, context: ProviderContext): Promise<CallResult> {
  const { provider } = subject
  const started = await during('submit', context, () => provider.start(call, context))
  const result = 'done' in started ? started.done : await polled(provider, started, call, context)
  const files = await Promise.all(
    (result.images ?? []).map((image) =>
      Buffer.isBuffer(image)
        ? image
        : during('download', context, () => context.http.download(image.url, context.signal)),
    ),
  )
  return { ...result, files }
}

const pollsMax = 30

async function polled(
  provider: Provider,
  started: Extract<Started, { handle: unknown }>,
  call: Call,
  context: ProviderContext,
): Promise<ProviderResult> {
  // A handle has been stored and read again.
  let handle = JSON.parse(JSON.stringify(started.handle))
  for (let polls = 0; polls < pollsMax; polls++) {
    try {
      const now = await during('poll', context, async () => provider.poll?.(handle, call, context))
      if (now === undefined) throw new Error(`${provider.id} gives handles and has no poll`)
      if ('done' in now) return now.done
      handle = JSON.parse(JSON.stringify(now.pending.handle ?? handle))
    } catch (error) {
      if (!(error instanceof ProviderCallError) || error.classified.next !== 'retry') throw error
    }
  }
  throw new Error(`${provider.id} has not answered after ${pollsMax} polls`)
}

export async function during<Result>(
  phase: Phase,
  { settings, signal }: ProviderContext,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted) throw error
    const secrets = Object.values(settings).filter((value) => value !== undefined)
    throw new ProviderCallError(phase, classifyError(error, { phase, secrets, nowMs: 0 }), error)
  }
}
