/** The one encode at the end of an execution: sRGB, 8 bits, no metadata. */
import { setImmediate } from 'node:timers/promises'
import type { OutputFormat } from '../../domain/workflow.ts'
import { failure } from '../../errors.ts'
import type { Picture, Pixels } from '../define.ts'
import { type ImageContext, pixelsOf, runSharp, sharpOf, timeoutSeconds } from './picture.ts'
import type { Sharp } from './sharp.ts'
import { checkAvif } from './size.ts'

export interface EncodeSettings {
  /** Default: `png` if a pixel is transparent, else `jpeg`. */
  format?: OutputFormat | undefined
  /** 1 to 100, of jpeg, webp and avif. Default 80, avif 50. */
  quality?: number | undefined
}

export interface Encoded {
  bytes: Buffer
  format: OutputFormat
  width: number
  height: number
}

export async function encode(picture: Picture, settings: EncodeSettings, context: ImageContext): Promise<Encoded> {
  const pixels = await pixelsOf(picture, context)
  const { width, height } = pixels
  const transparent = await isTransparent(pixels)
  const format = settings.format ?? (transparent ? 'png' : 'jpeg')
  const sideMax = sidesMax[format]
  if (Math.max(width, height) > sideMax) {
    throw failure(
      'limit_exceeded',
      `A ${format} has at most ${sideMax} pixels a side; the picture is ${width} x ${height}. Choose another format.`,
    )
  }
  checkAvif(format, width, height)
  const source = await sharpOf(pixels)
  // What holds no alpha gets white where nothing is; an alpha channel that hides nothing is left out.
  if (pixels.channels === 4 && !(transparent && keepsAlpha(format))) {
    if (transparent) source.flatten({ background: '#fff' })
    else source.removeAlpha()
  }
  const image = encoders[format](source, settings.quality)
  const bytes = await runSharp(context, () => image.timeout({ seconds: timeoutSeconds(context) }).toBuffer())
  return { bytes, format, width, height }
}

/** Settings were measured on photographs: past these, little is gained for much time. */
const encoders: Record<OutputFormat, (image: Sharp, quality: number | undefined) => Sharp> = {
  png: (image) => image.png({ compressionLevel: 6 }),
  jpeg: (image, quality = 80) => image.jpeg({ quality }),
  webp: (image, quality = 80) => image.webp({ quality, effort: 2 }),
  // Effort 4, sharp's default, takes 28 times as long for a quarter fewer bytes, and nothing stops it once it runs.
  avif: (image, quality = 50) => image.avif({ quality, effort: 0 }),
  gif: (image) => image.gif({ effort: 1 }),
  tiff: (image) => image.tiff({ compression: 'lzw', predictor: 'horizontal' }),
}

const sidesMax: Record<OutputFormat, number> = {
  png: 65_535,
  jpeg: 65_500,
  webp: 16_383,
  avif: 16_384,
  gif: 65_535,
  tiff: 65_535,
}

function keepsAlpha(format: OutputFormat): boolean {
  return format !== 'jpeg'
}

const pixelsAtOnce = 4_000_000

/** Whether any pixel lets something through. Looks in pieces, so that a large picture does not hold up others. */
export async function isTransparent({ data, channels }: Pixels): Promise<boolean> {
  if (channels === 3) return false
  for (let start = 0; start < data.length; start += pixelsAtOnce * 4) {
    if (start > 0) await setImmediate()
    const end = Math.min(data.length, start + pixelsAtOnce * 4)
    for (let at = start + 3; at < end; at += 4) if (data[at] !== 255) return true
  }
  return false
}
