/** The size of the result of sharp's resize with one side, or inside or outside a box: known before anything is decoded. */
import type { ImageValue } from '../../types.ts'
import type { Size } from './scaled.ts'

interface ResizeOptions {
  width?: number | undefined
  height?: number | undefined
  fit: 'inside' | 'outside'
  enlarge: boolean
}

/**
 * The size, rounded as by sharp 0.35.5 and libvips 8.18 (sharp: `ResolveShrink` in src/common.cc and its uses in
 * src/pipeline.cc; libvips: resize.c). Files in JPEG and WebP are decoded smaller first, and rounded there too, so that
 * two files of the same size can have results that differ by one pixel.
 */
export function resizedSize(
  source: Pick<ImageValue, 'width' | 'height' | 'format' | 'encoded'>,
  options: ResizeOptions,
): Size {
  const decoded = source.encoded ? decodedSize(source, shrinkFor(source, options)) : source
  const shrink = shrinkFor(decoded, options)
  // sharp passes 1 / shrink, and libvips divides by its inverse. Shorter formulas differ at half a pixel.
  return {
    width: roundedHalfUp(decoded.width / (1 / (1 / shrink.x))),
    height: roundedHalfUp(decoded.height / (1 / (1 / shrink.y))),
  }
}

/** sharp decodes JPEG at a half, a quarter or an eighth of its size, and WebP at any smaller size. */
function decodedSize(
  { width, height, format }: Pick<ImageValue, 'width' | 'height' | 'format'>,
  { x, y }: Shrink,
): Size {
  const shrink = Math.min(x, y)
  if (format === 'jpeg') {
    const largest = [8, 4, 2].find((factor) => shrink >= factor) ?? 1
    const factor = largest > 1 && Math.floor(shrink) === largest ? largest / 2 : largest
    return { width: Math.floor(width / factor), height: Math.floor(height / factor) }
  }
  if (format === 'webp' && shrink > 1) {
    const scale = 1 / shrink
    return {
      width: Math.max(1, roundedHalfToEven(width * scale)),
      height: Math.max(1, roundedHalfToEven(height * scale)),
    }
  }
  return { width, height }
}

interface Shrink {
  x: number
  y: number
}

function shrinkFor(source: Size, { width, height, fit, enlarge }: ResizeOptions): Shrink {
  const across = width === undefined ? undefined : source.width / width
  const down = height === undefined ? undefined : source.height / height
  const [x, y] = [across ?? down ?? 1, down ?? across ?? 1]
  const both = fit === 'inside' ? Math.max(x, y) : Math.min(x, y)
  const bounded = enlarge ? both : Math.max(1, both)
  // No side becomes 0.
  return { x: Math.min(bounded, source.width), y: Math.min(bounded, source.height) }
}

function roundedHalfUp(value: number): number {
  return Math.floor(value + 0.5)
}

function roundedHalfToEven(value: number): number {
  const up = roundedHalfUp(value)
  return value % 1 === 0.5 && up % 2 === 1 ? up - 1 : up
}
