/** Colour look-up tables: a curve for each channel (1D), or a cube of colours (3D). */
import { failure } from '../../../errors.ts'
import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import { applyTables, tableOf } from './table.ts'

export interface Lut {
  /** 1: each channel separately. 3: red, green and blue together. */
  dimensions: 1 | 3
  /** Entries per dimension. */
  size: number
  /** The input of the first and the last entry, for red, green and blue; colours are 0 to 1. */
  min: readonly number[]
  max: readonly number[]
  /**
   * Red, green and blue of every entry; in a cube, red varies fastest, then green, then blue. Not clipped to 0 to 1.
   */
  values: Float32Array
}

/** Alpha does not change. Colours outside the table's domain use its edge. */
export function applyLut(pixels: Pixels, lut: Lut, context: Pick<JobContext, 'signal'>): Promise<Pixels> {
  return lut.dimensions === 1 ? throughCurves(pixels, lut, context) : throughCube(pixels, lut, context)
}

/**
 * A cube as an image: level^3 pixels per side, whose rows, in order, are the level^2 x level^2 x level^2 entries.
 * Eskil Steenberg's Hald CLUT, as made by ImageMagick's `hald:`. The caller has checked its size.
 */
export function haldLut({ data, width, height, channels }: Pixels): Lut {
  const values = new Float32Array(width * height * 3)
  for (let at = 0, to = 0; to < values.length; at += channels, to += 3) {
    values[to] = (data[at] as number) / 255
    values[to + 1] = (data[at + 1] as number) / 255
    values[to + 2] = (data[at + 2] as number) / 255
  }
  return { dimensions: 3, size: Math.round(Math.cbrt(width)) ** 2, min: [0, 0, 0], max: [1, 1, 1], values }
}

/** Levels 2 to 8: cubes of 4 to 64 entries per side. */
const haldSides = [8, 27, 64, 125, 216, 343, 512]

/** Checked before decoding. */
export function checkHald({ width, height }: { width: number; height: number }): void {
  if (width === height && haldSides.includes(width)) return
  throw failure(
    'input_invalid',
    `The Hald image at "hald" must be a square of ${haldSides.join(', ')} pixels per side, not ${width} x ${height}.`,
  )
}

/** Linear interpolation between the entries. */
function throughCurves(pixels: Pixels, lut: Lut, context: Pick<JobContext, 'signal'>): Promise<Pixels> {
  const table = (channel: 0 | 1 | 2) => {
    const { corners, shares } = placesOf(lut, channel, 3)
    return tableOf((value) => {
      const byte = Math.round(value * 255)
      const at = (corners[byte] ?? 0) + channel
      const [from, to] = [lut.values[at] ?? 0, lut.values[at + 3] ?? 0]
      return from + (to - from) * (shares[byte] ?? 0)
    })
  }
  return applyTables(pixels, [table(0), table(1), table(2)], context)
}

/**
 * Tetrahedral interpolation: from the nearest darker corner along the channel with the largest fraction, then the
 * second, then the third, to the opposite corner. So greys mix only greys, which keeps them neutral. Kasson, Nin,
 * Plouffe and Hafner, Performing color space conversions with three-dimensional linear interpolation (J. Electronic
 * Imaging 4, 1995).
 */
async function throughCube(pixels: Pixels, lut: Lut, context: Pick<JobContext, 'signal'>): Promise<Pixels> {
  const { data: from, width, channels } = pixels
  const data = Buffer.allocUnsafe(from.length)
  const bytes = lut.values.map((value) => value * 255 + 0.5)
  // Offsets from an entry to the next along each channel, and to the opposite corner.
  const alongRed = 3
  const alongGreen = alongRed * lut.size
  const alongBlue = alongGreen * lut.size
  const across = alongRed + alongGreen + alongBlue
  const red = placesOf(lut, 0, alongRed)
  const green = placesOf(lut, 1, alongGreen)
  const blue = placesOf(lut, 2, alongBlue)
  await eachRow(pixels, context, (row) => {
    const end = (row + 1) * width * channels
    for (let at = row * width * channels; at < end; at += channels) {
      const r = from[at] as number
      const g = from[at + 1] as number
      const b = from[at + 2] as number
      const x = red.shares[r] as number
      const y = green.shares[g] as number
      const z = blue.shares[b] as number
      const most = Math.max(x, y, z)
      const least = Math.min(x, y, z)
      const middle = x + y + z - most - least
      const first = most === x ? alongRed : most === y ? alongGreen : alongBlue
      const last = least === z ? alongBlue : least === y ? alongGreen : alongRed
      const corner = (red.corners[r] as number) + (green.corners[g] as number) + (blue.corners[b] as number)
      for (let channel = 0; channel < 3; channel += 1) {
        const entry = corner + channel
        const value =
          (bytes[entry] as number) * (1 - most) +
          (bytes[entry + first] as number) * (most - middle) +
          (bytes[entry + across - last] as number) * (middle - least) +
          (bytes[entry + across] as number) * least
        data[at + channel] = Math.max(0, Math.min(255, value))
      }
      if (channels === 4) data[at + 3] = from[at + 3] as number
    }
  })
  return { ...pixels, data }
}

interface Places {
  /** Offset of the entry at or below each of 256 values; never the last entry. */
  corners: Int32Array
  /** Fraction of the way to the next entry, 0 to 1. */
  shares: Float64Array
}

function placesOf({ size, min, max }: Lut, channel: 0 | 1 | 2, along: number): Places {
  const [low, high] = [min[channel] ?? 0, max[channel] ?? 1]
  const places = Array.from({ length: 256 }, (_, byte) => {
    const share = (byte / 255 - low) / (high - low)
    return Math.max(0, Math.min(1, share)) * (size - 1)
  })
  const below = places.map((place) => Math.min(size - 2, Math.floor(place)))
  return {
    corners: Int32Array.from(below, (entry) => entry * along),
    shares: Float64Array.from(places, (place, byte) => place - (below[byte] ?? 0)),
  }
}
