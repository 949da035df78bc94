/** Thumbnails for viewing, and other sizes and formats of a file. */

import type { RenderedImage, Rendition } from '../../../domain/images/rendition.ts'
import type { OutputFormat } from '../../../domain/workflows/output.ts'
import { limits } from '../../../limits.ts'
import type { ImageValue } from '../../types.ts'
import {
  decoderBytesOf,
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
import { formatRows } from './encode-formats.ts'
import { encodingBytes } from './encoding-bytes.ts'

/** Low effort: thumbnails are viewed once or twice, and more effort takes twice as long for files that are a quarter smaller. */
export const thumbnailRendition: Rendition = {
  width: limits.previewSidePixels,
  height: limits.previewSidePixels,
  fit: 'inside',
  format: 'webp',
  quality: 75,
  effort: 'low',
}

/** The first frame, as WebP with the mark of its origin. Smaller images keep their size. */
export function shrink(picture: ImageValue, context: ImageContext): Promise<RenderedImage> {
  return render(picture, thumbnailRendition, context)
}

/** The first frame in another size and format, with the mark of its origin. One call of sharp, from the bytes if they are not decoded yet. */
export async function render(
  picture: ImageValue,
  { width, height, fit, format: wanted, ...settings }: Rendition,
  context: ImageContext,
): Promise<RenderedImage> {
  const format: OutputFormat = wanted === 'default' ? (picture.hasAlpha ? 'png' : 'jpeg') : wanted
  const { keepsAlpha, ways } = formatRows[format]
  const source = await sourceOf(picture, context)
  const decoderBytes = decoderBytesOf(source)
  if (width !== undefined || height !== undefined)
    source.resize({ width, height, fit, withoutEnlargement: true, background: 'transparent' })
  if (!keepsAlpha) source.flatten({ background: '#fff' })
  const [encode] = ways(settings)
  const image = encode?.(source) ?? source
  image.timeout({ seconds: timeoutSeconds(context) })
  if (picture.origin) image.withXmp(markedXmp(undefined, picture.origin))
  const pixels = (width ?? picture.width) * (height ?? picture.height)
  const memoryBytes = decoderBytes + pixels * encodingBytes(format, settings, picture.hasAlpha)
  const { data, info } = await runSharp(context, () => image.toBuffer({ resolveWithObject: true }), memoryBytes)
  return { bytes: data, format, width: info.width, height: info.height }
}

/**
 * The image in a file, to render it. Drawings are drawn at the size of the rendition: their own size may need gigabytes. `size`: of the file, in
 * pixels.
 */
export async function imageToRender(
  bytes: Buffer,
  size: { width: number; height: number },
  rendition: Rendition,
  context: ImageContext,
): Promise<ImageValue> {
  const format = sniff(bytes)
  if (format === undefined || !isDrawing(format)) return imageFromBytes(bytes, context)
  const drawn = drawnSize(size, rendition)
  const drawing: ImageValue = { ...drawn, hasAlpha: false, format, encoded: bytes }
  return imageFromPixels(await renderAgain(drawing, drawn, context))
}

/** The size of the entire drawing, so that the rendition needs no enlargement. */
function drawnSize(natural: { width: number; height: number }, { width, height, fit }: Rendition) {
  const scales = [
    width === undefined ? [] : [width / natural.width],
    height === undefined ? [] : [height / natural.height],
  ].flat()
  if (scales.length === 0) return natural
  const scale = fit === 'inside' || fit === 'contain' ? Math.min(...scales) : Math.max(...scales)
  return {
    width: Math.max(1, Math.round(natural.width * scale)),
    height: Math.max(1, Math.round(natural.height * scale)),
  }
}

/** Bytes that are not decoded yet are decoded only as far as needed. */
async function sourceOf(image: ImageValue, context: ImageContext): Promise<Sharp> {
  const { pixels, encoded, format } = image
  if (pixels === undefined && encoded !== undefined && !isDrawing(format)) return sharpOfSource(image, context)
  return sharpOf(pixels ?? (await pixelsOf(image, context)))
}
