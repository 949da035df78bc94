/** Small copies of stored images for lists: rendered for the first request, and stored for some days after the last one. */
import type { Clock } from '../../domain/clock.ts'
import { createFairQueue } from '../../domain/fair-queue.ts'
import { newId } from '../../domain/ids.ts'
import { BlobMissing, type BlobStore, type Image, type ImageStore } from '../../domain/images/image.ts'
import { type PreviewStore, previewBlobKey, thumbnailKey } from '../../domain/images/preview.ts'
import type { Retention } from '../../domain/retention.ts'
import { createSharedWork, type WaitingWork } from '../../domain/shared-work.ts'
import { Fault, failure, notFound } from '../../errors.ts'
import { evictedPartsMax } from '../results/previews.ts'
import { createFailureCache } from './failure-cache.ts'
import type { RenderImage } from './image-renderer.ts'

export interface Thumbnails {
  /** The image with this id, for anyone who knows the id, like `Images.findPublic`. Throws `not_found`. */
  find(imageId: string): Promise<Image>
  /**
   * The WebP bytes. Concurrent requests for one image share a rendering. Throws `not_found` if the image has no bytes or can't be
   * decoded, `unavailable` after `seconds`, and the reason of the signal.
   */
  read(image: Image, signal: AbortSignal): Promise<Buffer>
}

interface Dependencies {
  images: Pick<ImageStore, 'findPublic'>
  previews: Pick<PreviewStore, 'find' | 'add' | 'touch'>
  blobs: Pick<BlobStore, 'read' | 'put'>
  render: RenderImage
  clock: Clock
  retention: Pick<Retention, 'makeRoom'>
  retentionHours: number
  /** Whether thumbnails of AI images are marked. */
  isMarked: boolean
  /** The most renderings of one account at the same time. The image gate limits those of all accounts. */
  perAccountMax: number
  /** Time to wait for a rendering and to render. */
  seconds: number
  /** A thumbnail can't be stored, or its use can't be recorded. The response has it. */
  onError(error: unknown): void
}

const failureSeconds = 300

/** The precision of the last use, as a share of the retention: a page with many thumbnails seldom writes. */
const touchPart = 1 / 24

export function createThumbnails(dependencies: Dependencies): Thumbnails {
  const { images, previews, blobs, render, clock, retention, isMarked, perAccountMax, seconds, onError } = dependencies
  const retentionMs = dependencies.retentionHours * 3_600_000
  const queue = createFairQueue({ perAccount: perAccountMax })
  /** Failures by image. */
  const failures = createFailureCache<Fault>(failureSeconds, clock)
  const renderings = createSharedWork<Buffer>(abandoned)

  async function findStored({ id, accountId }: Image): Promise<Buffer | undefined> {
    const now = clock.now()
    const [found] = await previews.find(accountId, [thumbnailKey(id, isMarked)], now - retentionMs)
    if (found === undefined) return undefined
    try {
      const bytes = await blobs.read(previewBlobKey(found))
      if (now - found.usedAt >= retentionMs * touchPart) await previews.touch([found.id], now).catch(onError)
      return bytes
    } catch (error) {
      // The sweep removed it since then.
      if (error instanceof BlobMissing) return undefined
      throw error
    }
  }

  async function start(image: Image, waiting: WaitingWork): Promise<Buffer> {
    const stop = new AbortController()
    const signal = AbortSignal.any([stop.signal, waiting.signal])
    const timer = setTimeout(() => stop.abort(tooLate(image.id, seconds)), seconds * 1_000)
    const work = () => {
      // Work in libvips can't be interrupted: the next request uses its result.
      waiting.begin()
      return renderAndStore(image, signal)
    }
    return queue.run({ account: image.accountId, signal }, work).finally(() => clearTimeout(timer))
  }

  async function renderAndStore(image: Image, signal: AbortSignal): Promise<Buffer> {
    const { bytes, width, height } = await render(image, { signal })
    try {
      const now = clock.now()
      const preview = { id: newId('prev', now), width, height }
      await blobs.put(previewBlobKey(preview), bytes)
      const { id, accountId } = image
      const row = { ...preview, accountId, key: thumbnailKey(id, isMarked), size: bytes.length }
      await previews.add([{ ...row, createdAt: now, usedAt: now }])
      await retention.makeRoom('previews', accountId, { partsMax: evictedPartsMax })
    } catch (error) {
      // The next request renders it again. The sweep removes bytes without a row.
      onError(error)
    }
    return bytes
  }

  return {
    async find(imageId) {
      const image = await images.findPublic(imageId)
      if (image === undefined) throw notFound('image', imageId)
      return image
    },

    async read(image, signal) {
      try {
        const fault = failures.find(image.id)
        if (fault) throw fault
        return (
          (await findStored(image)) ?? (await renderings.join(image.id, signal, (waiting) => start(image, waiting)))
        )
      } catch (error) {
        if (signal.aborted || !(error instanceof Fault) || error.code !== 'workflow_failed') throw error
        const fault = noThumbnail(image.id, error)
        if (error.details.reason !== 'cancelled') failures.add(image.accountId, image.id, fault)
        throw fault
      }
    },
  }
}

const abandoned = failure('cancelled', 'All clients disconnected before the thumbnail was ready.')

function tooLate(imageId: string, seconds: number): Fault {
  return new Fault('unavailable', `The thumbnail of image "${imageId}" was not ready after ${seconds} s. Retry.`)
}

function noThumbnail(imageId: string, cause: Fault): Fault {
  const message = `Image "${imageId}" has no thumbnail. ${cause.message} Download the image instead.`
  return new Fault('not_found', message, {}, { cause })
}
