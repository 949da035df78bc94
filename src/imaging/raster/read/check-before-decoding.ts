/**
 * Checks a file before the first call of libvips, because the cost of a decoder can be far from what the header says, and it can't be
 * interrupted. The only place for these checks: uploads and sources both need them.
 */
import type { FileHandle } from 'node:fs/promises'
import type { ImageFormat } from '../../../domain/image.ts'
import { createReader } from './reader.ts'
import { walkAvif } from './walk-avif.ts'
import { walkGif } from './walk-gif.ts'
import { walkJpeg } from './walk-jpeg.ts'
import { walkPng } from './walk-png.ts'
import { walkTiff } from './walk-tiff.ts'
import { walkWebp } from './walk-webp.ts'

/** Facts of a file that its header lacks. */
export interface Walked {
  /** False if it is truncated. Decoders stop when they have all pixels, or (GIF) accept the frames that exist, without an error. */
  isComplete: boolean
  /** Whether a PNG is an animation, which libvips doesn't recognize. */
  isAnimatedPng?: boolean
  /** Pixels that are decoded, if they may be more than those of the image. */
  pixels?: number | undefined
}

/** Throws `limit_exceeded` or `input_invalid` for files that cost the decoder too much. */
export async function checkBeforeDecoding(
  format: ImageFormat,
  file: FileHandle | Buffer,
  { signal }: { signal: AbortSignal },
): Promise<Walked> {
  const read = await createReader(file, signal)
  switch (format) {
    case 'png': {
      const { isComplete, isAnimated } = await walkPng(read)
      return { isComplete, isAnimatedPng: isAnimated }
    }
    case 'gif':
      return { isComplete: await walkGif(read) }
    case 'webp':
      await walkWebp(read)
      break
    case 'jpeg':
      await walkJpeg(read)
      break
    case 'avif':
      return { isComplete: true, pixels: await walkAvif(read) }
    case 'tiff':
      await walkTiff(read)
      break
    // SVG and PDF are drawn in separate processes, and a PSD is unpacked before.
    case 'svg':
    case 'pdf':
    case 'psd':
  }
  return { isComplete: true }
}
