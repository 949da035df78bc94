/** Look-up tables: results that depend on one 8-bit channel are computed once for all 256 values. */
import type { Pixels } from '../../types.ts'
import { alphaByte, type Color } from '../color.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'

/** The result for each of the 256 values of a channel. */
export type Table = Uint8Array<ArrayBuffer>

/** A table from a function of values between 0 and 1; results are clipped to this range. */
export function tableOf(formula: (value: number) => number): Table {
  return Uint8Array.from({ length: 256 }, (_, byte) => toByte(formula(byte / 255)))
}

/** Applies one table each to red, green and blue; alpha does not change. */
export async function applyTables(
  pixels: Pixels,
  [red, green, blue]: readonly [Table, Table, Table],
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const { data: from, width, channels } = pixels
  const data = Buffer.allocUnsafe(from.length)
  const isOne = channels === 3 && red === green && green === blue
  await eachRow(pixels, context, (y) => {
    const end = (y + 1) * width * channels
    if (isOne) {
      for (let at = y * width * channels; at < end; at += 1) data[at] = red[from[at] as number] as number
      return
    }
    for (let at = y * width * channels; at < end; at += channels) {
      data[at] = red[from[at] as number] as number
      data[at + 1] = green[from[at + 1] as number] as number
      data[at + 2] = blue[from[at + 2] as number] as number
      if (channels === 4) data[at + 3] = from[at + 3] as number
    }
  })
  return { ...pixels, data }
}

/**
 * Replaces each pixel by the colour of its luma, out of 256 from black to white. Alpha is multiplied by the alpha of
 * the colour; only a translucent colour makes an opaque image translucent.
 */
export async function applyColorTable(
  pixels: Pixels,
  colors: readonly Color[],
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const { data: from, width, height, channels } = pixels
  const table = Uint8Array.from(colors.flatMap((color) => [color.r, color.g, color.b, alphaByte(color)]))
  const wide = channels === 4 || colors.some((color) => color.alpha < 1) ? 4 : 3
  const data = Buffer.allocUnsafe(width * height * wide)
  await eachRow(pixels, context, (y) => {
    let at = y * width * channels
    let to = y * width * wide
    for (let x = 0; x < width; x += 1, at += channels, to += wide) {
      const entry = lumaAt(from, at) * 4
      data[to] = table[entry] as number
      data[to + 1] = table[entry + 1] as number
      data[to + 2] = table[entry + 2] as number
      if (wide === 3) continue
      const alpha = channels === 4 ? (from[at + 3] as number) : 255
      data[to + 3] = (alpha * (table[entry + 3] as number)) / 255 + 0.5
    }
  })
  return { data, width, height, channels: wide }
}

/** Rec. 709 luma of stored sRGB values, rounded to 0 to 255, as in `grayscale`. */
export function lumaAt(data: Uint8Array, at: number): number {
  return (
    (0.2126 * (data[at] as number) + 0.7152 * (data[at + 1] as number) + 0.0722 * (data[at + 2] as number) + 0.5) | 0
  )
}

/** Converts from 0 to 1; clips and rounds. */
export function toByte(value: number): number {
  return Math.round(Math.max(0, Math.min(1, value)) * 255)
}

/**
 * The shades of one colour from black to white: its hue at every luma. `SetLum` and `ClipColor` of the blend mode
 * "color" (Compositing and Blending Level 1, 13.2), with the weights of Rec. 709.
 */
export function tinted({ r, g, b }: Color): Color[] {
  const colorLuma = (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255
  return Array.from({ length: 256 }, (_, byte) => {
    const luma = byte / 255
    const raised = [r, g, b].map((value) => value / 255 + luma - colorLuma)
    const [low, high] = [Math.min(...raised), Math.max(...raised)]
    const shrink = Math.min(low < 0 ? luma / (luma - low) : 1, high > 1 ? (1 - luma) / (high - luma) : 1)
    const [red = 0, green = 0, blue = 0] = raised.map((value) => toByte(luma + (value - luma) * shrink))
    return { r: red, g: green, b: blue, alpha: 1 }
  })
}

/** Mixes `amount` (0 to 1) of `b` into `a`; both have the same size and the same alpha, which does not change. */
export async function mixed(
  a: Pixels,
  b: Pixels,
  amount: number,
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  if (amount === 1) return b
  if (amount === 0) return a
  const data = Buffer.allocUnsafe(a.data.length)
  const rowBytes = a.width * a.channels
  await eachRow(a, context, (y) => {
    for (let at = y * rowBytes; at < (y + 1) * rowBytes; at += 1) {
      data[at] = (a.data[at] as number) * (1 - amount) + (b.data[at] as number) * amount + 0.5
    }
  })
  return { ...a, data }
}
