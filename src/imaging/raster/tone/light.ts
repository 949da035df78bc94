/** Colour temperature of light, and relighting of images. */
import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import { storeColor } from './luma.ts'
import { fromLight, toLight } from './srgb.ts'

/** Strength of red, green and blue in a light, in linear sRGB. */
export type Light = [number, number, number]

/** Photographic daylight, for which film is balanced: a light without a cast. */
const daylightMired = 1e6 / 5_500

/**
 * The light that is this many mired (1,000,000 / kelvin) warmer than daylight. Equal differences in mired look equal,
 * which is why filters are sold by mired. `duv` is the distance from the black body in CIE 1960 (u, v): positive is
 * green, negative magenta (ANSI C78.377).
 */
export function lightAt(mired: number, duv: number): Light {
  const from = linearSrgb(blackBody(1e6 / daylightMired))
  const to = linearSrgb(offBlackBody(1e6 / (daylightMired + mired), duv))
  return [to[0] / from[0], to[1] / from[1], to[2] / from[2]]
}

/**
 * Von Kries adaptation in linear sRGB: each channel is multiplied by the strength of the light. Then every pixel gets
 * its original luma back, so that only the colour of the light changes; black, white and alpha do not change.
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

/** The 256 values under this light, not clipped at white. */
function litTable(gain: number): Float32Array {
  return Float32Array.from({ length: 256 }, (_, byte) => 255 * fromLight(toLight(byte / 255) * gain))
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

/** Perpendicular to the Planckian locus. */
function offBlackBody(kelvin: number, duv: number): [number, number] {
  const [u, v] = blackBody(kelvin)
  const [warmerU, warmerV] = blackBody(kelvin * 0.999)
  const [du, dv] = [warmerU - u, warmerV - v]
  const length = Math.hypot(du, dv)
  return [u - (dv / length) * duv, v + (du / length) * duv]
}

/** Light with luminance 1. The matrix is from IEC 61966-2-1. */
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
