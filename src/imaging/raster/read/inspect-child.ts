/** A program of a process pool: decodes one file completely, the way that it is decoded when it is used. */

import { readFile } from 'node:fs/promises'
import type { SharpOptions } from 'sharp'
import type { ImageFormat } from '../../../domain/images/image.ts'
import { failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { serveJobs } from '../../../processes/pool-program.ts'
import { Processes } from '../../../processes/processes.ts'
import type { ImageValue } from '../../types.ts'
import { type ImageContext, imageFromRaster, runSharp } from '../image.ts'
import { loadSharp, sourceOptions } from '../sharp.ts'
import { readApng, stillOf } from './apng-read.ts'
import { countPixels } from './frames.ts'
import { endsGif } from './gif-read.ts'
import type { Inspected, InspectJob } from './inspect.ts'
import { inspectSecondsOf, tooLongToDecode } from './inspect-time.ts'
import { knownFormat } from './known-format.ts'
import { chunksOf } from './png-chunks.ts'
import { compositeOfPsd } from './psd.ts'
import { sniff } from './sniff.ts'

const sharp = await loadSharp()

serveJobs<InspectJob, Inspected>(async ({ file, pixelsMax, mustBeComplete, ...known }) => {
  const cpuStart = process.cpuUsage()
  // The parent ends this process instead.
  const context: ImageContext = {
    pixelsMax,
    signal: new AbortController().signal,
    secondsLeft: () => Number.POSITIVE_INFINITY,
    // Drawings are not decoded here.
    processes: new Processes(),
  }
  const bytes = await readFile(file)
  const format = knownFormat(bytes)
  if (mustBeComplete && !isComplete(format, bytes)) {
    throw failure('input_invalid', 'The image is corrupt or truncated. Export it again and upload it.')
  }
  const raster = format === 'psd' ? (await compositeOfPsd(bytes, context)).tiff : bytes
  const image = await imageFromRaster(format === 'psd' ? 'tiff' : format, raster, context)
  const source = image.encoded ?? raster
  const isProgram = await hasProgram(source, context)
  const pixels = countPixels(image)
  const memoryBytes = bytesFor(image, format, bytes, isProgram)
  const isLarge = memoryBytes > unreservedBytes || pixels > limits.longJobPixels
  if (isLarge && known.pixels === 0) return { memoryBytes, pixels }
  await decodeAll(image, source, isProgram, context)
  const { user, system } = process.cpuUsage(cpuStart)
  if ((user + system) / 1_000_000 > inspectSecondsOf(pixels)) throw tooLongToDecode()
  const { width, height, origin } = image
  return { format, width, height, ...(origin && { origin }) }
})

/** Decoders stop when they have all pixels, or (GIF) accept the frames that exist, without an error. */
function isComplete(format: ImageFormat, bytes: Buffer): boolean {
  if (format === 'png') return endsPng(bytes)
  return format === 'gif' ? endsGif(bytes) : true
}

/** Small files need no reservation. */
const unreservedBytes = 67_108_864

/** Memory of the decoder, with copies of the file, and the pixels to which a program is applied. */
function bytesFor(image: ImageValue, format: ImageFormat, file: Buffer, isProgram: boolean): number {
  const { decodingBytes = 0, animation } = image
  const copies = format === 'psd' || (format === 'png' && animation) ? 3 : 1
  const pixels = isProgram ? countPixels(image) * 4 : 0
  return copies * file.length + Math.ceil(decodingBytes * spread) + pixels
}

/** Measured peaks differ: see docs/decisions/0027-decoding.md. */
const spread = 1.25

/**
 * Whether the colour profile is a chain of elements (ICC.1:2022, 10.16), which take any time for each pixel. All other profiles take some
 * 15 ns, and are applied to a few pixels only.
 */
async function hasProgram(source: Buffer, context: ImageContext): Promise<boolean> {
  const { icc } = await runSharp(context, () => sharp(source, sourceOptions(context.pixelsMax)).metadata())
  return icc?.includes('mpet') ?? false
}

async function decodeAll(image: ImageValue, source: Buffer, isProgram: boolean, context: ImageContext): Promise<void> {
  const { format, animation, gainMap } = image
  // Not rotated: no pixels are kept, and rotating needs all of them in memory.
  const still = { ...sourceOptions(context.pixelsMax), autoOrient: false }
  const apng = format === 'png' && animation ? readApng(source) : undefined
  const all = animation && !apng ? { ...still, pages: -1, limitInputPixels: limits.animationPixelsMax } : still
  await decode(source, all, isProgram, context)
  for (const frame of apng?.frames ?? [])
    await decode(stillOf(source, apng as NonNullable<typeof apng>, frame), still, isProgram, context)
  if (gainMap) await decode(gainMap.jpeg, still, isProgram, context)
}

/**
 * Shrunk to almost nothing while it streams: decodes every pixel and keeps none. libvips reads only the tiles of a TIFF that have the
 * nearest pixels, so a TIFF is averaged, which takes longer.
 */
async function decode(bytes: Buffer, options: SharpOptions, isProgram: boolean, context: ImageContext): Promise<void> {
  const image = sharp(bytes, options).toColourspace('srgb')
  const kernel = sniff(bytes) === 'tiff' ? 'linear' : 'nearest'
  if (!isProgram) image.resize(probePixels, probePixels, { fit: 'fill', kernel, fastShrinkOnLoad: false })
  await runSharp(context, () => image.raw().toBuffer())
}

const probePixels = 32

/** Whether the file has its end, which decoders don't need. Throws if the file ends inside a chunk. */
function endsPng(png: Buffer): boolean {
  for (const { type } of chunksOf(png)) if (type === 'IEND') return true
  return false
}
