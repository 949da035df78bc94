/** Pictures as they are handed to AI models: upright, sRGB of 8 bits, without what the file said besides its pixels. */
import type { RequestImage } from '../../../domain/model.ts'
import { limits } from '../../../limits.ts'
import type { ImageValue, Pixels } from '../../types.ts'
import { parseColor } from '../color.ts'
import { type ImageContext, pixelsOf, runSharp, sharpOf, timeoutSeconds } from '../image.ts'
import { thumbnailOf } from '../measure/thumbnail.ts'
import { loadSharp } from '../sharp.ts'
import { bareJpeg } from './bare-jpeg.ts'

/**
 * The bytes as they came where they need no conversion, so that nothing is lost; else a PNG. Of an animation the first
 * frame. `background`: what is seen through it.
 */
export async function requestImage(
  picture: ImageValue,
  context: ImageContext,
  { background }: { background?: string } = {},
): Promise<RequestImage> {
  const isFlattened = background !== undefined && picture.hasAlpha
  const own = isFlattened ? undefined : await ownBytes(picture, context)
  if (own !== undefined) return own
  return pngOf(await pixelsOf(picture, context), context, isFlattened ? background : undefined)
}

/** For a model that only looks: no larger than it can see, and small. */
export async function requestView(picture: ImageValue, context: ImageContext): Promise<RequestImage> {
  const side = limits.modelInputSidePixelsMax
  const fits = Math.max(picture.width, picture.height) <= side
  const own = fits ? await ownBytes(picture, context) : undefined
  if (own !== undefined) return own
  const pixels = fits
    ? await pixelsOf(picture, context)
    : await thumbnailOf(picture, { width: side, height: side, fit: 'inside' }, context)
  if (pixels.channels === 4) return pngOf(pixels, context)
  const { width, height } = pixels
  const image = (await sharpOf(pixels)).jpeg({ quality: 90 })
  return { bytes: await encoded(image, context), mediaType: 'image/jpeg', width, height }
}

/** One after the other: each holds its pixels only while it is encoded. */
export async function requestImages(pictures: readonly ImageValue[], context: ImageContext): Promise<RequestImage[]> {
  const images: RequestImage[] = []
  for (const picture of pictures) images.push(await requestImage(picture, context))
  return images
}

export async function requestViews(pictures: readonly ImageValue[], context: ImageContext): Promise<RequestImage[]> {
  const images: RequestImage[] = []
  for (const picture of pictures) images.push(await requestView(picture, context))
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

async function ownBytes(picture: ImageValue, context: ImageContext): Promise<RequestImage | undefined> {
  const { encoded: bytes, format, isRgb8, animation, metadata = {}, width, height } = picture
  const mediaType = mediaTypes[format]
  if (bytes === undefined || mediaType === undefined || isRgb8 !== true || animation !== undefined) return undefined
  if (metadata.icc !== undefined && !isSrgb(metadata.icc)) return undefined
  if (metadata.exif === undefined && metadata.xmp === undefined && metadata.iptc === undefined) {
    return { bytes, mediaType, width, height }
  }
  // Where a photograph was taken, and by whom, is nobody's business. A PNG or a WebP is made anew without loss.
  if (format !== 'jpeg' || (await orientationOf(bytes, context)) !== 1) return undefined
  const bare = bareJpeg(bytes)
  return bare && { bytes: bare, mediaType, width, height }
}

async function orientationOf(bytes: Buffer, context: ImageContext): Promise<number> {
  const sharp = await loadSharp()
  const { orientation = 1 } = await runSharp(context, () => sharp(bytes).metadata())
  return orientation
}

/** By the name that the profile gives itself, in 8 or in 16 bits a character. */
function isSrgb(icc: Buffer): boolean {
  return icc.includes('sRGB') || icc.includes(Buffer.from('\0s\0R\0G\0B', 'latin1'))
}
