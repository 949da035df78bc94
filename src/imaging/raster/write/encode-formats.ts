/** The meaning of each output option in each format. `domain/workflows/output.ts` defines which format has which options. */
import type { Effort, EncodeSettings, OutputFormat } from '../../../domain/workflows/output.ts'
import type { Sharp } from '../sharp.ts'

export interface FormatRow {
  sideMax: number
  keepsAlpha: boolean
  /** Variants to encode with these settings; the smallest file wins. */
  ways(settings: EncodeSettings): ((image: Sharp) => Sharp)[]
  /** How to meet `maxBytes`. Formats without it do not have the option. */
  toFit?(settings: EncodeSettings): FitPlan
}

export interface FitPlan {
  /** Lossless variants, tried first in this order. */
  whole: EncodeSettings[]
  /** Scale of which the best level from 1 to `highest` that fits is used. */
  scale?: Scale
}

export interface Scale {
  /** Name of the level in messages. */
  name: string
  highest: number
  way(level: number): (image: Sharp) => Sharp
  /** Relative file sizes at each tenth of the scale, as measured; they only reduce the number of attempts. */
  growth?: number[]
}

/** Efforts above medium take much longer for little gain; measured on photographs. */
export const formatRows: Record<OutputFormat, FormatRow> = {
  png: {
    sideMax: 65_535,
    keepsAlpha: true,
    ways: (settings) => pngWays(settings),
    toFit: (settings) => ({
      whole: settings.lossless === false ? [] : [settings, { ...settings, effort: 'high' }],
      ...(settings.lossless === true
        ? {}
        : {
            scale: { name: 'quality', highest: settings.quality ?? 100, way: (quality) => palette(settings, quality) },
          }),
    }),
  },
  jpeg: {
    sideMax: 65_500,
    keepsAlpha: false,
    ways: (settings) => [jpeg(settings, settings.quality ?? 80)],
    toFit: (settings) => byQuality(settings, (quality) => jpeg(settings, quality), growth.jpeg),
  },
  webp: {
    sideMax: 16_383,
    keepsAlpha: true,
    ways: (settings) => [webp(settings, settings.quality ?? 80)],
    toFit: (settings) => byQuality(settings, (quality) => webp(settings, quality), growth.webp),
  },
  avif: {
    sideMax: 16_384,
    keepsAlpha: true,
    ways: (settings) => [avif(settings, settings.quality ?? 50)],
    toFit: (settings) => byQuality(settings, (quality) => avif(settings, quality), growth.avif),
  },
  gif: {
    sideMax: 65_535,
    keepsAlpha: true,
    ways: (settings) => [gif(settings, 8)],
    toFit: (settings) => ({
      whole: [],
      scale: { name: 'bits of colour', highest: 8, way: (bits) => gif(settings, bits) },
    }),
  },
  tiff: {
    sideMax: 65_535,
    keepsAlpha: true,
    ways: ({ effort = 'medium' }) => [
      (image) => image.tiff({ compression: tiffCompressions[effort], predictor: 'horizontal' }),
    ],
  },
}

function pngWays({
  effort = 'medium',
  lossless = true,
  quality = 80,
  ...rest
}: EncodeSettings): ((image: Sharp) => Sharp)[] {
  if (!lossless) return [palette({ effort, ...rest }, quality)]
  const { progressive = false } = rest
  const way = (compressionLevel: number, adaptiveFiltering: boolean) => (image: Sharp) =>
    image.png({ compressionLevel, adaptiveFiltering, progressive })
  // Adaptive filters halve the size of photographs and increase that of flat graphics, so both are tried.
  return effort === 'high' ? [way(6, true), way(9, false)] : [way(effort === 'low' ? 1 : 6, false)]
}

/** 256 colours with error diffusion; fewer if they reach the quality. */
function palette({ effort = 'medium', progressive = false }: EncodeSettings, quality: number) {
  return (image: Sharp) =>
    image.png({ palette: true, quality, effort: pick(effort, 1, 1, 7), compressionLevel: 9, progressive })
}

function jpeg(
  { effort = 'medium', chroma = '4:2:0', progressive = effort === 'high' }: EncodeSettings,
  quality: number,
) {
  const common = { quality, chromaSubsampling: chroma, progressive }
  return (image: Sharp) =>
    effort === 'high'
      ? image.jpeg({ ...common, ...mozjpeg, optimiseScans: progressive })
      : image.jpeg({ ...common, optimiseCoding: effort === 'medium' })
}

/** The options of sharp's `mozjpeg`, without progressive. */
const mozjpeg = { trellisQuantisation: true, overshootDeringing: true, quantisationTable: 3 }

function webp({ effort = 'medium', lossless = false }: EncodeSettings, quality: number) {
  return (image: Sharp) => image.webp({ quality, lossless, effort: pick(effort, 0, 2, 4) })
}

/**
 * Effort 4, the default of sharp, takes 28 times as long as 0 for files that are a quarter smaller, and cannot be
 * interrupted.
 */
function avif({ effort = 'medium', lossless = false, chroma = '4:4:4' }: EncodeSettings, quality: number) {
  return (image: Sharp) => image.avif({ quality, lossless, chromaSubsampling: chroma, effort: pick(effort, 0, 0, 3) })
}

function gif({ effort = 'medium', progressive = false }: EncodeSettings, bits: number) {
  return (image: Sharp) => image.gif({ colours: 2 ** bits, progressive, effort: pick(effort, 1, 1, 7) })
}

const tiffCompressions = { low: 'none', medium: 'lzw', high: 'deflate' } as const

function byQuality(
  settings: EncodeSettings,
  way: (quality: number) => (image: Sharp) => Sharp,
  measured: number[],
): FitPlan {
  if (settings.lossless) return { whole: [settings] }
  return { whole: [], scale: { name: 'quality', highest: settings.quality ?? 100, way, growth: measured } }
}

function pick(effort: Effort, low: number, medium: number, high: number): number {
  return { low, medium, high }[effort]
}

/** File sizes at quality 0, 10, ..., 100 relative to 80: the mean of two photographs of 1.4 megapixels. */
const growth = {
  jpeg: [0.07, 0.2, 0.32, 0.42, 0.5, 0.58, 0.67, 0.79, 1, 1.45, 4.1],
  webp: [0.21, 0.33, 0.41, 0.49, 0.56, 0.63, 0.7, 0.79, 1, 1.62, 4.3],
  avif: [0.07, 0.11, 0.15, 0.21, 0.3, 0.43, 0.6, 0.77, 1, 1.45, 7],
}
