/** Counts the pixels that all executions and uploads of a process have in memory, at 4 bytes each. Each waits for its share before it allocates more. */
import { createSharedMemory } from '../../domain/fair-queue.ts'
import { failure } from '../../errors.ts'
import type { ImageValue } from '../../imaging/types.ts'

export interface PixelBudget {
  /** The share of one execution or upload. One account can't have the entire budget. `close` gives back all but running jobs. */
  open(account?: string): PixelShare
  /** Calls the function before anything waits for memory, so that it releases what others need more. */
  onShortage(release: () => void): void
}

export interface PixelShare {
  /**
   * Waits until this many more pixels fit. They count until the returned function is called. Rejects with the reason of the
   * signal, or if the share is too large already.
   */
  reserve(pixels: number, signal: AbortSignal): Promise<() => void>
  /** Memory of a job that can't be stopped: it counts until the returned function is called, even after `close`. */
  reserveBytes(bytes: number, signal: AbortSignal): Promise<() => void>
  /** Counts bytes that are in memory already, without waiting, until the returned function is called, even after `close`. */
  hold(bytes: number): () => void
  /** Counts an image until its last holder drops it. The same image counts once. */
  keep(image: ImageValue): void
  drop(image: ImageValue): void
  /**
   * Counts an image until the returned function is called, also after all holders have dropped it, but not towards the limit of its
   * execution.
   */
  lend(image: ImageValue): () => void
  close(): void
}

const bytesPerPixel = 4

/** The pixels that take as much memory. */
export function pixelsFor(bytes: number): number {
  return Math.ceil(bytes / bytesPerPixel)
}

/**
 * `eachMax`: pixels of images that one execution can have in memory; `totalMax`: together with the memory of its jobs. `onReleased` is called
 * with the released bytes, shortly before the last reference is dropped.
 */
export function createPixelBudget(
  pixelsMax: number,
  eachMax: number,
  totalMax = Number.POSITIVE_INFINITY,
  onReleased?: (bytes: number) => void,
): PixelBudget {
  const memory = createSharedMemory(pixelsMax, (pixels) => onReleased?.(pixels * bytesPerPixel))

  function share(account: string | undefined): PixelShare {
    const part = memory.open(account)
    const images = new Map<ImageValue, { readers: number; lent: number; pixels: number }>()
    const reserved = new Set<{ pixels: number }>()
    const jobs = new Set<{ pixels: number }>()
    const release = (from: Set<{ pixels: number }>, reservation: { pixels: number }) => {
      if (from.delete(reservation)) part.add(-reservation.pixels)
    }
    const imagesMax = Math.min(eachMax, totalMax)
    /** Pixels of pictures in memory. */
    const memoryPixels = () => {
      let sum = 0
      for (const { pixels } of reserved) sum += pixels
      for (const [image, { readers }] of images) if (readers > 0) sum += pixelsInMemory(image)
      return sum
    }
    const check = (pixels: number) => {
      const sum = memoryPixels() + pixels
      if (sum > imagesMax) {
        throw failure(
          'limit_exceeded',
          `The execution needs ${sum} pixels in memory; the maximum is ${imagesMax}. Use fewer images, or resize them first.`,
        )
      }
    }
    const checkBytes = (pixels: number) => {
      if (pixels + memoryPixels() > totalMax) throw tooMuch(pixels, memoryPixels(), totalMax)
    }
    const entryOf = (image: ImageValue) => {
      const known = images.get(image)
      if (known) return known
      const entry = { readers: 0, lent: 0, pixels: pixelsOfSources(image) }
      images.set(image, entry)
      part.add(entry.pixels)
      return entry
    }
    const releaseIfUnused = (image: ImageValue, { readers, lent, pixels }: ReturnType<typeof entryOf>) => {
      if (readers === 0 && lent === 0 && images.delete(image)) part.add(-pixels)
    }
    return {
      async reserve(pixels, signal) {
        check(pixels)
        await part.take(pixels, signal)
        const reservation = { pixels }
        reserved.add(reservation)
        if (!part.isOpen()) release(reserved, reservation)
        return () => release(reserved, reservation)
      },
      async reserveBytes(bytes, signal) {
        const pixels = pixelsFor(bytes)
        checkBytes(pixels)
        await part.take(pixels, signal)
        const reservation = { pixels }
        jobs.add(reservation)
        return () => release(jobs, reservation)
      },
      hold(bytes) {
        const reservation = { pixels: pixelsFor(bytes) }
        part.add(reservation.pixels)
        jobs.add(reservation)
        return () => release(jobs, reservation)
      },
      keep(image) {
        // A job that can't be stopped may end after its execution.
        if (part.isOpen()) entryOf(image).readers += 1
      },
      drop(image) {
        const known = images.get(image)
        if (known === undefined || known.readers === 0) return
        known.readers -= 1
        releaseIfUnused(image, known)
      },
      lend(image) {
        if (!part.isOpen()) return () => undefined
        const entry = entryOf(image)
        entry.lent += 1
        return () => {
          entry.lent -= 1
          releaseIfUnused(image, entry)
        }
      },
      close() {
        if (!part.isOpen()) return
        for (const reservation of reserved) release(reserved, reservation)
        for (const { pixels } of images.values()) part.add(-pixels)
        images.clear()
        part.close()
      },
    }
  }

  return { open: share, onShortage: memory.onShortage }
}

function tooMuch(pixels: number, imagePixels: number, pixelsMax: number) {
  const megabytes = (count: number) => Math.ceil((count * bytesPerPixel) / 1e6)
  const otherImages =
    imagePixels === 0 ? '' : ` in addition to the ${megabytes(imagePixels)} MB of the execution's images`
  return failure(
    'limit_exceeded',
    `Reading or writing the image needs ${megabytes(pixels)} MB of memory${otherImages}; the maximum is ${megabytes(pixelsMax)} MB. Resize the image, or save it without interlacing, with 8 bits per channel, or in another format.`,
  )
}

/** Pixels in memory; if a picture isn't decoded yet, only its bytes are. */
function pixelsInMemory(image: ImageValue): number {
  const { pixels, pending, animation } = image
  return (pixels || pending || animation?.frames ? pixelsOf(image) : 0) + encodedPixels(image)
}

/** Includes the pixels of the source that is not rendered yet. */
function pixelsOfSources(image: ImageValue): number {
  return pixelsOf(image) + encodedPixels(image) + (image.pending ? pixelsOfSources(image.pending.from) : 0)
}

/**
 * The bytes of a file in pixels: they stay in memory next to the decoded pixels. Its metadata can be a thousand times larger than the
 * file, because PNG compresses it.
 */
function encodedPixels({ encoded, animation, metadata: { exif, xmp, iptc, icc } = {}, gainMap }: ImageValue): number {
  const parts = [encoded ?? animation?.encoded, exif, xmp, iptc, icc, gainMap?.jpeg]
  const bytes = parts.reduce((sum, part) => sum + (part?.length ?? 0), 0)
  return Math.floor(bytes / bytesPerPixel)
}

export function pixelsOf({ width, height, animation }: ImageValue): number {
  return width * height * (animation?.delaysMs.length ?? 1)
}
