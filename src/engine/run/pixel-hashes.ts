/**
 * Hashes of step results: the Content Credentials of an output contain them, and a later execution is compared with them. Of a source it
 * is the hash of its file, of other steps that of their pixels.
 */
import { subtle } from 'node:crypto'
import type { ImageValue, Pixels } from '../../imaging/types.ts'
import { hashOf } from '../cache/key.ts'
import { imagesOf, type StepResult } from '../plan/step-result.ts'
import type { PixelShare } from './pixel-budget.ts'

/** Hashes by node. */
export type PixelHashes = ReadonlyMap<string, string>

export interface PixelHashing {
  /** Hashes the images of a result next to the run, if their pixels are in memory. `isSource`: it only read files. */
  offer(id: string, result: StepResult, isSource: boolean): void
  /** All hashes of the results so far. */
  hashes(): Promise<PixelHashes>
}

/** 96 bits. */
const hashChars = 24

/** `isWanted`: whether to hash an image. */
export function createPixelHashing(
  share: PixelShare,
  signal: AbortSignal,
  isWanted: (image: ImageValue) => boolean,
): PixelHashing {
  const found = new Map<string, string>()
  const work: Promise<void>[] = []

  async function hash(id: string, images: readonly ImageValue[]): Promise<void> {
    const hashes: string[] = []
    for (const image of images) {
      const frames: string[] = []
      for (const pixels of pixelsIn(image) ?? []) frames.push(await hashOfPixels(pixels, signal))
      hashes.push(hashOf([frames, image.animation?.delaysMs]))
    }
    found.set(id, hashOf(hashes).slice(0, hashChars))
  }

  return {
    offer(id, result, isSource) {
      const images = imagesOf(result)
      if (images.length === 0 || result.skipped || signal.aborted) return
      if (isSource) {
        const files = images.map(({ madeFrom }) => madeFrom?.sources.map(({ sha256 }) => sha256))
        found.set(id, hashOf(files).slice(0, hashChars))
        return
      }
      if (!images.every((image) => pixelsIn(image) && isWanted(image))) return
      const releases = images.map((image) => share.lend(image))
      const hashing = hash(id, images)
        // Without its hash, the step can't be compared.
        .catch(() => undefined)
        .finally(() => {
          for (const release of releases) release()
        })
      work.push(hashing)
    },

    async hashes() {
      await Promise.all(work)
      return found
    },
  }
}

/** Undefined for a file that is not decoded yet, and for stages that later work continues. */
function pixelsIn({ pixels, animation }: ImageValue): Pixels[] | undefined {
  if (animation === undefined) return pixels && [pixels]
  const frames = (animation.frames ?? []).map((frame) => frame.pixels)
  return frames.length > 0 && frames.every((frame) => frame !== undefined) ? frames : undefined
}

/** Hashes in a thread of Node, which copies what it hashes: in slices, so that no copy takes long. */
async function hashOfPixels({ data, width, height, channels }: Pixels, signal: AbortSignal): Promise<string> {
  const slices: string[] = []
  for (let start = 0; start < data.length; start += sliceBytes) {
    signal.throwIfAborted()
    const length = Math.min(sliceBytes, data.length - start)
    const slice = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset + start, length)
    slices.push(Buffer.from(await subtle.digest('SHA-256', slice)).toString('hex'))
  }
  return hashOf([width, height, channels, slices])
}

const sliceBytes = 1_048_576
