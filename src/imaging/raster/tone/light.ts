/** The colour of light, and pictures as if lit by another one. */
import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import { storeColor } from './luma.ts'

/** How strong red, green and blue are in a light, in linear sRGB. */
export type Light = [number, number, number]

/** Photographic daylight, as films are balanced for: a light without a cast. */
const daylightMired = 1e6 / 5_500

/**
 * The light so many mired (1,000,000 / kelvin) warmer than daylight, beside it. Equal differences in mired look alike,
 * which is why filters are sold by them. `duv` is the distance from the black body in CIE 1960 (u, v): above 0
 * green, below magenta (ANSI C78.377).
 */
export function lightAt(mired: number, duv: number): Light {
  const from = linearSrgb(blackBody(1e6 / daylightMired))
  const to = linearSrgb(offBlackBody(1e6 / (daylightMired + mired), duv))
  return [to[0] / from[0], to[1] / from[1], to[2] / from[2]]
}

/**
 * Von Kries's adaptation in linear sRGB: each channel times as much of it as the light has. Then every pixel gets back
 * the luma that it had, so that only the colour of the light changes: black stays black, white white, and alpha as it is.
 */
export async function relight(pixels: Pixels, light: Light, context: Pick<JobContext, 'signal'>): Promise<Pixels> {
  const { data: from, width, channels } = pixels
  const data = Buffer.allocUnsafe(from.length)
  const [red, green, blue] = light.map(litTable) as [Float32Array, Float32Array, Float32Array]
  await eachRow(pixels, context, (y) => {
    const end = (y + 1) * width * channels
    for (let at = y * width * channels; at < end; at += channels) {
      const r = from[at] as number
      const g = from[at + 1] as number
      const b = from[at + 2] as number
      const litR = red[r] as number
      const litG = green[g] as number
      const litB = blue[b] as number
      const lit = 0.2126 * litR + 0.7152 * litG + 0.0722 * litB
      const share = lit === 0 ? 1 : (0.2126 * r + 0.7152 * g + 0.0722 * b) / lit
      storeColor(data, at, litR * share, litG * share, litB * share)
      if (channels === 4) data[at + 3] = from[at + 3] as number
    }
  })
  return { ...pixels, data }
}

/** Each of the 256 values under so much light, not cut at white. */
function litTable(gain: number): Float32Array {
  return Float32Array.from({ length: 256 }, (_, byte) => 255 * encode(decode(byte / 255) * gain))
}

/** CIE 1960 (u, v) of a black body of 1,000 to 15,000 kelvin. Krystek, Color Res. Appl. 10 (1985). */
function blackBody(kelvin: number): [number, number] {
  const square = kelvin * kelvin
  return [
    (0.860117757 + 1.54118254e-4 * kelvin + 1.28641212e-7 * square) /
      (1 + 8.42420235e-4 * kelvin + 7.08145163e-7 * square),
    (0.317398726 + 4.22806245e-5 * kelvin + 4.20481691e-8 * square) /
      (1 - 2.89741816e-5 * kelvin + 1.61456053e-7 * square),
  ]
}

/** Beside it, at a right angle to the line of all black bodies. */
function offBlackBody(kelvin: number, duv: number): [number, number] {
  const [u, v] = blackBody(kelvin)
  const [warmerU, warmerV] = blackBody(kelvin * 0.999)
  const [du, dv] = [warmerU - u, warmerV - v]
  const length = Math.hypot(du, dv)
  return [u - (dv / length) * duv, v + (du / length) * duv]
}

/** Of luminance 1. The matrix is that of IEC 61966-2-1. */
function linearSrgb([u, v]: [number, number]): Light {
  const sum = 2 * u - 8 * v + 4
  const [x, y] = [(3 * u) / sum, (2 * v) / sum]
  const [X, Z] = [x / y, (1 - x - y) / y]
  return [
    3.2404542 * X - 1.5371385 - 0.4985314 * Z,
    -0.969266 * X + 1.8760108 + 0.041556 * Z,
    0.0556434 * X - 0.2040259 + 1.0572252 * Z,
  ]
}

/** IEC 61966-2-1, from stored to linear, and back. */
function decode(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function encode(value: number): number {
  return value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055
}
