/** Chooses format and quality of an output by its content, for `format: auto` and `quality: auto`. */
import type { OutputEncoding, OutputFormat } from '../../../domain/workflows/output.ts'
import type { ImageValue, Pixels } from '../../types.ts'
import { isTransparent } from '../channels.ts'
import { type ImageContext, imageFromBytes, pixelsOf, sharpOf, toPixels } from '../image.ts'
import { blockSimilarity } from '../measure/block-ssim.ts'
import { isFlat } from '../measure/is-flat.ts'
import { type Encoded, encode } from './encode.ts'

/** Settings for `quality: auto`. */
export const autoQuality = {
  /** The structural similarity (SSIM) to reach in the tenth of the image with the most visible differences. */
  similarity: 0.86,
  encodesMax: 3,
}

/** Like `encode`, for settings whose values may be `auto`. */
export async function encodeAuto(
  image: ImageValue,
  { format, quality, ...settings }: OutputEncoding,
  context: ImageContext,
): Promise<Encoded> {
  const chosen = format === 'auto' ? await formatFor(image, context) : format
  const fixed = { ...settings, ...(chosen && { format: chosen }) }
  if (quality !== 'auto') return encode(image, { ...fixed, ...(quality !== undefined && { quality }) }, context)
  if (settings.lossless) return encode(image, fixed, context)

  const { animation, ...still } = image
  const { maxBytes, ...unbounded } = fixed
  // Decoded once for all attempts. Of an animation, the first frame decides.
  const pixels = await pixelsOf(image, context)
  const best = await bestQuality(
    (level) => encode({ ...still, pixels }, { ...unbounded, quality: level }, context),
    (encoded) => visibleSimilarity(pixels, encoded, context),
    chosen,
  )
  if (animation === undefined && (maxBytes === undefined || best.encoded.bytes.length <= maxBytes)) return best.encoded
  return encode(image, { ...fixed, quality: best.quality }, context)
}

/** Transparent photos would be several times as large as PNG. Every program reads PNG and JPEG, so they are preferred. */
async function formatFor(image: ImageValue, context: ImageContext): Promise<OutputFormat> {
  if (image.animation) return 'webp'
  const pixels = await pixelsOf(image, context)
  if (await isFlat(pixels, context)) return 'png'
  return isTransparent(pixels) ? 'webp' : 'jpeg'
}

async function visibleSimilarity(pixels: Pixels, { bytes, format }: Encoded, context: ImageContext): Promise<number> {
  const isFlattened = format === 'jpeg' && pixels.channels === 4
  const expected = isFlattened
    ? await toPixels(context, (await sharpOf(pixels)).flatten({ background: '#fff' }))
    : pixels
  const encoded = await pixelsOf(await imageFromBytes(bytes, context), context)
  return (await blockSimilarity(expected, encoded, context)).worst
}

interface Scale {
  /** Quality of the first encode: most photos need a similar one. */
  first: number
  lowest: number
  highest: number
  /** Change of `nearness` for each level. */
  slope: number
}

/** Measured on eight photos of 0.1 to 1 megapixels and three cards. */
const scales: Partial<Record<OutputFormat, Scale>> = {
  jpeg: { first: 66, lowest: 35, highest: 95, slope: 0.026 },
  webp: { first: 70, lowest: 35, highest: 95, slope: 0.03 },
  avif: { first: 53, lowest: 25, highest: 85, slope: 0.05 },
}

/** Nearly linear in the quality of each format. */
const nearness = (similarity: number) => -Math.log(Math.max(1e-6, 1 - similarity))

const wanted = nearness(autoQuality.similarity)
/** A file this close above the target is not made smaller: another encode would save 2 % or less. */
const closeEnough = 0.08

const levelsReserved = 3

interface Attempt {
  quality: number
  encoded: Encoded
  near: number
}

/**
 * The smallest file that reaches the target, in at most three encodes; otherwise the most similar one. `format`: if it is known; the
 * encoder chooses between JPEG and PNG otherwise.
 */
export async function bestQuality(
  encodeAt: (quality: number) => Promise<Encoded>,
  similarityOf: (encoded: Encoded) => Promise<number>,
  format: OutputFormat = 'jpeg',
): Promise<Pick<Attempt, 'quality' | 'encoded'>> {
  const attempts: Attempt[] = []
  // Lossless formats ignore it.
  let quality = scales[format]?.first ?? 80
  while (attempts.length < autoQuality.encodesMax) {
    const encoded = await encodeAt(quality)
    const scale = scales[encoded.format]
    // Lossless.
    if (scale === undefined) return { quality, encoded }
    attempts.push({ quality, encoded, near: nearness(await similarityOf(encoded)) })
    const next = nextQuality(attempts, scale)
    if (next === undefined || attempts.some((attempt) => attempt.quality === next)) break
    quality = next
  }
  const reached = attempts.filter(({ near }) => near >= wanted)
  const [best] = reached.length > 0 ? reached.sort(bySize) : attempts.sort((a, b) => b.near - a.near)
  if (best === undefined) throw new Error('no attempt was made')
  return best
}

function bySize(a: Attempt, b: Attempt): number {
  return a.encoded.bytes.length - b.encoded.bytes.length
}

/** Undefined if the last attempt is close enough. */
function nextQuality(attempts: readonly Attempt[], { lowest, highest, slope }: Scale): number | undefined {
  const last = attempts.at(-1)
  if (last === undefined || (last.near >= wanted && last.near < wanted + closeEnough)) return undefined
  const [below, above] = [
    attempts.filter(({ near }) => near < wanted).sort((a, b) => b.near - a.near)[0],
    attempts.filter(({ near }) => near >= wanted).sort((a, b) => a.near - b.near)[0],
  ]
  // Between two attempts, the straight line; otherwise the usual slope.
  const rise = below && above ? (above.near - below.near) / (above.quality - below.quality) : slope
  const from = below && above ? below : last
  // The third attempt is the last one, so it must reach the target.
  const isLast = attempts.length === autoQuality.encodesMax - 1
  const reserve = !isLast ? 0 : below && above ? (above.quality - below.quality) / 4 : below ? levelsReserved : 0
  const guess = from.quality + (wanted + closeEnough / 2 - from.near) / rise + reserve
  return Math.round(Math.min(highest, Math.max(lowest, guess)))
}
