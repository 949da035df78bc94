/** From what a provider gave to an answer that is believed: fetched, decoded, stored, looked at, written down. */
import { type BlobStore, type ImageFacts, imageFormats, type StagedBlob } from '../../domain/image.ts'
import type { Ask, ModelAnswer } from '../../domain/model.ts'
import { type CallAnswer, type CallEnd, callBlobKey, type ProviderCall } from '../../domain/provider-call.ts'
import { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { type ProviderAnswer, ProviderProblem } from '../define.ts'
import { believable, pricesOf, reckon, type Size } from '../prices.ts'
import { redact, withoutSecrets } from '../shared/redact.ts'
import type { Trouble } from '../trouble.ts'
import { type Outcome, Stopped } from './job.ts'
import { assumedCost, modelOf, unbilled } from './records.ts'
import { type Asked, endCall, isPriced, type Runner, secretsFor, troubleOf } from './runner.ts'
import { backOffMs, persist, sleep } from './waiting.ts'

/**
 * Throws `Stopped` when the signal aborts before everything is there. `again`: asks a job once more for what it gave, which
 * may have been cut short on its way.
 */
export async function settle(
  runner: Runner,
  call: ProviderCall,
  given: ProviderAnswer,
  asked: Asked,
  accept: Ask['accept'],
  signal: AbortSignal,
  again?: () => Promise<ProviderAnswer>,
): Promise<Outcome> {
  const requestId = given.requestId
    ? redact(given.requestId, secretsFor(runner, asked.provider)).slice(0, 200)
    : call.requestId
  const sizes: Size[] = []
  try {
    const { images, keys } = await storeImages(runner, call, given, asked, sizes, signal, again)
    const said = given.text && withoutSecrets(given.text, secretsFor(runner, asked.provider))
    const text = cleanText(said, asked.request.charsMax)
    if (isEmpty(call, images, text)) throw new ProviderProblem('no_output', '', { billed: 'yes' })
    const answer: ModelAnswer = {
      model: modelOf(call),
      images,
      ...(text !== undefined && { text }),
      ...(given.seed !== undefined && { seed: given.seed }),
    }
    await look(accept, answer)
    const kept: CallAnswer = {
      blobKeys: keys,
      ...(text !== undefined && { text }),
      ...(given.seed !== undefined && { seed: given.seed }),
    }
    const end: CallEnd = { state: 'done', answer: kept, ...costOf(call, given, asked, sizes), requestId }
    const ended = await endCall(runner, call, end)
    if (ended.isOurs) return { is: 'ended', call: ended.call, answer }
    return endedElsewhere(runner, ended.call)
  } catch (error) {
    if (error instanceof Stopped || signal.aborted || !(error instanceof ProviderProblem)) throw error
    const trouble = troubleOf(runner, asked.provider, error, 'download')
    const cost = trouble.facts.billed === 'no' ? unbilled : costOf(call, given, asked, sizes)
    return endFailed(
      runner,
      call,
      asked,
      { ...trouble, facts: { ...trouble.facts, requestId } as Trouble['facts'] },
      cost,
    )
  }
}

/** As somebody else has ended it. */
export async function endedElsewhere(runner: Runner, call: ProviderCall): Promise<Outcome> {
  if (call.state !== 'done') return { is: 'ended', call }
  return { is: 'ended', call, answer: await storedAnswer(runner.blobs, call) }
}

/** Of a call that is done. Throws `BlobMissing` where what it gave was swept up. */
export async function storedAnswer(blobs: BlobStore, call: ProviderCall): Promise<ModelAnswer> {
  const { blobKeys = [], ...rest } = call.answer ?? {}
  return { ...rest, model: modelOf(call), images: await Promise.all(blobKeys.map((key) => blobs.read(key))) }
}

/** Ends it without an answer. `cost`: where more is known of it than whether it is billed. */
export async function endFailed(
  runner: Runner,
  call: ProviderCall,
  { model }: Pick<Asked, 'model'>,
  { kind, message, facts, next }: Pick<Trouble, 'kind' | 'message' | 'facts'> & { next?: Trouble['next'] },
  cost?: Pick<CallEnd, 'costMicros' | 'costSource'>,
): Promise<Outcome> {
  const isFree = (facts.billed ?? 'no') === 'no'
  const assumed = isFree ? unbilled : assumedCost(call, isPriced(model, call))
  const told = believable(facts.costMicros)
  const reported = told === undefined ? undefined : ({ costMicros: Math.ceil(told), costSource: 'reported' } as const)
  const ended = await endCall(runner, call, {
    state: kind === 'outcome_unknown' ? 'unknown' : kind === 'cancelled' ? 'cancelled' : 'failed',
    problem: {
      kind,
      message,
      ...(facts.status !== undefined && { status: facts.status }),
      ...(next === 'repeat' && isFree && { isForNow: true }),
    },
    ...(reported ?? cost ?? assumed),
    requestId: facts.requestId ?? call.requestId,
  })
  if (!ended.isOurs) return endedElsewhere(runner, ended.call)
  return { is: 'ended', call: ended.call, afterMs: facts.retryAfterMs }
}

function costOf(
  call: ProviderCall,
  { costMicros, used, images = [] }: ProviderAnswer,
  { model }: Asked,
  sizes: readonly Size[],
): Pick<CallEnd, 'costMicros' | 'costSource'> {
  const reported = believable(costMicros)
  if (reported !== undefined) return { costMicros: Math.ceil(reported), costSource: 'reported' }
  const price = pricesOf(model.row)?.[call.capability]
  // Where some could not be decoded, their sizes are not known.
  const isKnown = price?.per !== 'megapixel' || sizes.length === images.length
  const pictures = price?.per === 'image' ? images.map(() => ({ width: 0, height: 0 })) : sizes
  const computed = price && isKnown ? reckon(price, used, pictures) : undefined
  if (computed !== undefined) return { costMicros: computed, costSource: 'computed' }
  return assumedCost(call, price !== undefined)
}

async function storeImages(
  runner: Runner,
  call: ProviderCall,
  { images: given = [] }: ProviderAnswer,
  asked: Asked,
  sizes: Size[],
  signal: AbortSignal,
  again?: () => Promise<ProviderAnswer>,
): Promise<{ images: Buffer[]; keys: string[] }> {
  if (given.length > limits.askedImagesMax) {
    throw new ProviderProblem('bad_output', `It gave ${given.length} images.`, { billed: 'yes' })
  }
  const images: Buffer[] = []
  const keys: string[] = []
  for (const [n, each] of given.entries()) {
    const { bytes, key, facts } = await storeImage(runner, call, n, each, asked, signal, again)
    images.push(bytes)
    keys.push(key)
    sizes.push(facts)
  }
  return { images, keys }
}

async function storeImage(
  runner: Runner,
  call: ProviderCall,
  n: number,
  given: GivenImage,
  asked: Asked,
  signal: AbortSignal,
  again?: () => Promise<ProviderAnswer>,
): Promise<{ bytes: Buffer; key: string; facts: ImageFacts }> {
  let image = given
  for (let tries = 1; ; tries++) {
    const bytes = Buffer.isBuffer(image) ? image : await fetchFile(runner, image.url, asked, signal)
    const staged = await persist(() => stage(runner.blobs, bytes), signal)
    try {
      const facts = await runner.inspect(staged.path, signal)
      if (!isTaken(facts)) {
        throw new ProviderProblem('bad_output', `It gave an image as ${facts.format}.`, { billed: 'yes' })
      }
      const key = callBlobKey(call.id, n, imageFormats[facts.format].extension)
      await commit(runner.blobs, staged, bytes, key, signal)
      return { bytes, key, facts }
    } catch (error) {
      await staged.discard().catch(() => undefined)
      signal.throwIfAborted()
      if (!(error instanceof Fault)) throw error
      // It may have been cut short on its way.
      const next = tries > 1 ? undefined : Buffer.isBuffer(image) ? await anew(n, again, signal) : image
      if (next !== undefined) {
        image = next
        continue
      }
      throw new ProviderProblem('bad_output', error.details.issues?.[0]?.message ?? error.message, {
        billed: 'yes',
      })
    }
  }
}

type GivenImage = NonNullable<ProviderAnswer['images']>[number]

/** Undefined where it cannot be had any more: then it stays as it came. */
async function anew(
  n: number,
  again: (() => Promise<ProviderAnswer>) | undefined,
  signal: AbortSignal,
): Promise<GivenImage | undefined> {
  try {
    return (await again?.())?.images?.[n]
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ProviderProblem) return undefined
    throw error
  }
}

/** A file that a store does not have yet, a moment after its job was done, looks like one that it has no more. */
const missingStatuses = new Set([403, 404])
const missingTriesMax = 4
const firstMissingMs = 1_000

/** Until it is there, it is gone, or the signal aborts: it was paid for. */
async function fetchFile(runner: Runner, url: string, { provider }: Asked, signal: AbortSignal): Promise<Buffer> {
  for (let tries = 0; ; tries++) {
    try {
      return await runner.http(provider.id).download(url, signal)
    } catch (error) {
      signal.throwIfAborted()
      const { kind, message, facts, next } = troubleOf(runner, provider, error, 'download')
      const mayCome = missingStatuses.has(facts.status ?? 0) && tries + 1 < missingTriesMax
      if (next !== 'repeat' && !mayCome) throw new ProviderProblem(kind, message, { ...facts, billed: 'yes' })
      if (next !== 'repeat') await sleep(firstMissingMs * 2 ** tries, signal)
      else await sleep(facts.retryAfterMs ?? 500 + backOffMs(tries), signal)
    }
  }
}

function stage(blobs: BlobStore, bytes: Buffer): Promise<StagedBlob> {
  async function* once() {
    yield bytes
  }
  return blobs.stage(once(), { bytesMax: Number.MAX_SAFE_INTEGER })
}

/** A staged blob can be committed once; where that fails it is staged anew. */
async function commit(
  blobs: BlobStore,
  staged: StagedBlob,
  bytes: Buffer,
  key: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await staged.commit(key)
  } catch {
    await persist(async () => (await stage(blobs, bytes)).commit(key), signal)
  }
}

/** No document that something else would have to draw. */
function isTaken({ format }: ImageFacts): boolean {
  return format !== 'svg'
}

/** What an answer looks like is for whoever asked to say; where nobody asks any more, it is kept for whoever comes next. */
async function look(accept: Ask['accept'], answer: ModelAnswer): Promise<void> {
  try {
    await accept?.(answer)
  } catch (error) {
    if (error instanceof Fault) return
    throw new ProviderProblem('bad_output', error instanceof Error ? error.message : '', { billed: 'yes' })
  }
}

function isEmpty({ capability }: ProviderCall, images: Buffer[], text: string | undefined): boolean {
  const isText = capability === 'describe' || capability === 'write' || capability === 'judge'
  return isText ? text === undefined : images.length === 0
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

function cleanText(text: string | undefined, charsMax: number = limits.textAnswerCharsMax): string | undefined {
  const clean = text?.toWellFormed().replace(controls, '').trim()
  return clean === undefined || clean === ''
    ? undefined
    : Array.from(clean.slice(0, charsMax * 2))
        .slice(0, charsMax)
        .join('')
}
