/** Renders thumbnails and renditions of stored images. */
import { blobKeyOf } from '../../domain/blob-key.ts'
import { countdown } from '../../domain/clock.ts'
import { BlobMissing, type BlobStore, type Image } from '../../domain/images/image.ts'
import type { RenderedImage, Rendition } from '../../domain/images/rendition.ts'
import type { PixelBudget } from '../../engine/run/pixel-budget.ts'
import { notFound } from '../../errors.ts'

/** The fields of an image that rendering needs. They can be sent to another process. */
export type RenderSource = Pick<Image, 'id' | 'accountId' | 'format' | 'size' | 'width' | 'height' | 'origin'>

/**
 * `rendition`: undefined for the thumbnail. Throws `not_found` if the bytes are missing, and `workflow_failed` if they can't be decoded within
 * the limits.
 */
export type RenderImage = (
  image: RenderSource,
  options: { rendition?: Rendition | undefined; signal: AbortSignal },
) => Promise<RenderedImage>

interface Dependencies {
  blobs: Pick<BlobStore, 'read'>
  /** Decodes and renders. `onStart`: see `JobContext`. */
  renderFile(
    bytes: Buffer,
    image: Pick<RenderSource, 'width' | 'height' | 'origin'>,
    rendition: Rendition | undefined,
    context: {
      account: string
      pixels: number
      pixelsMax: number
      output: { format: string; pixels: number } | undefined
      signal: AbortSignal
      secondsLeft(): number
      reserve(bytes: number, signal: AbortSignal): Promise<() => void>
      onStart(work: Promise<unknown>): void
    },
  ): Promise<RenderedImage>
  pixels: PixelBudget
  pixelsMax: number
  seconds: number
}

/**
 * Renders within the memory budget: the bytes count until the last job that reads them is done, also after the signal.
 */
export function createImageRenderer({ blobs, renderFile, pixels, pixelsMax, seconds }: Dependencies): RenderImage {
  return async (image, { rendition, signal }) => {
    const secondsLeft = countdown(seconds)
    const share = pixels.open(image.accountId)
    const jobs: Promise<unknown>[] = []
    let release = () => {}
    let bytes: Buffer | undefined
    try {
      release = await share.reserveBytes(image.size, signal)
      bytes = await read(image)
      return await renderFile(bytes, image, rendition, {
        account: image.accountId,
        pixels: image.width * image.height,
        pixelsMax,
        output: rendition && outputOf(image, rendition),
        signal,
        secondsLeft,
        reserve: share.reserveBytes,
        onStart: (job) => void jobs.push(job),
      })
    } finally {
      void Promise.allSettled(jobs).then(() => {
        if (bytes && !isSent(image)) free(bytes)
        release()
      })
      share.close()
    }
  }

  async function read(image: RenderSource): Promise<Buffer> {
    try {
      return await blobs.read(blobKeyOf(image))
    } catch (error) {
      if (error instanceof BlobMissing) throw notFound('image', image.id)
      throw error
    }
  }
}

/** The format of the rendition, and the most pixels that it has. */
function outputOf(image: RenderSource, { width, height, fit, format }: Rendition): { format: string; pixels: number } {
  const scales = [width && width / image.width, height && height / image.height].filter((scale) => scale !== undefined)
  const scale = scales.length === 0 ? 1 : Math[fit === 'outside' ? 'max' : 'min'](...scales)
  const isBox = width !== undefined && height !== undefined && fit !== 'inside' && fit !== 'outside'
  const scaled = image.width * image.height * (isSent(image) ? scale : Math.min(1, scale)) ** 2
  const byDefault = image.format === 'jpeg' ? 'jpeg' : 'png'
  return { format: format === 'default' ? byDefault : format, pixels: isBox ? width * height : Math.ceil(scaled) }
}

/** Drawings are sent to a process, and the pipe may still refer to their bytes after it has ended. */
function isSent({ format }: RenderSource): boolean {
  return format === 'svg' || format === 'pdf'
}

/**
 * Gives the memory back now. V8 counts it towards the limit of its heap, and would collect the whole heap for every few dozen files. Small
 * buffers, which share their memory, stay.
 */
function free({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
