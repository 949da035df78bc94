/** Inspects an uploaded file: its format, and whether it can be decoded completely. */
import { type FileHandle, open } from 'node:fs/promises'
import type { SharpOptions } from 'sharp'
import { countdown } from '../../../domain/clock.ts'
import type { ImageFacts, ImageFormat } from '../../../domain/image.ts'
import type { Origin } from '../../../domain/origin.ts'
import { Fault, failure, invalidRequest } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { type ImageContext, runSharp, timeoutSeconds } from '../image.ts'
import { inUploadTurn } from '../jobs.ts'
import { loadSharp, sourceOptions } from '../sharp.ts'
import { checkAvif, checkFrames, checkSize } from '../size.ts'
import { originOfFile } from '../xmp.ts'
import { readApng, stillOf } from './apng-read.ts'
import { checkBeforeDecoding, type Walked } from './check-before-decoding.ts'
import { checkProfile } from './color-profile.ts'
import { decodingBytes } from './decoding-bytes.ts'
import { knownFormat } from './known-format.ts'
import { firstPage, measurePdf } from './pdf.ts'
import { compositeOfPsd } from './psd.ts'
import { sniffBytes } from './sniff.ts'
import { measureSvg } from './svg.ts'

/** The account and the limits of an inspection. */
export interface InspectOptions extends Pick<ImageContext, 'account' | 'reserve'> {
  pixelsMax: number
  signal?: AbortSignal | undefined
}

/**
 * Throws `invalid_request` if the file is not an image, is damaged, too large, or (SVG) not allowed. Decodes every
 * pixel when it is the account's turn, and keeps as few pixels in memory as the format allows.
 */
export async function inspect(file: string, options: InspectOptions): Promise<ImageFacts> {
  const { signal } = options
  const context: ImageContext = {
    ...options,
    signal: signal ?? new AbortController().signal,
    secondsLeft: () => limits.inspectSeconds,
  }
  try {
    // From the start of the work: waiting for a turn doesn't count.
    return await inUploadTurn(context, (turn) => look(file, { ...turn, secondsLeft: countdown(limits.inspectSeconds) }))
  } catch (error) {
    if (signal?.aborted || !(error instanceof Fault)) throw error
    const message =
      error.details.reason === 'timeout' ? 'The image took too long to decode. Use a smaller image.' : error.message
    throw Object.assign(invalidRequest([{ path: 'file', message }]), { cause: error })
  }
}

async function look(file: string, context: ImageContext): Promise<ImageFacts> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    if (size === 0) throw failure('input_invalid', 'The file is empty. Send the bytes of an image.')
    const format = knownFormat(await readHead(handle))
    if (format === 'svg') return await lookAtSvg(handle, size, context)
    if (format === 'pdf' || format === 'psd') return await lookAtDocument(handle, { size, format }, context)
    const walked = await checkBeforeDecoding(format, handle, context)
    if (!walked.isComplete) {
      throw failure('input_invalid', 'The image is corrupt or truncated. Export it again and upload it.')
    }
    return await lookAtPixels({ source: file, handle, size, format, walked }, context)
  } finally {
    await handle.close()
  }
}

async function readHead(handle: FileHandle): Promise<Buffer> {
  const head = Buffer.alloc(sniffBytes)
  const { bytesRead } = await handle.read(head, 0, sniffBytes, 0)
  return head.subarray(0, bytesRead)
}

async function lookAtSvg(handle: FileHandle, size: number, context: ImageContext): Promise<ImageFacts> {
  if (size > limits.svgBytesMax) {
    throw failure('limit_exceeded', `The SVG has ${size} bytes; the maximum is ${limits.svgBytesMax}.`)
  }
  const { width, height } = await measureSvg(await handle.readFile(), context)
  return { format: 'svg', width, height }
}

/** A PDF is decoded by drawing its first page, a PSD by decoding its composite. */
async function lookAtDocument(
  handle: FileHandle,
  { size, format }: { size: number; format: 'pdf' | 'psd' },
  context: ImageContext,
): Promise<ImageFacts> {
  // The file, and the composite with its rows.
  const releaseMemory = await context.reserve?.((format === 'psd' ? 2 : 1) * size, context.signal)
  try {
    const bytes = await handle.readFile()
    if (format === 'psd') {
      const { tiff } = await compositeOfPsd(bytes, context)
      return { ...(await lookAtPixels({ source: tiff, handle, size, format: 'tiff' }, context)), format }
    }
    const origin = originOfFile(format, {}, bytes)
    return { format, ...(await measurePdf(bytes, firstPage, context)), ...(origin && { origin }) }
  } finally {
    releaseMemory?.()
  }
}

const animated: ImageFormat[] = ['gif', 'webp']

interface Encoded {
  /** The path of the file, or its bytes. */
  source: string | Buffer
  handle: FileHandle
  size: number
  format: ImageFormat
  walked?: Walked
}

async function lookAtPixels(
  { source, handle, size, format, walked }: Encoded,
  context: ImageContext,
): Promise<ImageFacts> {
  const sharp = await loadSharp()
  const first = sourceOptions(context.pixelsMax)
  const header = await runSharp(context, () => sharp(source, first).metadata())
  const { width, height } = header.autoOrient
  checkSize(width, height, context.pixelsMax)
  checkAvif(format, width, height)
  checkProfile(header.icc)
  const frames = animated.includes(format) ? (header.pages ?? 1) : 1
  checkFrames(width, height, frames, context.pixelsMax)
  // Not rotated: no pixels are kept, and rotating needs all of them in memory.
  const all = {
    ...first,
    autoOrient: false,
    ...(frames > 1 && { pages: -1, limitInputPixels: limits.animationPixelsMax }),
  }
  const memory = decodingBytes(format, { ...header, orientation: 1 }, walked?.pixels)
  if (walked?.isAnimatedPng) await lookAtFrames(handle, size, memory, context)
  await decodeAll(source, all, memory, { ...context, pixels: width * height * frames })
  const origin = format === 'gif' ? await originOfGif(handle, size, context) : originOfFile(format, header)
  return { format, width, height, ...(origin && { origin }) }
}

async function originOfGif(handle: FileHandle, size: number, context: ImageContext): Promise<Origin | undefined> {
  const releaseMemory = await context.reserve?.(size, context.signal)
  try {
    return originOfFile('gif', {}, await handle.readFile())
  } finally {
    releaseMemory?.()
  }
}

/**
 * For an animated PNG, which libvips doesn't recognise as one. `memory`: bytes that the decoder needs for a frame.
 */
async function lookAtFrames(handle: FileHandle, size: number, memory: number, context: ImageContext): Promise<void> {
  const first = sourceOptions(context.pixelsMax)
  // The file, and the data of its frames.
  const releaseMemory = await context.reserve?.(2 * size, context.signal)
  try {
    const png = await handle.readFile()
    const apng = readApng(png)
    if (apng === undefined) return
    checkFrames(apng.width, apng.height, apng.frames.length, context.pixelsMax)
    for (const frame of apng.frames) {
      // The shortest limit of a decoder is a second.
      if (context.secondsLeft() < 1) throw failure('timeout', 'The frames took too long to decode.')
      await decodeAll(await stillOf(png, apng, frame, { hasColors: false }), first, memory, context)
    }
  } finally {
    releaseMemory?.()
  }
}

/** Shrunk to almost nothing while it streams: decodes every pixel and keeps none. */
async function decodeAll(
  source: string | Buffer,
  options: SharpOptions,
  memory: number,
  context: ImageContext,
): Promise<void> {
  const sharp = await loadSharp()
  const work = () =>
    sharp(source, options)
      .resize(probePixels, probePixels, { fit: 'fill', kernel: 'nearest', fastShrinkOnLoad: false })
      .timeout({ seconds: timeoutSeconds(context) })
      .raw()
      .toBuffer()
  await runSharp(context, work, memory)
}

const probePixels = 32
