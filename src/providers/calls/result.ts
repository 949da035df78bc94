/** Results of providers: downloaded, decoded and stored before anything trusts them. */
import {
  type BlobStore,
  type ImageFacts,
  imageFormats,
  isDownloadOnly,
  type StagedBlob,
} from '../../domain/images/image.ts'
import type { ModelInvocation, ModelResponse } from '../../domain/models/model.ts'
import { type CallResponse, callBlobKey, type ProviderCall } from '../../domain/models/provider-call.ts'
import { persist } from '../../domain/persist.ts'
import { Fault, ResponseMismatch } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { withoutSecrets } from '../adapters/shared/redact.ts'
import { ProviderProblem, type ProviderResult } from '../define.ts'
import type { CallDependencies } from './context.ts'
import { modelOf } from './failures.ts'
import type { ProviderClient } from './provider-client.ts'
import { backOffMs, sleep } from './retry.ts'

export interface StoredImage {
  bytes: Buffer
  key: string
  width: number
  height: number
}

export interface ResultSource extends Pick<CallDependencies, 'blobs' | 'inspect'> {
  row: ProviderCall
  client: ProviderClient
  signal: AbortSignal
  /** Images that are stored so far: they may cost something even if the result as a whole is unusable. */
  images: StoredImage[]
  /** Most characters of a text. */
  charsMax: number | undefined
  accept: ModelInvocation['accept']
  /** Polls the job for its result again: the first copy may have been truncated. */
  pollAgain: (() => Promise<ProviderResult>) | undefined
}

/**
 * The answer, and what the record says about it. Throws `ProviderProblem` if the result is unusable, and the reason of the signal
 * if it aborts before everything is stored.
 */
export async function storeResult(
  result: ProviderResult,
  source: ResultSource,
): Promise<{ response: ModelResponse; stored: CallResponse }> {
  const { images, client, row, accept } = source
  if (result.images && result.images.length > limits.modelInputImagesMax) {
    throw new ProviderProblem(
      'bad_output',
      `The response has ${result.images.length} images; the maximum is ${limits.modelInputImagesMax}.`,
      { billed: 'yes' },
    )
  }
  for (const [n, image] of (result.images ?? []).entries()) images.push(await storeImage(source, n, image))
  const text = result.text && cleanText(withoutSecrets(result.text, client.secrets), source.charsMax)
  if (isTextual(row) ? !text : images.length === 0) throw new ProviderProblem('no_output', '', { billed: 'yes' })
  const rest = { ...(text && { text }), ...(result.seed !== undefined && { seed: result.seed }) }
  const response = { model: modelOf(row), images: images.map(({ bytes }) => bytes), ...rest }
  await checkResponse(accept, response)
  return { response, stored: { blobKeys: images.map(({ key }) => key), ...rest } }
}

type ResultImage = NonNullable<ProviderResult['images']>[number]

/** A damaged image is downloaded, or requested from its job, a second time. */
async function storeImage(source: ResultSource, n: number, first: ResultImage): Promise<StoredImage> {
  const { blobs, signal } = source
  let image = first
  for (let tries = 1; ; tries++) {
    const bytes = Buffer.isBuffer(image) ? image : await download(source, image.url)
    const staged = await persist(() => stage(blobs, bytes), signal)
    try {
      const { format, width, height } = await inspectRaster(source, staged)
      const key = callBlobKey(source.row.id, n, imageFormats[format].extension)
      await commit(source, staged, bytes, key)
      return { bytes, key, width, height }
    } catch (error) {
      await staged.discard().catch(() => undefined)
      signal.throwIfAborted()
      if (!(error instanceof Fault)) throw error
      const next = tries > 1 ? undefined : Buffer.isBuffer(image) ? await pollImage(source, n) : image
      if (next === undefined) {
        const message = error.details.issues?.[0]?.message ?? error.message
        throw new ProviderProblem('bad_output', message, { billed: 'yes' })
      }
      image = next
    }
  }
}

/** Documents are rejected: something else would have to draw them. */
async function inspectRaster({ inspect, signal }: ResultSource, staged: StagedBlob): Promise<ImageFacts> {
  const facts = await inspect(staged.path, signal)
  if (!isDownloadOnly(facts.format)) return facts
  throw new ProviderProblem('bad_output', `The response has an image in the unsupported format ${facts.format}.`, {
    billed: 'yes',
  })
}

/** Undefined if the job has no result any more. */
async function pollImage({ pollAgain, signal }: ResultSource, n: number): Promise<ResultImage | undefined> {
  try {
    return (await pollAgain?.())?.images?.[n]
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ProviderProblem) return undefined
    throw error
  }
}

/** Shortly after a job is done, a file that its store doesn't have yet looks like a file that it has deleted. */
const missingStatuses = new Set([403, 404])
const missingTriesMax = 4
const firstMissingMs = 1_000

/** Retries until the file is there, is gone, or the signal aborts: it was paid for. */
async function download({ client, signal }: ResultSource, url: string): Promise<Buffer> {
  for (let tries = 0; ; tries++) {
    try {
      return await client.http.download(url, signal)
    } catch (error) {
      signal.throwIfAborted()
      const { kind, message, facts, next } = client.classify(error, 'download')
      const mayAppear = missingStatuses.has(facts.status ?? 0) && tries + 1 < missingTriesMax
      if (next !== 'retry' && !mayAppear) throw new ProviderProblem(kind, message, { ...facts, billed: 'yes' })
      if (next !== 'retry') await sleep(firstMissingMs * 2 ** tries, signal)
      else await sleep(facts.retryAfterMs ?? 500 + backOffMs(tries), signal)
    }
  }
}

function stage(blobs: BlobStore, bytes: Buffer): Promise<StagedBlob> {
  async function* bytesOnce() {
    yield bytes
  }
  return blobs.stage(bytesOnce(), { bytesMax: Number.MAX_SAFE_INTEGER })
}

/** A staged blob can be committed once, so a retry stages the bytes again. */
async function commit({ blobs, signal }: ResultSource, staged: StagedBlob, bytes: Buffer, key: string): Promise<void> {
  try {
    await staged.commit(key)
  } catch {
    await persist(async () => (await stage(blobs, bytes)).commit(key), signal)
  }
}

/** A Fault means that the step ended: then no one can judge the answer, and it is stored for the next attempt. */
async function checkResponse(accept: ModelInvocation['accept'], response: ModelResponse): Promise<void> {
  try {
    await accept?.(response)
  } catch (error) {
    if (error instanceof Fault) return
    if (error instanceof ResponseMismatch) throw new ProviderProblem('mismatch', error.message, { billed: 'yes' })
    throw new ProviderProblem('bad_output', error instanceof Error ? error.message : '', { billed: 'yes' })
  }
}

function isTextual({ capability }: ProviderCall): boolean {
  return capability === 'describe' || capability === 'write' || capability === 'judge'
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed.
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** Undefined if nothing is left without control characters and white space at the ends. */
function cleanText(text: string, charsMax: number = limits.textAnswerCharsMax): string | undefined {
  const clean = text.toWellFormed().replace(controls, '').trim()
  if (clean === '') return undefined
  return Array.from(clean.slice(0, charsMax * 2))
    .slice(0, charsMax)
    .join('')
}
