/** Images for requests to AI models: upright, 8-bit sRGB, without metadata. */

import type { RequestImage } from '../../../domain/models/model.ts'
import { limits } from '../../../limits.ts'
import type { ImageValue, Pixels } from '../../types.ts'
import { parseColor } from '../color.ts'
import { type ImageContext, pixelsOf, runSharp, sharpOf, timeoutSeconds } from '../image.ts'
import { thumbnailOf } from '../measure/thumbnail.ts'
import { jpegMarkers, jpegSegments } from '../read/jpeg-segments.ts'
import { orientationOf } from '../read/orient.ts'

/**
 * The original bytes if they need no conversion, so that nothing is lost; otherwise a PNG. The first frame of an
 * animation. `background`: for transparent areas.
 */
export async function requestImage(
  image: ImageValue,
  context: ImageContext,
  { background }: { background?: string } = {},
): Promise<RequestImage> {
  const isFlattened = background !== undefined && image.hasAlpha
  const original = isFlattened ? undefined : await ownBytes(image, context)
  if (original !== undefined) return original
  return pngOf(await pixelsOf(image, context), context, isFlattened ? background : undefined)
}

/** An image for models that only look at it: no larger than the model can use, and compressed. */
export async function requestView(picture: ImageValue, context: ImageContext): Promise<RequestImage> {
  const side = limits.modelInputSidePixelsMax
  const fits = Math.max(picture.width, picture.height) <= side
  const original = fits ? await ownBytes(picture, context) : undefined
  if (original !== undefined) return original
  const pixels = fits
    ? await pixelsOf(picture, context)
    : await thumbnailOf(picture, { width: side, height: side, fit: 'inside' }, context)
  if (pixels.channels === 4) return pngOf(pixels, context)
  const { width, height } = pixels
  const image = (await sharpOf(pixels)).jpeg({ quality: 90 })
  return { bytes: await encoded(image, context), mediaType: 'image/jpeg', width, height }
}

/** Encodes images in sequence: the pixels of each are in memory only while it is encoded. */
export async function requestImages(pictures: readonly ImageValue[], context: ImageContext): Promise<RequestImage[]> {
  const images: RequestImage[] = []
  for (const image of pictures) images.push(await requestImage(image, context))
  return images
}

export async function requestViews(pictures: readonly ImageValue[], context: ImageContext): Promise<RequestImage[]> {
  const images: RequestImage[] = []
  for (const image of pictures) images.push(await requestView(image, context))
  return images
}

export async function pngOf(pixels: Pixels, context: ImageContext, background?: string): Promise<RequestImage> {
  const { width, height } = pixels
  const image = (await sharpOf(pixels)).png()
  if (background !== undefined) image.flatten({ background: parseColor(background) })
  return { bytes: await encoded(image, context), mediaType: 'image/png', width, height }
}

type Encodable = Awaited<ReturnType<typeof sharpOf>>

export function encoded(image: Encodable, context: ImageContext): Promise<Buffer> {
  return runSharp(context, () => image.timeout({ seconds: timeoutSeconds(context) }).toBuffer())
}

const mediaTypes: Partial<Record<ImageValue['format'], RequestImage['mediaType']>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
}

async function ownBytes(image: ImageValue, context: ImageContext): Promise<RequestImage | undefined> {
  const { encoded: bytes, format, isRgb8, animation, metadata = {}, width, height } = image
  const mediaType = mediaTypes[format]
  if (bytes === undefined || mediaType === undefined || isRgb8 !== true || animation !== undefined) return undefined
  if (metadata.icc !== undefined && !isSrgb(metadata.icc)) return undefined
  if (metadata.exif === undefined && metadata.xmp === undefined && metadata.iptc === undefined) {
    return { bytes, mediaType, width, height }
  }
  // Removes private data such as location and author. PNG and WebP are encoded again without loss.
  if (format !== 'jpeg' || (await runSharp(context, () => orientationOf(bytes))) !== 1) return undefined
  const bare = bareJpeg(bytes)
  return bare && { bytes: bare, mediaType, width, height }
}

/** Whether a profile is sRGB, by the name inside the profile, in 8 or 16 bits per character. */
function isSrgb(icc: Buffer): boolean {
  return icc.includes('sRGB') || icc.includes(Buffer.from('\0s\0R\0G\0B', 'latin1'))
}

/** A JPEG without EXIF, XMP, IPTC, comments and further images; pixels and profile do not change. */
const { scan, app1, app2, app13, comment } = jpegMarkers
const telling = new Set([app1, app13, comment])

/** Undefined if its segments are inconsistent. */
function bareJpeg(bytes: Buffer): Buffer | undefined {
  const kept = [bytes.subarray(0, 2)]
  for (const { marker, start, end, data } of jpegSegments(bytes)) {
    const isIndex = marker === app2 && data.toString('latin1', 0, 4) === 'MPF\0'
    if (!telling.has(marker) && !isIndex) kept.push(bytes.subarray(start, end))
    if (marker === scan) return Buffer.concat(kept)
  }
  return undefined
}
