/**
 * Responses to signed URLs, which execute workflows and render images. The look-up of a file that exists is the only work of a hit: no queue and no
 * execution.
 */

import { hasApiAccess } from '../../domain/accounts/account.ts'
import { isLive } from '../../domain/accounts/key.ts'
import { blobKeyOf } from '../../domain/blob-key.ts'
import type { Clock } from '../../domain/clock.ts'
import { formatFor } from '../../domain/delivery/delivery.ts'
import { type DerivedFile, type DerivedImage, variantHash } from '../../domain/delivery/derived-file.ts'
import type { DerivedFileStore, UrlOwner } from '../../domain/delivery/derived-file-store.ts'
import { isSignature, parseSignedUrl, type SignedUrl } from '../../domain/delivery/signed-url.ts'
import type { SigningKeyStore } from '../../domain/delivery/signing-key.ts'
import { BlobMissing, type BlobStore, type Image, type ImageStore } from '../../domain/images/image.ts'
import { Fault, invalidRequest } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { type Renditions, renditionOf } from './renditions.ts'
import { type Target, targetOf } from './target.ts'
import type { Made, WorkflowFiles } from './workflow-files.ts'

export type DeliveryStatus = Extract<Made, { fallback: unknown }>['kind']

export interface Delivered {
  /** The file, or the fallback image. */
  image: DerivedImage
  /** Content of a file that was just made, and is not large. */
  bytes?: Buffer
  /** Set for the fallback. */
  status?: DeliveryStatus
  /** Tags for purging caches: the workflow and its version, or the image. */
  tags: string[]
  /** Seconds that caches may keep the file. Undefined: it never changes. */
  maxAge: number | undefined
  /** Seconds until the URL expires. */
  secondsLeft: number
  /** Whether it may be sent as a redirect to the server of `IMAGES_URL`. */
  redirects: boolean
  /** Whether it depends on the header `Accept`. */
  isNegotiated: boolean
  /** Whether a cache may show it to others: not of a private image, and not of a workflow in a private project. */
  isPublic: boolean
}

export interface Deliveries {
  /**
   * `url`: path and query as they were sent. Throws the same `forbidden` for every URL that may not have its content, `invalid_request` for
   * values that the content doesn't accept, and `unavailable` with `details.deliveryStatus` if it isn't ready and has no fallback.
   */
  find(request: { url: string; accept: string; signal?: AbortSignal }): Promise<Delivered>
  /**
   * Checks the signature of the URL of a private image: of its file or its thumbnail. Returns the seconds until the URL expires. Throws as
   * `find` does.
   */
  authorize(url: string, image: Image): Promise<number>
  /** The URL of the file if another server sends it. A private file has none: that server does not check signatures. */
  location(delivered: Pick<Delivered, 'image' | 'isPublic' | 'redirects'>): string | undefined
  /** The bytes, of a large file in pieces. Throws `unavailable` if they are missing; the next request makes them again. */
  read(delivered: Pick<Delivered, 'image' | 'bytes'>): Promise<Buffer | AsyncIterable<Uint8Array>>
}

interface Dependencies {
  derivedFiles: DerivedFileStore
  signingKeys: Pick<SigningKeyStore, 'touch'>
  images: Pick<ImageStore, 'find'>
  blobs: Pick<BlobStore, 'read' | 'open'>
  workflowFiles: WorkflowFiles
  renditions: Renditions
  /** The prefix of `IMAGES_URL`, if it is set. */
  imagesUrl: string | undefined
  clock: Clock
  /** A use that can't be recorded. The response has the file. */
  onError(error: unknown): void
}

/** The precision of `lastUsedAt` of a key and of `usedAt` of a file: a hit seldom writes. */
const keyTouchMs = 60_000
const fileTouchMs = 3_600_000

/** Secret for the signature of an unknown key, so that it takes as long as that of a known one. */
const noSecret = 'tt_sign_0000000000000000000000000000000000000000000'

export function createDeliveries(dependencies: Dependencies): Deliveries {
  const { derivedFiles, signingKeys, images, blobs, workflowFiles, renditions, imagesUrl, clock, onError } =
    dependencies

  /** Throws `forbidden` unless the signature is right, and key and plan allow the URL. Its parts can be trusted from then on. */
  function verify<Found extends UrlOwner>(signed: SignedUrl, found: Found | undefined): Found {
    const isGenuine = isSignature(signed.signature, signed.message, found?.key.secret ?? noSecret)
    if (!isGenuine || found === undefined) throw denied()
    const now = clock.now()
    if (!isLive(found.key, now) || !hasApiAccess(found)) throw denied()
    const { id, lastUsedAt } = found.key
    if (id.startsWith('skey_') && now - (lastUsedAt ?? 0) >= keyTouchMs) void signingKeys.touch(id, now).catch(onError)
    return found
  }

  function noteUse({ key, usedAt }: DerivedFile): void {
    const now = clock.now()
    if (now - usedAt >= fileTouchMs) void derivedFiles.touch(key, now).catch(onError)
  }

  async function deliverWorkflow(
    target: Extract<Target, { kind: 'workflow' }>,
    signed: SignedUrl,
    accept: string,
    signal: AbortSignal | undefined,
  ): Promise<Omit<Delivered, 'secondsLeft'>> {
    const { workflow: name, version, channel, extension } = target
    const format = formatFor(extension, accept)
    const { parameters, keyId } = signed
    const url = { keyId, workflow: name, version, channel, variant: variantHash(format, parameters) }
    const found = verify(signed, await derivedFiles.findWorkflowUrl(url))
    const { key, workflow, file } = found
    if (workflow === undefined || key.workflowIds?.includes(workflow.id) === false) throw denied()
    if (file?.isPaid && key.monthlyBudget === null) throw denied()
    const isNumbered = version !== undefined
    const common = {
      tags: [workflow.id, `${workflow.id}@${workflow.version}`],
      isNegotiated: extension === 'auto',
      isPublic: !workflow.isPrivate,
    }
    const ready = (made: DerivedFile, image: DerivedImage) => {
      noteUse(made)
      const { redirects } = made
      return { ...common, image, redirects, maxAge: isNumbered ? undefined : made.maxAge }
    }
    const stale = file?.image ?? undefined
    if (file && stale && (isNumbered || isFresh(file))) return ready(file, stale)
    const made = await workflowFiles.make({ url, parameters, format, found: { ...found, workflow } }, signal)
    if (made.kind === 'denied') throw denied()
    if (made.kind === 'ready' && made.file.image) return ready(made.file, made.file.image)
    // Made again from sources that may have changed: the former file is better than none.
    if (file && stale) return ready(file, stale)
    return {
      ...common,
      maxAge: limits.deliveryFallbackCacheSeconds,
      redirects: false,
      ...(await fallbackOf(key.accountId, made)),
    }
  }

  function isFresh({ readsUrls, createdAt, maxAge }: DerivedFile): boolean {
    // The clock of the process that made it may be ahead.
    const ageMs = Math.max(0, clock.now() - createdAt)
    return !readsUrls || ageMs < maxAge * 1_000
  }

  async function fallbackOf(
    accountId: string,
    made: Made,
  ): Promise<Pick<Delivered, 'image' | 'status'> & { isPublic?: false }> {
    if (made.kind === 'ready' || made.kind === 'denied') throw denied()
    const image = made.fallback === undefined ? undefined : await images.find(accountId, made.fallback)
    if (image) return { image, status: made.kind, ...(image.requiresSignature ? { isPublic: false } : {}) }
    if (made.kind === 'invalid') throw invalidRequest(made.issues, { deliveryStatus: made.kind })
    throw notReady(made)
  }

  async function deliverImage(
    { imageId, extension }: Extract<Target, { kind: 'image' }>,
    signed: SignedUrl,
    accept: string,
    signal: AbortSignal | undefined,
  ): Promise<Omit<Delivered, 'secondsLeft'>> {
    const format = formatFor(extension, accept)
    const { parameters, keyId } = signed
    const variant = variantHash(format, parameters)
    const found = verify(signed, await derivedFiles.findImageUrl({ keyId, imageId, variant }))
    const { key, image, file } = found
    const requested = renditionOf(parameters, format)
    if (image === undefined || !key.images || requested === undefined) throw denied()
    if (requested.issues.length > 0) throw invalidRequest(requested.issues, { deliveryStatus: 'invalid' })
    const isPublic = image.requiresSignature !== true
    const isNegotiated = extension === 'auto'
    const common = { tags: [image.id], maxAge: undefined, redirects: true, isNegotiated, isPublic }
    if (file?.image) {
      noteUse(file)
      return { ...common, image: file.image }
    }
    const made = await renditions.make(image, requested.rendition, variant, signal).catch((error: unknown) => {
      if (signal?.aborted || !(error instanceof Fault) || error.code !== 'workflow_failed') throw error
      throw notReady({ kind: 'failed' }, error.message)
    })
    if (made === 'deleted') throw denied()
    const { file: ready, bytes } = made
    if (ready.image === null) throw notReady({ kind: 'failed' })
    return {
      ...common,
      image: ready.image,
      ...(bytes && bytes.length <= limits.deliveryBufferedBytesMax ? { bytes } : {}),
    }
  }

  /** A URL that has not expired. Its signature is not checked yet. */
  function parse(url: string): { signed: SignedUrl; secondsLeft: number } {
    const signed = url.length <= limits.deliveryUrlCharsMax ? parseSignedUrl(url) : undefined
    if (signed === undefined) throw denied()
    const secondsLeft = signed.expires - clock.now() / 1_000
    if (secondsLeft <= 0) throw denied()
    return { signed, secondsLeft: Math.floor(secondsLeft) }
  }

  return {
    async find({ url, accept, signal }) {
      const { signed, secondsLeft } = parse(url)
      const target = targetOf(signed.path)
      if (target === undefined) throw denied()
      const delivered =
        target.kind === 'workflow'
          ? await deliverWorkflow(target, signed, accept, signal)
          : await deliverImage(target, signed, accept, signal)
      return { ...delivered, secondsLeft }
    },

    async authorize(url, { id: imageId, accountId }) {
      const { signed, secondsLeft } = parse(url)
      const { keyId, parameters } = signed
      const { key } = verify(signed, await derivedFiles.findImageUrl({ keyId, imageId, variant: '' }))
      if (key.accountId !== accountId || !key.images || parameters.length > 0) throw denied()
      return secondsLeft
    },

    location: ({ image, isPublic, redirects }) =>
      imagesUrl !== undefined && isPublic && redirects ? `${imagesUrl}/${blobKeyOf(image)}` : undefined,

    async read({ image, bytes }) {
      if (bytes !== undefined) return bytes
      try {
        const key = blobKeyOf(image)
        return await (image.size > limits.deliveryBufferedBytesMax ? blobs.open(key) : blobs.read(key))
      } catch (error) {
        if (!(error instanceof BlobMissing)) throw error
        await derivedFiles.forget(image.id)
        throw new Fault('unavailable', reasons.failed, { deliveryStatus: 'failed' })
      }
    },
  }
}

/** The same for all reasons, so that it reveals nothing. */
function denied(): Fault {
  return new Fault(
    'forbidden',
    'The URL is not valid. It was changed after it was signed, has expired, or its signing key or workflow does not allow it.',
  )
}

const reasons: Record<DeliveryStatus, string> = {
  pending: 'The image is not ready yet. Retry.',
  failed: 'The image could not be made. Retry later, or look at the execution.',
  busy: 'The image was not started, because too many executions wait. Retry later.',
  invalid: 'The parameters are invalid.',
}

function notReady(
  { kind, executionId }: { kind: DeliveryStatus; executionId?: string | undefined },
  message = reasons[kind],
): Fault {
  return new Fault('unavailable', message, {
    deliveryStatus: kind,
    ...(executionId === undefined ? {} : { executionId }),
    // The failure is not repeated in this time.
    ...(kind === 'failed' ? { retryAfterSeconds: limits.deliveryFailureSeconds } : {}),
  })
}
