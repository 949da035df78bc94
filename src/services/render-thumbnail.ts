/** Renders the thumbnail of a stored image. */
import { blobKeyOf } from '../domain/blob-key.ts'
import { countdown } from '../domain/clock.ts'
import { BlobMissing, type BlobStore, type Image } from '../domain/image.ts'
import type { PixelBudget } from '../engine/run/pixel-budget.ts'
import { notFound } from '../errors.ts'

/** The fields of an image that rendering needs. They can be sent to another process. */
export type ThumbnailSource = Pick<Image, 'id' | 'accountId' | 'format' | 'size' | 'width' | 'height' | 'origin'>

/** A WebP. */
export interface Thumbnail {
  bytes: Buffer
  width: number
  height: number
}

/** Throws `not_found` if the bytes are missing, and `workflow_failed` if they can't be decoded within the limits. */
export type RenderThumbnail = (image: ThumbnailSource, options: { signal: AbortSignal }) => Promise<Thumbnail>

interface Dependencies {
  blobs: Pick<BlobStore, 'read'>
  /** Decodes and shrinks. `onStart`: see `JobContext`. */
  shrinkFile(
    bytes: Buffer,
    origin: Image['origin'],
    context: {
      account: string
      pixels: number
      pixelsMax: number
      signal: AbortSignal
      secondsLeft(): number
      reserve(bytes: number, signal: AbortSignal): Promise<() => void>
      onStart(work: Promise<unknown>): void
    },
  ): Promise<Thumbnail>
  pixels: PixelBudget
  pixelsMax: number
  seconds: number
}

/** Within the memory budget: the bytes count until the last job that reads them is done, also after the signal. */
export function createRenderThumbnail({
  blobs,
  shrinkFile,
  pixels,
  pixelsMax,
  seconds,
}: Dependencies): RenderThumbnail {
  return async (image, { signal }) => {
    const secondsLeft = countdown(seconds)
    const share = pixels.open(image.accountId)
    const jobs: Promise<unknown>[] = []
    let release = () => {}
    try {
      release = await share.reserveBytes(image.size, signal)
      return await shrinkFile(await read(image), image.origin, {
        account: image.accountId,
        pixels: image.width * image.height,
        pixelsMax,
        signal,
        secondsLeft,
        reserve: share.reserveBytes,
        onStart: (job) => void jobs.push(job),
      })
    } finally {
      void Promise.allSettled(jobs).then(release)
      share.close()
    }
  }

  async function read(image: ThumbnailSource): Promise<Buffer> {
    try {
      return await blobs.read(blobKeyOf(image))
    } catch (error) {
      if (error instanceof BlobMissing) throw notFound('image', image.id)
      throw error
    }
  }
}
