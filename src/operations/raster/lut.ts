/** Look-up tables of colours: a curve for each channel, or a cube in which every colour has its place. */
import { failure } from '../../errors.ts'
import type { Pixels } from '../define.ts'
import type { JobContext } from './jobs.ts'
import { eachRow } from './rows.ts'
import { tableOf, throughTables } from './table.ts'

export interface Lut {
  /** 1: each channel by itself. 3: red, green and blue together. */
  dimensions: 1 | 3
  /** Entries along one dimension. */
  size: number
  /** What the first and the last entry stand for, of red, green and blue; colours are 0 to 1. */
  min: readonly number[]
  max: readonly number[]
  /** Red, green and blue of every entry; of a cube red goes first, then green, then blue. Not cut to 0 to 1. */
  values: Float32Array
}

/** Alpha stays. What is outside of the table's domain is taken as its edge. */
export function throughLut(pixels: Pixels, lut: Lut, context: Pick<JobContext, 'signal'>): Promise<Pixels> {
  return lut.dimensions === 1 ? throughCurves(pixels, lut, context) : throughCube(pixels, lut, context)
}

/** The most that a side of a Hald image's cube is the square of. */
const haldLevelMax = 8

/**
 * A cube as a picture: level^3 pixels a side, whose rows, one after the other, are the level^2 x level^2 x level^2
 * entries. Eskil Steenberg's Hald CLUT, as ImageMagick's `hald:` makes it.
 */
export function haldLut({ data, width, height, channels }: Pixels): Lut {
  const level = Math.round(Math.cbrt(width))
  if (width !== height || level ** 3 !== width || level < 2 || level > haldLevelMax) {
    throw failure(
      'input_invalid',
      `\`hald\` is ${width} x ${height}; a Hald image is a square of 8, 27, 64, 125, 216, 343 or 512 pixels.`,
    )
  }
  const values = new Float32Array(width * height * 3)
  for (let at = 0, to = 0; to < values.length; at += channels, to += 3) {
    values[to] = (data[at] as number) / 255
    values[to + 1] = (data[at + 1] as number) / 255
    values[to + 2] = (data[at + 2] as number) / 255
  }
  return { dimensions: 3, size: level * level, min: [0, 0, 0], max: [1, 1, 1], values }
}

/** Straight lines between the entries. */
function throughCurves(pixels: Pixels, lut: Lut, context: Pick<JobContext, 'signal'>): Promise<Pixels> {
  const table = (channel: 0 | 1 | 2) => {
    const { below, shares } = placesOf(lut, channel)
    return tableOf((value) => {
      const byte = Math.round(value * 255)
      const at = (below[byte] ?? 0) * 3 + channel
      const [from, to] = [lut.values[at] ?? 0, lut.values[at + 3] ?? 0]
      return from + (to - from) * (shares[byte] ?? 0)
    })
  }
  return throughTables(pixels, [table(0), table(1), table(2)], context)
}

/**
 * Between the entries by tetrahedra: from the nearest darker corner first along the channel that is furthest on its
 * way, then the second, then the third, to the corner across; so greys are mixed of greys alone, which keeps
 * them clean. Kasson, Nin, Plouffe and Hafner, Performing color space conversions with three-dimensional linear
 * interpolation (J. Electronic Imaging 4, 1995).
 */
async function throughCube(pixels: Pixels, lut: Lut, context: Pick<JobContext, 'signal'>): Promise<Pixels> {
  const { data: from, width, channels } = pixels
  const data = Buffer.allocUnsafe(from.length)
  const bytes = lut.values.map((value) => value * 255 + 0.5)
  const [red, green, blue] = [placesOf(lut, 0), placesOf(lut, 1), placesOf(lut, 2)]
  // Steps to the next entry along each channel.
  const [alongRed, alongGreen, alongBlue] = [3, 3 * lut.size, 3 * lut.size * lut.size]
  const across = alongRed + alongGreen + alongBlue
  await eachRow(pixels, context, (y) => {
    const end = (y + 1) * width * channels
    for (let at = y * width * channels; at < end; at += channels) {
      const [r, g, b] = [from[at] as number, from[at + 1] as number, from[at + 2] as number]
      const [x, y, z] = [red.shares[r] as number, green.shares[g] as number, blue.shares[b] as number]
      const start =
        (red.below[r] as number) * alongRed +
        (green.below[g] as number) * alongGreen +
        (blue.below[b] as number) * alongBlue
      // Two corners on the way, and the three shares from the largest down.
      let [first, second, most, middle, least] = [alongRed, alongRed + alongGreen, x, y, z]
      if (x >= y) {
        if (z > x) [first, second, most, middle, least] = [alongBlue, alongBlue + alongRed, z, x, y]
        else if (z > y) [second, middle, least] = [alongRed + alongBlue, z, y]
      } else if (z > y) [first, second, most, middle, least] = [alongBlue, alongBlue + alongGreen, z, y, x]
      else if (z > x) [first, second, most, middle, least] = [alongGreen, alongGreen + alongBlue, y, z, x]
      else [first, most, middle] = [alongGreen, y, x]
      for (let channel = 0; channel < 3; channel += 1) {
        const corner = start + channel
        const value =
          (bytes[corner] as number) * (1 - most) +
          (bytes[corner + first] as number) * (most - middle) +
          (bytes[corner + second] as number) * (middle - least) +
          (bytes[corner + across] as number) * least
        data[at + channel] = Math.max(0, Math.min(255, value))
      }
      if (channels === 4) data[at + 3] = from[at + 3] as number
    }
  })
  return { ...pixels, data }
}

/** For each of 256 values the entry at or below it, never the last, and how far it is on the way to the next. */
function placesOf({ size, min, max }: Lut, channel: 0 | 1 | 2): { below: Int32Array; shares: Float64Array } {
  const [low, high] = [min[channel] ?? 0, max[channel] ?? 1]
  const places = Array.from({ length: 256 }, (_, byte) => {
    const share = (byte / 255 - low) / (high - low)
    return Math.max(0, Math.min(1, share)) * (size - 1)
  })
  const below = Int32Array.from(places, (place) => Math.min(size - 2, Math.floor(place)))
  return { below, shares: Float64Array.from(places, (place, byte) => place - (below[byte] as number)) }
}
