/** Reads the animation from the header of a file; decodes nothing. */
import type { Metadata } from 'sharp'
import type { ImageFormat } from '../../../domain/images/image.ts'
import type { Animation } from '../../types.ts'
import { checkFrames } from '../size.ts'
import { composedApng, readApng } from './apng-read.ts'
import { readOpenGif } from './gif-read.ts'
import type { ComposedFrames } from './patches.ts'

/** Undefined for a single frame. Throws if there are more frames than allowed. */
export function animationOf(
  format: ImageFormat,
  bytes: Buffer,
  header: Metadata,
  pixelsMax: number,
): Animation | undefined {
  if (format === 'png') return animationOfPng(bytes, pixelsMax)
  const count = header.pages ?? 1
  if (!paged.has(format) || count === 1) return undefined
  checkFrames(header.width, header.height, count, pixelsMax)
  const delaysMs = Array.from({ length: count }, (_, at) => shown(header.delay?.[at]))
  return { delaysMs, loops: repeated(header.loop ?? 1), encoded: bytes }
}

/** The pages of a TIFF are not an animation. */
const paged = new Set<ImageFormat>(['gif', 'webp'])

function animationOfPng(bytes: Buffer, pixelsMax: number): Animation | undefined {
  const apng = readApng(bytes)
  if (apng === undefined) return undefined
  checkFrames(apng.width, apng.height, apng.frames.length, pixelsMax)
  const delaysMs = apng.frames.map(({ delay: [seconds, parts] }) =>
    shown(Math.round((seconds * 1_000) / (parts || 100))),
  )
  return { delaysMs, loops: repeated(apng.plays), encoded: bytes }
}

/** Every browser shows a delay of 0 as a tenth of a second. */
function shown(delayMs: number | undefined): number {
  return delayMs || 100
}

/** Counts beyond 16 bits, which formats cannot store, mean endless. */
function repeated(loops: number): number {
  return loops > 65_535 ? 0 : loops
}

/** The frames of a file that libvips doesn't compose; undefined if it does, or if there is a single frame that it reads. */
export function composedFrames(format: ImageFormat | 'raw', bytes: Buffer): ComposedFrames | undefined {
  if (format === 'gif') return readOpenGif(bytes)
  const apng = format === 'png' ? readApng(bytes) : undefined
  return apng && composedApng(bytes, apng)
}
