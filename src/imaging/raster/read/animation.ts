/** What the header of a file says about its animation; nothing is decoded. */
import type { Metadata } from 'sharp'
import type { ImageFormat } from '../../../domain/image.ts'
import type { Animation } from '../../types.ts'
import { checkFrames } from '../size.ts'
import { type Apng, type ApngFrame, readApng, stillOf } from './apng-read.ts'

/** Undefined where there is one frame only. Refuses more frames than are allowed. */
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

/** The pages of a TIFF are no animation. */
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

/** No time at all is shown by every browser as a tenth of a second. */
function shown(delayMs: number | undefined): number {
  return delayMs || 100
}

/** More often than formats can say (16 bits) is for ever. */
function repeated(loops: number): number {
  return loops > 65_535 ? 0 : loops
}

export interface Start {
  png: Buffer
  frame: ApngFrame
  apng: Apng
}

/** The first frame of a PNG whose default image, which decoders see, is none of its frames. */
export function hiddenStart(format: ImageFormat, bytes: Buffer): Start | undefined {
  const apng = format === 'png' ? readApng(bytes) : undefined
  const frame = apng?.frames[0]
  return apng && frame?.source === 'fdAT' ? { png: stillOf(bytes, apng, frame), frame, apng } : undefined
}
