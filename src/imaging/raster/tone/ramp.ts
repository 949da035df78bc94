/** Gradient maps: each luma is mapped to a colour. */
import type { Pixels } from '../../types.ts'
import type { Color } from '../color.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import { lumaAt } from './table.ts'

/** A colour and its position from black (0) to white (1). */
export interface Stop {
  at: number
  color: Color
}

/**
 * The colours of all 256 lumas, from stops in ascending order; two stops at one position make a hard edge, at which
 * the second one starts. Mixed premultiplied on stored sRGB values, as in CSS gradients.
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
 * Composites the colour of its luma over each pixel, with its opacity multiplied by `amount` (0 to 1): translucent
 * colours let the image through. Alpha does not change.
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

/** The contribution of each colour to the result, including one half for rounding; then the factor of the image. */
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
