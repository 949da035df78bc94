/**
 * Image values from bytes and from pixels, and pixels from image values: the only place that decodes images for use.
 */

import type { ImageFormat } from '../../domain/images/image.ts'
import { Fault, failure } from '../../errors.ts'
import type { ImageValue, ImagingContext, PdfPage, Pixels } from '../types.ts'
import { type JobContext, runJob } from './jobs.ts'
import { animationOf, composedFrames } from './read/animation.ts'
import { isAvifSequence, readableAvif } from './read/avif-boxes.ts'
import { decodingBytes, storedBytes } from './read/decoding-bytes.ts'
import { isDrawing, renderAgain } from './read/drawn.ts'
import { gainMapOf } from './read/gain-map.ts'
import { knownFormat } from './read/known-format.ts'
import { metadataOf } from './read/metadata.ts'
import { orient, orientationOf } from './read/orient.ts'
import { firstPage, renderPdf } from './read/pdf.ts'
import { compositeOfPsd, removeWhite } from './read/psd.ts'
import { hdrWarning, storedSamples, toSrgb } from './read/stored-samples.ts'
import { renderSvg } from './read/svg.ts'
import { loadSharp, type Metadata, type Sharp, sourceOptions } from './sharp.ts'
import { checkAvif, checkSize } from './size.ts'
import { originOfFile } from './xmp.ts'

/** Context of decoding. */
export type ImageContext = JobContext & Pick<ImagingContext, 'pixelsMax' | 'outputPath' | 'warn'>

/**
 * Reads only the header. (Drawings are rendered: an SVG, and the page of a PDF.) Bytes that are not trusted are inspected before: see
 * read/inspect.ts.
 */
export async function imageFromBytes(bytes: Buffer, context: ImageContext, page?: PdfPage): Promise<ImageValue> {
  const format = knownFormat(bytes)
  if (format === 'pdf') return imageFromPdf(bytes, page ?? firstPage, context)
  if (page !== undefined && page.number > 1) {
    throw failure(
      'input_invalid',
      `The image has no page ${page.number}: only a PDF has several pages, and it is a ${format}.`,
    )
  }
  if (format === 'svg') {
    const pixels = await renderSvg(bytes, 1, context)
    return { ...imageFromPixels(pixels), format, encoded: bytes }
  }
  if (format === 'psd') return imageFromPsd(bytes, context)
  return imageFromRaster(format, bytes, context)
}

async function imageFromPdf(bytes: Buffer, page: PdfPage, context: ImageContext): Promise<ImageValue> {
  const { pixels, missingFonts } = await renderPdf(bytes, page, 1, context)
  if (missingFonts.length > 0) {
    context.warn?.(
      `Page ${page.number} of the PDF has text in fonts that the file doesn't contain (${missingFonts.join(', ')}), so characters may be missing. Export it with embedded fonts.`,
    )
  }
  const origin = originOfFile('pdf', {}, bytes)
  return { ...imageFromPixels(pixels), format: 'pdf', encoded: bytes, pdfPage: page, ...(origin && { origin }) }
}

async function imageFromPsd(bytes: Buffer, context: ImageContext): Promise<ImageValue> {
  const { tiff, mayBeOnWhite } = await compositeOfPsd(bytes, context)
  const image = await imageFromRaster('tiff', tiff, context)
  if (!mayBeOnWhite) return { ...image, format: 'psd' }
  const { encoded: _, ...facts } = image
  return { ...facts, format: 'psd', pixels: await removeWhite(await pixelsOf(image, context), context) }
}

/** Reads only the header of a file that is not a drawing. */
export async function imageFromRaster(format: ImageFormat, file: Buffer, context: ImageContext): Promise<ImageValue> {
  const sharp = await loadSharp()
  const bytes = format === 'avif' ? readableAvif(file) : file
  const header = await runSharp(context, () => sharp(bytes, sourceOptions(context.pixelsMax)).metadata())
  const { width, height } = header.autoOrient
  checkSize(width, height, context.pixelsMax)
  checkAvif(format, width, height)
  const animation = animationOf(format, bytes, header, context.pixelsMax)
  const composed = composedFrames(format, bytes)
  const samples = storedSamples(format, bytes)
  const { icc: _, ...others } = header
  const metadata = metadataOf(samples?.ignoresProfile ? others : header)
  const warning = samples && hdrWarning(samples)
  if (warning) context.warn?.(warning)
  if (format === 'avif' && isAvifSequence(bytes)) {
    context.warn?.(
      'The AVIF is an animation: only its still image is used. Export it as WebP or GIF to use all frames.',
    )
  }
  const isIndirect = samples !== undefined || composed?.isStartHidden === true
  const origin = originOfFile(format, header, bytes)
  const gainMap = format === 'jpeg' ? gainMapOf(bytes, header.orientation) : undefined
  return {
    width,
    height,
    hasAlpha: header.hasAlpha || composed?.isOpaque === false,
    format,
    encoded: bytes,
    decodingBytes: decodingBytes(format, header) + (samples ? storedBytes(header) : 0),
    isRgb8: isPlain(header) && !isIndirect,
    ...(isIndirect && { isIndirect }),
    ...(animation ? { animation } : {}),
    ...(metadata ? { metadata } : {}),
    ...(gainMap ? { gainMap } : {}),
    ...(origin ? { origin } : {}),
  }
}

export function imageFromPixels(pixels: Pixels): ImageValue {
  return { width: pixels.width, height: pixels.height, hasAlpha: pixels.channels === 4, format: 'raw', pixels }
}

/** Decodes once for all readers: oriented, 8-bit sRGB, 3 or 4 channels, the first frame. */
export async function pixelsOf(image: ImageValue, context: ImageContext): Promise<Pixels> {
  if (image.pixels) return image.pixels
  const decoded = decoding.get(image)
  if (decoded) return decoded
  const work = decode(image, context)
  decoding.set(image, work)
  try {
    image.pixels = await work
    return image.pixels
  } finally {
    decoding.delete(image)
  }
}

/** Runs a sharp instance through the gate and returns its pixels. The caller has checked the size. */
export async function toPixels(context: JobContext, image: Sharp, memoryBytes?: number): Promise<Pixels> {
  const { data, info } = await runSharp(
    context,
    () =>
      image
        .timeout({ seconds: timeoutSeconds(context) })
        .raw()
        .toBuffer({ resolveWithObject: true }),
    memoryBytes ?? image,
  )
  const { width, height } = info
  const channels: number = info.channels
  if (channels === 3 || channels === 4) return { data, width, height, channels }
  return spread(data, width, height, channels)
}

/** The region that a content-aware resize keeps of the scaled image, in the form of `extract`. */
export async function cropRegionOf(image: Sharp, context: JobContext) {
  const { info } = await runSharp(
    context,
    () =>
      image
        .timeout({ seconds: timeoutSeconds(context) })
        .raw()
        .toBuffer({ resolveWithObject: true }),
    image,
  )
  const { width, height, cropOffsetLeft = 0, cropOffsetTop = 0 } = info
  // sharp reports offsets as the movement of the image.
  return { left: -cropOffsetLeft, top: -cropOffsetTop, width, height }
}

/** A sharp instance over pixels. */
export async function sharpOf({ data, width, height, channels }: Pixels): Promise<Sharp> {
  const sharp = await loadSharp()
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
}

/**
 * A sharp instance over encoded bytes, which decodes only what the following work needs. `memoryBytes`: memory of the
 * decoder.
 */
export async function sharpOfEncoded(bytes: Buffer, memoryBytes: number, context: ImageContext): Promise<Sharp> {
  const sharp = await loadSharp()
  const image = sharp(bytes, sourceOptions(context.pixelsMax)).toColourspace('srgb')
  decoderBytes.set(image, memoryBytes)
  return image
}

/** A sharp instance over the bytes of an image if it has any, otherwise over its pixels. */
export async function sharpOfSource(image: ImageValue, context: ImageContext): Promise<Sharp> {
  const bytes = isDrawing(image.format) || image.isIndirect ? undefined : image.encoded
  return bytes ? sharpOfEncoded(bytes, image.decodingBytes ?? 0, context) : sharpOf(await pixelsOf(image, context))
}

/** A sharp instance that does all pending work in one call. */
export async function sharpOfPending(
  { from, queue: works }: NonNullable<ImageValue['pending']>,
  context: ImageContext,
): Promise<Sharp> {
  const image = works[0]?.fromBytes ? await sharpOfSource(from, context) : await sharpOf(await pixelsOf(from, context))
  for (const { apply } of works) apply(image)
  return image
}

/** Memory that the decoder of an instance needs; 0 if it does not decode. */
export function decoderBytesOf(image: Sharp): number {
  return decoderBytes.get(image) ?? 0
}

/** `image`: the instance that does the work, or the memory in bytes that it needs in addition to its result. */
export async function runSharp<T>(context: JobContext, start: () => Promise<T>, image: Sharp | number = 0): Promise<T> {
  try {
    return await runJob(context, start, typeof image === 'number' ? image : decoderBytesOf(image))
  } catch (error) {
    throw imageFault(error)
  }
}

/** sharp accepts whole seconds, 1 to 3600. */
export function timeoutSeconds(context: JobContext): number {
  return Math.min(3_600, Math.max(1, Math.ceil(context.secondsLeft())))
}
const decoding = new WeakMap<ImageValue, Promise<Pixels>>()

/** Memory that the decoder needs, for instances that decode. */
const decoderBytes = new WeakMap<Sharp, number>()

async function decode(image: ImageValue, context: ImageContext): Promise<Pixels> {
  if (image.pending) {
    const { pending } = image
    const pixels = await toPixels(readingAll(pending.from, context), await sharpOfPending(pending, context))
    if (pixels.width !== image.width || pixels.height !== image.height) {
      throw new Error(`a stage told ${image.width} x ${image.height} and gave ${pixels.width} x ${pixels.height}`)
    }
    // Releases the source image.
    delete image.pending
    return pixels
  }
  if (image.encoded === undefined) throw new Error('a picture has neither pixels nor bytes')
  if (isDrawing(image.format)) return renderAgain(image, 1, context)
  if (image.isIndirect) return decodeFile({ ...image, encoded: image.encoded }, readingAll(image, context))
  return toPixels(readingAll(image, context), await sharpOfSource(image, context))
}

/** The first frame of a file that sharp alone doesn't return, upright. */
async function decodeFile(
  { format, encoded, decodingBytes: memoryBytes = 0 }: ImageValue & { encoded: Buffer },
  context: ImageContext,
): Promise<Pixels> {
  const composed = composedFrames(format, encoded)
  if (!composed?.isStartHidden) return decodeStored(format, encoded, memoryBytes, context)
  const { width, height, frames, stillOf } = composed
  const [frame] = frames
  if (frame === undefined) throw new Error('an animation without frames')
  const still = await sharpOf(await decodeStored(format, stillOf(frame), memoryBytes, context))
  const [right, bottom] = [width - frame.x - frame.width, height - frame.y - frame.height]
  still.extend({ left: frame.x, top: frame.y, right, bottom, background: 'transparent' })
  const orientation = await runSharp(context, () => orientationOf(encoded))
  return toPixels(context, orient(await sharpOf(await toPixels(context, still)), orientation))
}

/** The pixels of a still image in straight sRGB, by its profile or by another declaration. */
export async function decodeStored(
  format: ImageFormat | 'raw',
  bytes: Buffer,
  memoryBytes: number,
  context: ImageContext,
): Promise<Pixels> {
  const samples = storedSamples(format, bytes)
  if (samples === undefined) return toPixels(context, await sharpOfEncoded(bytes, memoryBytes, context))
  const sharp = await loadSharp()
  const { depth, bitsPerSample = 8 } = await runSharp(context, () => sharp(bytes).metadata())
  const image = sharp(bytes, { ...sourceOptions(context.pixelsMax), ignoreIcc: samples.ignoresProfile === true })
  if (depth !== 'ushort') {
    const stored = await toPixels(context, image.toColourspace('srgb'), memoryBytes)
    return toSrgb({ ...stored, max: 255 }, samples, context)
  }
  image.toColourspace('rgb16').raw({ depth: 'ushort' })
  image.timeout({ seconds: timeoutSeconds(context) })
  const { data, info } = await runSharp(context, () => image.toBuffer({ resolveWithObject: true }), memoryBytes)
  const { width, height, channels } = info
  if (channels !== 3 && channels !== 4) throw new Error(`decoded with ${channels} channels`)
  // libvips stores fewer bits as the upper ones.
  const max = (2 ** bitsPerSample - 1) * 2 ** (16 - bitsPerSample)
  const words = new Uint16Array(data.buffer, data.byteOffset, data.length / 2)
  return toSrgb({ data: words, width, height, channels, max }, samples, context)
}

/** The context of a job that reads all pixels of an image: a large one takes long, however small the result is. */
export function readingAll({ width, height }: ImageValue, context: ImageContext): ImageContext {
  return { ...context, pixels: Math.max(context.pixels ?? 0, width * height) }
}

function isPlain({ depth, space }: Metadata): boolean {
  return depth === 'uchar' && space === 'srgb'
}

/** Grey (1 channel) and grey with alpha (2) as RGB and RGBA. */
function spread(data: Buffer, width: number, height: number, channels: number): Pixels {
  const count = width * height
  const wide = channels === 2 ? 4 : 3
  const out = Buffer.allocUnsafe(count * wide)
  for (let pixel = 0, from = 0, to = 0; pixel < count; pixel += 1, from += channels, to += wide) {
    const grey = data[from] ?? 0
    out[to] = grey
    out[to + 1] = grey
    out[to + 2] = grey
    if (wide === 4) out[to + 3] = data[from + 1] ?? 255
  }
  return { data: out, width, height, channels: wide }
}

/** Maps the plain text errors of libvips to faults for the caller. */
function imageFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  const text = error instanceof Error ? error.message : String(error)
  for (const [pattern, create] of known) if (pattern.test(text)) return create(error)
  return failure(
    'input_invalid',
    "The image can't be decoded: its data is corrupt, or uses an unsupported feature of the format. Export it again.",
    { cause: error },
  )
}

const known: [RegExp, (cause: unknown) => Fault][] = [
  [
    /exceeds? pixel limit|exceeds limit|too large|too many pixels|out of memory|unable to (malloc|allocate)/i,
    (cause) =>
      failure('limit_exceeded', 'The image exceeds the maximum number of pixels. Use a smaller image.', { cause }),
  ],
  [
    /^timeout:|killed for image/i,
    (cause) =>
      failure(
        'timeout',
        'The image operation did not end before the time limit. Repeat the request. If it fails again, use a smaller image.',
        { cause },
      ),
  ],
  [
    /unsupported image format|empty|unsupported codec|no known loader|bitstream not supported|not supported/i,
    (cause) => failure('input_invalid', 'The file is not an image in a supported format.', { cause }),
  ],
  [
    /premature end|truncat|read error|end of file|unexpected end|not enough data|insufficient/i,
    (cause) => failure('input_invalid', 'The image is corrupt or truncated. Export it again and upload it.', { cause }),
  ],
]
