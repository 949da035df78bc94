/**
 * Non-separable blend modes, which libvips does not have: Compositing and Blending Level 1, 13.2
 * (https://www.w3.org/TR/compositing-1/#blendingnonseparable), on stored sRGB values.
 */
import type { Pixels } from '../../types.ts'
import type { JobContext } from '../jobs.ts'
import type { Rectangle } from '../region.ts'
import { eachRow } from '../rows.ts'

export const hueBlends = ['hue', 'saturation', 'color', 'luminosity'] as const
export type HueBlend = (typeof hueBlends)[number]

/**
 * Changes `target` in place inside `region`; it must have no other readers. The top left corner of the layer is at x,
 * y, and the layer covers the region.
 */
export async function blendHue(
  target: Pixels,
  layer: Pixels,
  { x, y, opacity, blend }: { x: number; y: number; opacity: number; blend: HueBlend },
  region: Rectangle,
  context: Pick<JobContext, 'signal'>,
): Promise<void> {
  const { data: to, channels } = target
  const { data: from, channels: layerChannels } = layer
  const blended = formulas[blend]
  await eachRow(region, context, (row) => {
    let at = ((region.y + row) * target.width + region.x) * channels
    let over = ((region.y + row - y) * layer.width + region.x - x) * layerChannels
    for (let pixel = 0; pixel < region.width; pixel += 1, at += channels, over += layerChannels) {
      const alpha = layerChannels === 4 ? ((from[over + 3] as number) / 255) * opacity : opacity
      if (alpha === 0) continue
      const below = channels === 4 ? (to[at + 3] as number) / 255 : 1
      const sum = alpha + below * (1 - alpha)
      blended(to, at, from, over)
      // Sections 5.1 and 10.1: the blended colour applies only where both are visible.
      const both = (alpha * below) / sum
      const above = (alpha * (1 - below)) / sum
      const rest = (below * (1 - alpha)) / sum
      to[at] = red * both + (from[over] as number) * above + (to[at] as number) * rest + 0.5
      to[at + 1] = green * both + (from[over + 1] as number) * above + (to[at + 1] as number) * rest + 0.5
      to[at + 2] = blue * both + (from[over + 2] as number) * above + (to[at + 2] as number) * rest + 0.5
      if (channels === 4) to[at + 3] = sum * 255 + 0.5
    }
  })
}

/** Input and output of the formulas, 0 to 255: an object per pixel would cost more than the formulas. */
let [red, green, blue] = [0, 0, 0]

type Formula = (below: Uint8Array, at: number, above: Uint8Array, over: number) => void

const formulas: Record<HueBlend, Formula> = {
  hue(below, at, above, over) {
    take(above, over)
    setSaturation(saturationOf(below, at))
    setLuminosity(luminosityOf(below, at))
  },
  saturation(below, at, above, over) {
    take(below, at)
    setSaturation(saturationOf(above, over))
    setLuminosity(luminosityOf(below, at))
  },
  color(below, at, above, over) {
    take(above, over)
    setLuminosity(luminosityOf(below, at))
  },
  luminosity(below, at, above, over) {
    take(below, at)
    setLuminosity(luminosityOf(above, over))
  },
}

function take(data: Uint8Array, at: number): void {
  red = data[at] as number
  green = data[at + 1] as number
  blue = data[at + 2] as number
}

function luminosityOf(data: Uint8Array, at: number): number {
  return luminosity(data[at] as number, data[at + 1] as number, data[at + 2] as number)
}

/** The weights of the specification, which differ from Rec. 709. */
function luminosity(r: number, g: number, b: number): number {
  return 0.3 * r + 0.59 * g + 0.11 * b
}

function saturationOf(data: Uint8Array, at: number): number {
  const [r, g, b] = [data[at] as number, data[at + 1] as number, data[at + 2] as number]
  return Math.max(r, g, b) - Math.min(r, g, b)
}

/**
 * `SetSat` of the specification: the minimum becomes 0, the maximum the saturation, and the third channel is scaled
 * in between.
 */
function setSaturation(saturation: number): void {
  const low = Math.min(red, green, blue)
  const range = Math.max(red, green, blue) - low
  const factor = range === 0 ? 0 : saturation / range
  red = (red - low) * factor
  green = (green - low) * factor
  blue = (blue - low) * factor
}

/** `SetLum` and `ClipColor`: colours out of range move towards grey, which keeps the luminosity. */
function setLuminosity(wanted: number): void {
  const raise = wanted - luminosity(red, green, blue)
  const low = Math.min(red, green, blue) + raise
  const high = Math.max(red, green, blue) + raise
  let factor = 1
  if (low < 0) factor = wanted / (wanted - low)
  if (high > 255) factor = Math.min(factor, (255 - wanted) / (high - wanted))
  red = wanted + (red + raise - wanted) * factor
  green = wanted + (green + raise - wanted) * factor
  blue = wanted + (blue + raise - wanted) * factor
}
