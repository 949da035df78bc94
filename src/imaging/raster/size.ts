import type { ImageFormat } from '../../domain/images/image.ts'
import { failure } from '../../errors.ts'
import { limits } from '../../limits.ts'

/** Throws if an image would exceed the size limits, before memory is allocated for it. */
export function checkSize(width: number, height: number, pixelsMax: number): void {
  if (width > limits.sidePixelsMax || height > limits.sidePixelsMax) {
    throw failure(
      'limit_exceeded',
      `The image would be ${width} x ${height} pixels; the maximum is ${limits.sidePixelsMax} pixels per side.`,
    )
  }
  if (width * height > pixelsMax) {
    throw failure(
      'limit_exceeded',
      `The image would be ${width} x ${height} = ${width * height} pixels; the maximum is ${pixelsMax}.`,
    )
  }
}

/** Throws if an animation has too many frames, or too many pixels in total; `pixelsMax` is the limit for an image. */
export function checkFrames(
  width: number,
  height: number,
  count: number,
  pixelsMax: number = limits.animationPixelsMax,
): void {
  if (count > limits.framesMax) {
    throw failure('limit_exceeded', `The animation has ${count} frames; the maximum is ${limits.framesMax}.`)
  }
  const pixels = width * height * count
  const most = Math.min(pixelsMax, limits.animationPixelsMax)
  if (count > 1 && pixels > most) {
    throw failure(
      'limit_exceeded',
      `The ${count} frames of ${width} x ${height} have ${pixels} pixels; the maximum is ${most}.`,
    )
  }
}

/** AVIF needs more memory per pixel than any other format, in one piece. */
export function checkAvif(format: ImageFormat, width: number, height: number): void {
  if (format !== 'avif' || width * height <= limits.avifPixelsMax) return
  throw failure(
    'limit_exceeded',
    `An AVIF of ${width} x ${height} pixels is too large; the maximum is ${limits.avifPixelsMax} pixels.`,
  )
}
