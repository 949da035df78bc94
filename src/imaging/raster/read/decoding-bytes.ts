/** Memory that a decoder needs while it runs, in addition to the pixels of its result. */
import type { ImageFormat } from '../../../domain/images/image.ts'
import type { Metadata } from '../sharp.ts'

type Header = Pick<
  Metadata,
  'width' | 'height' | 'channels' | 'depth' | 'isProgressive' | 'chromaSubsampling' | 'orientation'
>

/**
 * Computed from the header, before anything is decoded. Measured as the peak of resident memory at 16 megapixels with
 * libvips 8.18 (docs/decisions/0027-decoding.md); a decoder that works row by row counts as 0.
 */
export function decodingBytes(format: ImageFormat, header: Header): number {
  const { width, height, orientation = 1 } = header
  const whole = header.channels * sampleBytes(header.depth)
  // libvips needs the entire image to rotate it.
  const turned = orientation > 1 ? whole : 0
  return Math.ceil(width * height * (bytesPerPixel(format, header, whole) + turned))
}

/** The samples of a file while they are converted (read/stored-samples.ts). */
export function storedBytes({ width, height, channels, depth }: Header): number {
  return width * height * Math.max(3, channels) * sampleBytes(depth)
}

/** `whole`: bytes per stored pixel. */
function bytesPerPixel(format: ImageFormat, header: Header, whole: number): number {
  switch (format) {
    case 'png':
      // The last pass of an interlaced image writes between the rows of the earlier passes.
      return header.isProgressive ? whole : 0
    case 'jpeg':
      // All coefficients, 2 bytes each, until the last scan.
      return header.isProgressive ? 2 * coefficients(header) : 0
    case 'webp':
      // The frame, and a second one while a lossless frame is decoded.
      return 8
    case 'gif':
      // The frame, and the canvas that it is drawn on.
      return 8
    case 'avif':
      // The frames of the decoder, of libheif and of libvips.
      return sampleBytes(header.depth) > 1 ? 26 : 19
    case 'tiff':
      // A strip or a tile can be as large as the image, and is held twice.
      return 2 * whole
    case 'svg':
    case 'pdf':
    case 'psd':
      // Another process draws them, or they are unpacked before.
      return 0
  }
}

/** Bytes per pixel, over all components. */
function coefficients({ channels, chromaSubsampling = '' }: Header): number {
  if (chromaSubsampling.startsWith('4:2:0')) return channels === 4 ? 2.5 : 1.5
  return channels
}

/** Number formats by the names of libvips. */
function sampleBytes(depth: Metadata['depth']): number {
  switch (depth) {
    case 'ushort':
    case 'short':
      return 2
    case 'uint':
    case 'int':
    case 'float':
      return 4
    case 'double':
    case 'complex':
      return 8
    case 'dpcomplex':
      return 16
    default:
      return 1
  }
}
