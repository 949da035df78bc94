/** Encodes the output of an execution by its settings; by default in sRGB and without metadata. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EncodeSettings, OutputFormat } from '../../../domain/workflows/output.ts'
import { Fault, failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import type { ImageMetadata, ImageValue, Pixels } from '../../types.ts'
import { isTransparent } from '../channels.ts'
import {
  decoderBytesOf,
  type ImageContext,
  pixelsOf,
  readingAll,
  runSharp,
  sharpOf,
  sharpOfPending,
  timeoutSeconds,
  toPixels,
} from '../image.ts'
import { carrierOf } from '../read/metadata.ts'
import { loadSharp, type Sharp } from '../sharp.ts'
import { checkAvif } from '../size.ts'
import { stages } from '../stages.ts'
import { markedXmp, withXmpOf } from '../xmp.ts'
import { encodeAnimation, keepsFrames, type Strip, settingsOf, strip } from './encode-animation.ts'
import { formatRows } from './encode-formats.ts'
import { bestThatFits } from './encode-to-fit.ts'
import { encodingBytes } from './encoding-bytes.ts'
import { type EncodedGainMap, encodeGainMap, withGainMap } from './gain-map.ts'

export interface Encoded {
  bytes: Buffer
  format: OutputFormat
  width: number
  height: number
}

/** An image with an `origin` gets its mark in XMP, also if metadata is stripped. */
export async function encode(image: ImageValue, settings: EncodeSettings, context: ImageContext): Promise<Encoded> {
  const { animation, origin, metadata: fileMetadata } = image
  const xmp = origin && markedXmp(settings.metadata === 'keep' ? fileMetadata?.xmp : undefined, origin)
  const format = settings.format ?? (animation ? 'webp' : undefined)
  if (animation && format && keepsFrames(format)) {
    const { width, height } = image
    checkSides(format, settings, { width, height }, at(context))
    const encoderSettings = settingsOf(format, settings, fileMetadata, at(context))
    const encodeFrame = (pixels: Strip, transparent: boolean) =>
      encodeBase(
        {
          base: pixels,
          width,
          pixels: pixels.width * pixels.height,
          transparent,
          format,
          settings: encoderSettings,
          fileMetadata,
          xmp,
        },
        context,
      )
    return { bytes: await encodeAnimation(image, animation, format, encodeFrame, context), format, width, height }
  }
  const { width, height } = image
  const base = directly(image, settings) ?? (await pixelsOf(image, context))
  const transparent = 'data' in base && isTransparent(base)
  const chosen = format ?? (transparent || settings.lossless ? 'png' : 'jpeg')
  checkSides(chosen, settings, { width, height }, at(context))
  const gainMap =
    image.gainMap && chosen === 'jpeg' && settings.hdr !== 'strip'
      ? await encodeGainMap(image.gainMap, image, context)
      : undefined
  const source = {
    base,
    width,
    pixels: width * height,
    transparent,
    format: chosen,
    settings,
    fileMetadata,
    xmp,
    gainMap,
  }
  const bytes = await encodeBase(source, readingAll('queue' in base ? base.from : image, context))
  return { bytes, format: chosen, width, height }
}

/** Pending work that can end in the encoder itself: for an opaque image that is encoded once. */
function directly(
  { pending, hasAlpha }: ImageValue,
  { format, metadata, maxBytes, profile, density, lossless }: EncodeSettings,
): ImageValue['pending'] {
  if (hasAlpha || metadata === 'keep' || maxBytes !== undefined || pending === undefined) return undefined
  // libvips copies the density of the source to a PNG, and only to a PNG; the density of pixels is the same for all.
  const isPng = format === 'png' || (format === undefined && lossless === true)
  if (isPng && density === undefined && pending.queue[0]?.fromBytes) return undefined
  const before = pending.queue.map(({ stage }) => stage)
  const encode = format === 'tiff' ? stages.encodeTiff : stages.encode
  const last = profile === undefined || profile === 'srgb' ? encode : stages.profile
  return last.follows(before, hasAlpha) ? pending : undefined
}

async function encodeBase(source: Omit<Source, 'profile'>, context: ImageContext): Promise<Buffer> {
  const { settings, fileMetadata, format } = source
  try {
    return await withProfile(settings.profile, fileMetadata?.icc, async (profile) =>
      encodeFrom(await sourceOf({ ...source, profile }, context), source, settings, context),
    )
  } catch (error) {
    // Pixels can always be written; anything that cannot must be from the source file.
    const keeps = settings.metadata === 'keep' || settings.profile === 'keep'
    if (!keeps || !(error instanceof Fault) || error.details.reason !== 'input_invalid') throw error
    throw failure(
      'input_invalid',
      `The metadata of the source is damaged and can't be written to the ${format}. Set "${at(context)}.metadata" to "strip" and "${at(context)}.profile" to "srgb".`,
      { cause: error },
    )
  }
}

/**
 * `source` creates the input of each attempt; each attempt is a separate job, so that the deadline is checked in
 * between.
 */
async function encodeFrom(
  source: () => Promise<Sharp>,
  { format, width, pixels, transparent, xmp, gainMap }: Omit<Source, 'base' | 'profile' | 'settings' | 'fileMetadata'>,
  settings: EncodeSettings,
  context: ImageContext,
): Promise<Buffer> {
  const row = formatRows[format]
  const memoryBytes = pixels * encodingBytes(format, settings, transparent)
  const run = async (way: (image: Sharp) => Sharp) => {
    const encoded = await source()
    const image = way(encoded).timeout({ seconds: timeoutSeconds(context) })
    const job = { ...context, pixels: Math.max(context.pixels ?? 0, pixels) }
    const bytes = await runSharp(job, () => image.toBuffer(), memoryBytes + decoderBytesOf(encoded))
    const described = xmp === undefined ? bytes : withXmpOf(format, bytes, xmp)
    return gainMap ? withGainMap(described, gainMap) : described
  }
  const smallestOf = async (tried: EncodeSettings) => {
    const [first, ...others] = row.ways(tried)
    if (first === undefined) throw new Error(`there is no way to encode ${format}`)
    let best = await run(first)
    for (const way of others) {
      const bytes = await run(way)
      if (bytes.length < best.length) best = bytes
    }
    return best
  }
  const { maxBytes } = settings
  if (maxBytes === undefined || row.toFit === undefined) return smallestOf(settings)

  const { whole, scale } = row.toFit(settings)
  let smallest: Buffer | undefined
  for (const tried of whole) {
    const bytes = await smallestOf(tried)
    if (bytes.length <= maxBytes) return bytes
    if (smallest === undefined || bytes.length < smallest.length) smallest = bytes
  }
  if (scale) {
    const found = await bestThatFits(scale, maxBytes, (level) => run(scale.way(level)))
    if ('bytes' in found) return found.bytes
    smallest = found.smallest
  }
  const where = scale ? ` (${scale.name} 1)` : ''
  throw tooLarge({ format, where, smallest: smallest?.length ?? 0, maxBytes, width, path: `${at(context)}.maxBytes` })
}

interface Source {
  /** Pixels, or pending work that ends in the encoder. */
  base: Strip | NonNullable<ImageValue['pending']>
  width: number
  /** Pixels of all frames. */
  pixels: number
  transparent: boolean
  format: OutputFormat
  /** A file, or a name that libvips knows. */
  profile: string | undefined
  settings: EncodeSettings
  fileMetadata: ImageMetadata | undefined
  /** The packet to write; undefined for that of `fileMetadata`, if it is kept. */
  xmp: string | undefined
  /** The gain map to add to a JPEG. */
  gainMap?: EncodedGainMap | undefined
}

/** Formats without alpha get a white background; an alpha channel that is opaque everywhere is dropped. */
async function sourceOf(
  { base, transparent, format, profile, settings, fileMetadata, xmp }: Source,
  context: ImageContext,
): Promise<() => Promise<Sharp>> {
  if ('queue' in base) {
    const { density } = settings
    return async () => withProperties(await sharpOfPending(base, context), { density, profile, xmp })
  }
  const flatten = transparent && !formatRows[format].keepsAlpha
  const keptMetadata = settings.metadata === 'keep' ? fileMetadata : undefined
  const carried = keptMetadata && (xmp === undefined ? keptMetadata : { ...keptMetadata, xmp: Buffer.from(xmp) })
  const carrier = carried && (await carrierOf(carried, format))
  // Flattened once if it is needed several times, or if sharp would do it before the pixels exist.
  const early = flatten && (carrier !== undefined || settings.maxBytes !== undefined)
  const pixels = early ? await toPixels(context, (await sharpOf(base)).flatten({ background: white })) : base
  const density = settings.density ?? keptMetadata?.density
  return async () => {
    const image = carrier ? await onCarrier(carrier, pixels) : await strip(pixels)
    if (flatten && !early) image.flatten({ background: white })
    else if (pixels.channels === 4 && !transparent) image.removeAlpha()
    if (carrier) image.keepMetadata()
    return withProperties(image, { density, profile, xmp: carrier ? undefined : xmp })
  }
}

function withProperties(
  image: Sharp,
  { density, profile, xmp }: { density?: number | undefined; profile: string | undefined; xmp: string | undefined },
) {
  if (xmp !== undefined) image.withXmp(xmp)
  if (density !== undefined) image.withDensity(density)
  if (profile !== undefined) image.withIccProfile(profile)
  return image
}

const white = '#fff'

/**
 * Adds the carrier's metadata to these pixels: the carrier is resized, cleared, and combined bitwise with the pixels.
 */
async function onCarrier(carrier: Buffer, { data, width, height, channels }: Pixels): Promise<Sharp> {
  const sharp = await loadSharp()
  const nothing = Array.from({ length: channels }, () => 0)
  return sharp(carrier, { autoOrient: true })
    .extend({ right: width - 1, bottom: height - 1, background: { r: 0, g: 0, b: 0, alpha: channels === 4 ? 0 : 1 } })
    .linear(nothing, nothing)
    .boolean(data, 'or', { raw: { width, height, channels } })
}

/**
 * libvips reads profiles only from files. A profile that it cannot use is omitted, as it was when the image was
 * decoded.
 */
async function withProfile<Result>(
  wanted: EncodeSettings['profile'],
  icc: Buffer | undefined,
  use: (profile: string | undefined) => Promise<Result>,
): Promise<Result> {
  if (wanted === 'p3') return use('p3')
  if (wanted !== 'keep' || icc === undefined) return use(undefined)
  const folder = await mkdtemp(join(tmpdir(), 'tintype-profile-'))
  try {
    const file = join(folder, 'profile.icc')
    await writeFile(file, icc)
    return await use(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The path of the output in the document. */
function at({ outputPath = 'output' }: ImageContext): string {
  return outputPath
}

function checkSides(
  format: OutputFormat,
  { effort }: EncodeSettings,
  { width, height }: { width: number; height: number },
  path: string,
): void {
  const { sideMax } = formatRows[format]
  if (Math.max(width, height) > sideMax) {
    throw failure(
      'limit_exceeded',
      `The image is ${width} x ${height} pixels; the maximum of the format ${format} is ${sideMax} pixels per side. Resize it, or set another "${path}.format".`,
    )
  }
  checkAvif(format, width, height)
  if (format === 'avif' && effort === 'high' && width * height > limits.avifEffortPixelsMax) {
    throw failure(
      'limit_exceeded',
      `"${path}.effort" "high" is limited to AVIF images of ${limits.avifEffortPixelsMax} pixels, but the image has ${width} x ${height} = ${width * height}. Set it to "medium".`,
    )
  }
}

/** File size decreases slightly slower than the area. */
function tooLarge({ format, where, smallest, maxBytes, width, path }: TooLarge) {
  const fits = Math.floor(width * Math.sqrt(maxBytes / smallest) * 0.95)
  const hint = fits >= 16 ? ` A width of about ${fits} pixels instead of ${width} would fit.` : ''
  const message = `is ${maxBytes} bytes, but the smallest possible ${format} of this image${where} has ${smallest}.${hint}`
  return failure('limit_exceeded', `"${path}" ${message}`, { issues: [{ path, message }] })
}

interface TooLarge {
  format: OutputFormat
  /** The level that was tried, in words. */
  where: string
  /** Bytes. */
  smallest: number
  maxBytes: number
  width: number
  path: string
}
