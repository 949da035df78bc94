/** Pictures in the colours of a ramp: each luma has its colour. */
import type { Pixels } from '../../types.ts'
import type { Color } from '../color.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import { lumaAt } from './table.ts'

/** A colour, and where on the way from black (0) to white (1) it stands. */
export interface Stop {
  at: number
  color: Color
}

/**
 * The colours of all 256 values of luma, from stops in ascending order; two at one place are a hard edge, of which the
 * second begins there. Mixed on sRGB as it is stored and premultiplied, as the gradients of CSS are.
 */
export function rampOf(stops: readonly Stop[]): Color[] {
  return Array.from({ length: 256 }, (_, luma) => {
    const at = luma / 255
    const next = stops.findIndex((stop) => stop.at > at)
    const [left, right] = [stops[next - 1], stops[next]]
    if (left === undefined || right === undefined) return (right ?? stops.at(-1) ?? grey(luma)).color
    return between(left.color, right.color, (at - left.at) / (right.at - left.at))
  })
}

/**
 * Lays over each pixel the colour of its luma, `amount` (0 to 1) times as opaque as it is: what is translucent lets the
 * image through. Its alpha stays.
 */
export async function applyRamp(
  pixels: Pixels,
  colors: readonly Color[],
  amount: number,
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const { data: from, width, channels } = pixels
  const data = Buffer.allocUnsafe(from.length)
  const parts = partsOf(colors, amount)
  await eachRow(pixels, context, (y) => {
    const end = (y + 1) * width * channels
    for (let at = y * width * channels; at < end; at += channels) {
      const entry = lumaAt(from, at) * 4
      const rest = parts[entry + 3] as number
      data[at] = (parts[entry] as number) + (from[at] as number) * rest
      data[at + 1] = (parts[entry + 1] as number) + (from[at + 1] as number) * rest
      data[at + 2] = (parts[entry + 2] as number) + (from[at + 2] as number) * rest
      if (channels === 4) data[at + 3] = from[at + 3] as number
    }
  })
  return { ...pixels, data }
}

/** Of each colour its part of the result, with the half that rounds; then that of the image. */
function partsOf(colors: readonly Color[], amount: number): Float64Array {
  return Float64Array.from(
    colors.flatMap(({ r, g, b, alpha }) => {
      const share = alpha * amount
      return [r * share + 0.5, g * share + 0.5, b * share + 0.5, 1 - share]
    }),
  )
}

function between(a: Color, b: Color, share: number): Color {
  const alpha = a.alpha * (1 - share) + b.alpha * share
  if (alpha === 0) return { ...a, alpha }
  const weight = (b.alpha * share) / alpha
  const mix = (from: number, to: number) => from + (to - from) * weight
  return { r: mix(a.r, b.r), g: mix(a.g, b.g), b: mix(a.b, b.b), alpha }
}

function grey(luma: number): Stop {
  return { at: luma / 255, color: { r: luma, g: luma, b: luma, alpha: 1 } }
}
