/** Makes the files of image URLs: other sizes and formats of stored images. */

import { blobKeyOf } from '../../domain/blob-key.ts'
import type { Clock } from '../../domain/clock.ts'
import type { DeliveryFormat } from '../../domain/delivery/delivery.ts'
import { type DerivedFile, derivedKey } from '../../domain/delivery/derived-file.ts'
import type { DerivedFileStore } from '../../domain/delivery/derived-file-store.ts'
import { createFairQueue, type FairQueue } from '../../domain/fair-queue.ts'
import { newId } from '../../domain/ids.ts'
import type { BlobStore, Image } from '../../domain/images/image.ts'
import { type Rendition, type RenditionFit, renditionFits } from '../../domain/images/rendition.ts'
import { createSharedWork, type WaitingWork } from '../../domain/shared-work.ts'
import { Fault, failure, type Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { createFailureCache } from '../images/failure-cache.ts'
import type { RenderImage } from '../images/image-renderer.ts'
import type { DerivedBytes } from './derived-bytes.ts'

export interface Renditions {
  /**
   * The file of this variant of the image, unless the image was deleted in the meantime. Concurrent requests of this process share the work. Throws as
   * `RenderImage` does, and `unavailable` after `seconds`, or if the account has too many bytes of files. Work that no client waits for isn't started.
   */
  make(image: Image, rendition: Rendition, variant: string, signal?: AbortSignal): Promise<MadeRendition | 'deleted'>
}

export interface MadeRendition {
  file: DerivedFile
  /** Its bytes, unless another process was faster. */
  bytes: Buffer | undefined
}

interface Dependencies {
  derivedFiles: Pick<DerivedFileStore, 'add'>
  blobs: Pick<BlobStore, 'put' | 'remove'>
  derivedBytes: DerivedBytes
  render: RenderImage
  /** Requests that wait for a file; each has one of the slots of its account. */
  waiting: FairQueue
  clock: Clock
  /** The most renderings of one account at the same time. The image gate limits those of all accounts. */
  perAccountMax: number
  /** Time to wait for a rendering and to render. */
  seconds: number
}

export function createRenditions({
  derivedFiles,
  blobs,
  derivedBytes,
  render,
  waiting,
  clock,
  perAccountMax,
  seconds,
}: Dependencies): Renditions {
  const queue = createFairQueue({ perAccount: perAccountMax })
  const making = createSharedWork<MadeRendition | 'deleted'>(abandoned)
  /** Failures by file. */
  const failures = createFailureCache<Fault>(limits.deliveryFailureSeconds, clock)

  async function makeOne(
    image: Image,
    rendition: Rendition,
    key: string,
    waits: WaitingWork,
  ): Promise<MadeRendition | 'deleted'> {
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(tooLate(image.id, seconds)), seconds * 1_000)
    try {
      const signal = AbortSignal.any([stop.signal, waits.signal])
      const { bytes, format, width, height } = await queue.run({ account: image.accountId, signal }, async () => {
        waits.begin()
        // In the slot: the files of those before it count.
        if (derivedBytes.isFull(image.accountId)) throw full(image.id)
        return render(image, { rendition, signal })
      })
      const now = clock.now()
      const id = newId('img', now)
      const stored = await blobs.put(blobKeyOf({ id, format }), bytes)
      derivedBytes.add(image.accountId, stored.bytes)
      const derived = { id, format, width, height, size: stored.bytes, sha256: stored.sha256 }
      const times = { createdAt: now, usedAt: now }
      const facts = { maxAge: 0, readsUrls: false, isPaid: false, redirects: true, executionId: null }
      const file = { key, ownerId: image.id, accountId: image.accountId, image: derived, ...facts, ...times }
      const added = await derivedFiles.add(file)
      if (added?.image?.id === id) return { file: added, bytes }
      // Another process was faster, or the image was deleted. If this fails, the sweep removes the bytes, and reports errors of the store.
      await blobs.remove(blobKeyOf(derived)).catch(() => undefined)
      return added === undefined ? 'deleted' : { file: added, bytes: undefined }
    } catch (error) {
      if (error instanceof Fault && error.code === 'workflow_failed' && error !== abandoned)
        failures.add(image.accountId, key, error)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async make(image, rendition, variant, signal) {
      const key = derivedKey(image, variant)
      const failure = failures.find(key)
      if (failure) throw failure
      const leave = waiting.tryEnter({ account: image.accountId })
      if (leave === undefined) throw tooMany(image.id)
      return making.join(key, signal, (waits) => makeOne(image, rendition, key, waits)).finally(leave)
    },
  }
}

const abandoned = failure('cancelled', 'All clients disconnected before the file was ready.')

type Query = readonly (readonly [name: string, value: string])[]

export const renditionParameters = ['w', 'h', 'fit', 'dpr', 'q'] as const

/** Undefined if the query has a name that no rendition has. */
export function renditionOf(
  query: Query,
  format: DeliveryFormat,
): { rendition: Rendition; issues: Issue[] } | undefined {
  if (!isRenditionFormat(format) || query.some(([name]) => !(renditionParameters as readonly string[]).includes(name)))
    return undefined
  const values = new Map(query)
  const issues: Issue[] = []
  const read = (
    name: (typeof renditionParameters)[number],
    pattern: RegExp,
    [min, max]: [number, number],
    expected: string,
  ) => {
    const text = values.get(name)
    if (text === undefined) return undefined
    const value = pattern.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    issues.push({ path: name, message: `must be ${expected}, not ${JSON.stringify(text.slice(0, 50))}` })
    return undefined
  }
  const side = limits.renditionSideMax
  const positiveInteger = /^[1-9]\d{0,4}$/
  const [w, h] = (['w', 'h'] as const).map((name) =>
    read(name, positiveInteger, [1, side], `a number of pixels from 1 to ${side}`),
  )
  const dpr =
    read(
      'dpr',
      /^[1-9](\.\d{1,2})?$/,
      [1, limits.renditionDprMax],
      `a number from 1 to ${limits.renditionDprMax}, such as 1.5`,
    ) ?? 1
  const quality = read('q', positiveInteger, [1, 100], 'a number from 1 to 100')
  const fit = values.get('fit') ?? 'inside'
  if (!isFit(fit)) issues.push({ path: 'fit', message: `must be one of ${renditionFits.join(', ')}` })
  const sized = (pixels: number | undefined) => (pixels === undefined ? undefined : Math.round(pixels * dpr))
  const [width, height] = [sized(w), sized(h)]
  if (Math.max(width ?? 0, height ?? 0) > side)
    issues.push({ path: 'dpr', message: `makes a side of more than ${side} pixels. Request a smaller size.` })
  const rendition: Rendition = {
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(quality === undefined ? {} : { quality }),
    fit: isFit(fit) ? fit : 'inside',
    format,
  }
  return { rendition, issues }
}

function isFit(text: string): text is RenditionFit {
  return (renditionFits as readonly string[]).includes(text)
}

function isRenditionFormat(format: DeliveryFormat): format is Rendition['format'] {
  return format !== 'gif' && format !== 'tiff'
}

function tooLate(imageId: string, seconds: number): Fault {
  return new Fault('unavailable', `The image "${imageId}" was not rendered after ${seconds} s. Retry.`)
}

function tooMany(imageId: string): Fault {
  const message = `The image "${imageId}" was not rendered, because too many requests wait. Retry later.`
  return new Fault('unavailable', message, { deliveryStatus: 'busy' })
}

function full(imageId: string): Fault {
  const message = `The image "${imageId}" was not rendered, because too many new files were made. Retry some minutes later.`
  return new Fault('unavailable', message, { deliveryStatus: 'busy' })
}
