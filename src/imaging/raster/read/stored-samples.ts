/** Samples of a file that aren't straight sRGB, by a declaration other than a profile, which libvips applies: read, and converted. */
import type { ImageFormat } from '../../../domain/images/image.ts'
import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import { fromLight } from '../tone/srgb.ts'
import { avifFacts } from './avif-boxes.ts'
import {
  bt709,
  bt2020,
  colorByCodePoints,
  type DeclaredColor,
  type Primaries,
  power,
  television,
  unlessSrgb,
} from './code-points.ts'
import { isUsable, type Matrix, matrixBetween } from './color-matrix.ts'
import { isHdr, lightOf, toneMap } from './hdr.ts'
import { chunksOf } from './png-chunks.ts'

export interface StoredSamples {
  /** Undefined for sRGB, and for the colours of a profile. */
  color?: DeclaredColor | undefined
  /** Whether the file has a profile that another declaration goes before. */
  ignoresProfile?: boolean
  /** Whether black is 16 and white 235, of 255, and the decoder doesn't expand them. */
  isLimited?: boolean
  isPremultiplied?: boolean
}

/** Undefined if the decoder returns straight sRGB, or has a profile to convert with. */
export function storedSamples(format: ImageFormat | 'raw', bytes: Buffer): StoredSamples | undefined {
  const samples = format === 'png' ? samplesOfPng(bytes) : format === 'avif' ? samplesOfAvif(bytes) : {}
  const { color, ignoresProfile, isLimited, isPremultiplied } = samples
  return color || ignoresProfile || isLimited || isPremultiplied ? samples : undefined
}

/** A warning for the caller; undefined for a file that isn't HDR. */
export function hdrWarning({ color }: StoredSamples): string | undefined {
  if (!color || !isHdr(color.transfer)) return undefined
  return `The image is HDR (${color.transfer === 'pq' ? 'PQ' : 'HLG'}): its light was mapped to the range of sRGB. Export it as SDR to choose its look.`
}

function samplesOfAvif(avif: Buffer): StoredSamples {
  const { nclx, hasProfile, isMonochrome, isPremultiplied } = avifFacts(avif) ?? {}
  return {
    // Browsers show the curve of a camera as sRGB: files of photos have it more often by mistake than by intent.
    ...(nclx && !hasProfile && { color: colorByCodePoints(nclx, 'srgb') }),
    // libheif expands the range only while it converts from YCbCr.
    isLimited: isMonochrome === true && nclx?.isFullRange === false,
    isPremultiplied: isPremultiplied === true,
  }
}

/** W3C PNG, third edition, 4.3: `cICP` goes before `iCCP`, that before `sRGB`, and that before `cHRM` and `gAMA`. */
function samplesOfPng(png: Buffer): StoredSamples {
  const chunks = colorChunks(png)
  const [cicp, chrm, gama] = [chunks.get('cICP'), chunks.get('cHRM'), chunks.get('gAMA')]
  const [primaries = unspecified, transfer = unspecified, matrix, range] = cicp ?? []
  // RGB has no matrix: 0.
  if (matrix === 0 && (primaries !== unspecified || transfer !== unspecified)) {
    const color = colorByCodePoints({ primaries, transfer }, television)
    return { color, ignoresProfile: chunks.has('iCCP'), isLimited: range === 0 }
  }
  if (chunks.has('iCCP') || chunks.has('sRGB') || gama?.length !== 4) return {}
  const gamma = gama.readUInt32BE(0)
  if (gamma === 0) return {}
  const drawn = { primaries: chrm?.length === 32 ? primariesOf(chrm) : bt709, transfer: power(100_000 / gamma) }
  const isSrgb = Math.abs(gamma - srgbGamma) < 50 && unlessSrgb({ ...drawn, transfer: 'srgb' }) === undefined
  return { color: isSrgb ? undefined : drawn }
}

/** H.273. */
const unspecified = 2

/** The curve of sRGB can't be stored in `gAMA`, so programs store this value for it. */
const srgbGamma = 45_455

function primariesOf(chrm: Buffer): Primaries {
  const primaries = Array.from({ length: 8 }, (_, at) => chrm.readUInt32BE(at * 4) / 100_000) as unknown as Primaries
  return isUsable(primaries) ? primaries : bt709
}

const colorTypes = new Set(['cICP', 'iCCP', 'sRGB', 'cHRM', 'gAMA'])

/** They are before the image data. The decoder reports damage. */
function colorChunks(png: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>()
  try {
    for (const { type, data } of chunksOf(png)) {
      if (colorTypes.has(type) && !found.has(type)) found.set(type, data)
      if (type === 'IDAT') break
    }
  } catch {}
  return found
}

/** Samples of 8 or 16 bits; `max` is the one of white. Three or four channels. */
export interface Stored extends Omit<Pixels, 'data'> {
  data: Uint8Array | Uint16Array
  max: number
}

/** Straight sRGB of 8 bits. */
export async function toSrgb(
  stored: Stored,
  samples: StoredSamples,
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const { data: from, width, height, channels, max } = stored
  const { color, isLimited = false, isPremultiplied = false } = samples
  const value = valuesOf(max, isLimited)
  const convert = color ? converter(color, value) : copier(value)
  const data = Buffer.allocUnsafe(width * height * channels)
  await eachRow(stored, context, (y) => {
    const end = (y + 1) * width * channels
    for (let at = y * width * channels; at < end; at += channels) {
      let [r, g, b] = [from[at] as number, from[at + 1] as number, from[at + 2] as number]
      if (channels === 4) {
        const alpha = from[at + 3] as number
        data[at + 3] = Math.round((alpha * 255) / max)
        if (isPremultiplied) {
          r = straight(r, alpha, max)
          g = straight(g, alpha, max)
          b = straight(b, alpha, max)
        }
      }
      convert(Math.min(r, max), Math.min(g, max), Math.min(b, max), data, at)
    }
  })
  return { data, width, height, channels }
}

function straight(sample: number, alpha: number, max: number): number {
  return alpha === 0 ? 0 : Math.min(max, Math.round((sample * max) / alpha))
}

/** The value from 0 to 1 of each sample. */
function valuesOf(max: number, isLimited: boolean): Float32Array {
  return Float32Array.from({ length: max + 1 }, (_, sample) => {
    const value = sample / max
    return isLimited ? clamped((value * 255 - 16) / 219) : value
  })
}

type Convert = (r: number, g: number, b: number, to: Buffer, at: number) => void

function copier(values: Float32Array): Convert {
  const bytes = Uint8Array.from(values, (value) => Math.round(value * 255))
  return (r, g, b, to, at) => {
    to[at] = bytes[r] as number
    to[at + 1] = bytes[g] as number
    to[at + 2] = bytes[b] as number
  }
}

function converter({ primaries, transfer }: DeclaredColor, values: Float32Array): Convert {
  const light = values.map(lightOf(transfer))
  const store = storer(matrixBetween(isHdr(transfer) ? bt2020 : primaries, bt709))
  if (!isHdr(transfer)) {
    return (r, g, b, to, at) => store(light[r] as number, light[g] as number, light[b] as number, to, at)
  }
  const map = toneMap(transfer, matrixBetween(primaries, bt2020))
  const mapped = new Float64Array(3)
  return (r, g, b, to, at) => {
    map(light[r] as number, light[g] as number, light[b] as number, mapped)
    store(mapped[0] as number, mapped[1] as number, mapped[2] as number, to, at)
  }
}

/** Small enough that next values of dark light are stored as the same byte. */
const lightSteps = 16_383
const bytesOfLight = Uint8Array.from({ length: lightSteps + 1 }, (_, step) =>
  Math.round(fromLight(step / lightSteps) * 255),
)

function storer([a, b, c, d, e, f, g, h, i]: Matrix): Convert {
  const stored = (light: number) => bytesOfLight[Math.round(clamped(light) * lightSteps)] as number
  return (red, green, blue, to, at) => {
    to[at] = stored(a * red + b * green + c * blue)
    to[at + 1] = stored(d * red + e * green + f * blue)
    to[at + 2] = stored(g * red + h * green + i * blue)
  }
}

function clamped(value: number): number {
  return value < 0 ? 0 : Math.min(value, 1)
}
