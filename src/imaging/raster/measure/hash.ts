/** Perceptual hashes of images: similar for images that look similar. */
import type { ImageValue } from '../../types.ts'
import type { ImageContext } from '../image.ts'
import { lumaOf } from './luma-plane.ts'
import { thumbnailOf } from './thumbnail.ts'

/**
 * The DCT hash of pHash (Zauner, Implementation and benchmarking of perceptual image hash functions, 2010): the
 * discrete cosine transform of luma at 32 x 32 pixels, and for each of the 8 x 8 lowest frequencies after the
 * constant ones a 1 if it is above their median. 64 bits in row order, the first is the highest.
 */
export async function dctHash(image: ImageValue, background: string, context: ImageContext): Promise<bigint> {
  const rows = await lumaRows(image, { width: side, height: side, background }, context)
  const across = rows.map(lowFrequencies)
  const lowest = wanted.flatMap((_, v) => lowFrequencies(across.map((row) => row[v] ?? 0)))
  // The transform has frequencies in columns. Either order is a valid hash; pHash reads rows.
  const inRows = lowest.map((_, at) => withoutDust(lowest[(at % 8) * 8 + Math.floor(at / 8)] ?? 0))
  const sorted = inRows.toSorted((a, b) => a - b)
  const median = ((sorted[31] ?? 0) + (sorted[32] ?? 0)) / 2
  return bitsOf(inRows.map((value) => value > median))
}

/**
 * The difference hash (Krawetz, Kind of like that, 2013): luma at 9 x 8 pixels, and a 1 if it increases to the next
 * pixel of the row.
 */
export async function differenceHash(image: ImageValue, background: string, context: ImageContext): Promise<bigint> {
  const rows = await lumaRows(image, { width: 9, height: 8, background }, context)
  return bitsOf(rows.flatMap((row) => Array.from(row.slice(1), (value, x) => value > (row[x] ?? 0))))
}

/** The bits as 16 hexadecimal digits. */
export function hex64(bits: bigint): string {
  return bits.toString(16).padStart(16, '0')
}

/** The number of bits that differ, out of 64. */
export function hammingDistance(a: bigint, b: bigint): number {
  return (a ^ b).toString(2).replaceAll('0', '').length
}

const side = 32
/** Frequencies without the constant one, which is only the brightness of the image. */
const wanted = [1, 2, 3, 4, 5, 6, 7, 8]

const cosines = wanted.map((frequency) =>
  Array.from({ length: side }, (_, x) => Math.cos(((2 * x + 1) * frequency * Math.PI) / (2 * side))),
)

async function lumaRows(
  image: ImageValue,
  size: { width: number; height: number; background: string },
  context: ImageContext,
): Promise<Float64Array[]> {
  const { values, width, height } = lumaOf(await thumbnailOf(image, { ...size, fit: 'fill' }, context))
  return Array.from({ length: height }, (_, y) => values.subarray(y * width, (y + 1) * width))
}

/** DCT-II of a row, only the frequencies that are used; the constant factor is omitted. */
function lowFrequencies(values: ArrayLike<number>): number[] {
  return cosines.map((cosine) => cosine.reduce((sum, value, x) => sum + value * (values[x] ?? 0), 0))
}

/** Rounding errors of cosine sums around 0 would give random bits. */
function withoutDust(value: number): number {
  return Math.round(value * 1_000) / 1_000
}

function bitsOf(bits: boolean[]): bigint {
  return bits.reduce((sum, bit) => (sum << 1n) | (bit ? 1n : 0n), 0n)
}
