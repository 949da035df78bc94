/** Thumbnails for viewing. */
import { limits } from '../../../limits.ts'
import type { ImageValue } from '../../types.ts'
import {
  type ImageContext,
  imageFromBytes,
  imageFromPixels,
  pixelsOf,
  runSharp,
  sharpOf,
  sharpOfSource,
  timeoutSeconds,
} from '../image.ts'
import { isDrawing, renderAgain } from '../read/drawn.ts'
import { sniff } from '../read/sniff.ts'
import type { Sharp } from '../sharp.ts'
import { markedXmp } from '../xmp.ts'

const quality = 75
/** 0 to 6: thumbnails are viewed once or twice, and 4 takes twice as long for files that are a quarter smaller. */
const effort = 0

export interface Thumbnail {
  /** WebP. */
  bytes: Buffer
  width: number
  height: number
}

/** The first frame, as WebP with the mark of its origin. Smaller images keep their size. */
export async function shrink(picture: ImageValue, context: ImageContext): Promise<Thumbnail> {
  const side = limits.previewSidePixels
  const source = await sourceOf(picture, context)
  const image = source
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .webp({ quality, effort })
    .timeout({ seconds: timeoutSeconds(context) })
  if (picture.origin) image.withXmp(markedXmp(undefined, picture.origin))
  const { data, info } = await runSharp(context, () => image.toBuffer({ resolveWithObject: true }), image)
  return { bytes: data, width: info.width, height: info.height }
}

/** The image in a file, to shrink it. Drawings are rendered at the size of a thumbnail: their own size may need gigabytes. */
export async function imageToShrink(bytes: Buffer, context: ImageContext): Promise<ImageValue> {
  const format = sniff(bytes)
  if (format === undefined || !isDrawing(format)) return imageFromBytes(bytes, context)
  const side = limits.previewSidePixels
  const drawing: ImageValue = { width: side, height: side, hasAlpha: false, format, encoded: bytes }
  return imageFromPixels(await renderAgain(drawing, { width: side, height: side }, context))
}

/** Bytes that are not decoded yet are decoded only as far as needed. */
async function sourceOf(image: ImageValue, context: ImageContext): Promise<Sharp> {
  const { pixels, encoded, format } = image
  if (pixels === undefined && encoded !== undefined && !isDrawing(format)) return sharpOfSource(image, context)
  return sharpOf(pixels ?? (await pixelsOf(image, context)))
}
