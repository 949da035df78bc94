import colorString from 'color-string'
import { failure } from '../../errors.ts'

/** Red, green and blue 0 to 255; alpha 0 to 1. */
export interface Color {
  r: number
  g: number
  b: number
  alpha: number
}

/** Parses a colour that passed the schema's `color` format. */
export function parseColor(text: string): Color {
  const found = colorString.get(text)
  if (found === null)
    throw failure('input_invalid', `"${text}" is not a CSS colour such as "#1a2b3c", "rgb(10 20 30 / 50%)" or "white".`)
  const [first = 0, second = 0, third = 0, alpha = 1] = found.value
  const [r, g, b] = toRgb[found.model](first, second, third)
  return { r: Math.round(r), g: Math.round(g), b: Math.round(b), alpha }
}

/** Alpha, 0 to 255. */
export function alphaByte(color: Color): number {
  return Math.round(color.alpha * 255)
}

type Triple = [number, number, number]

const toRgb: Record<'rgb' | 'hsl' | 'hwb', (...value: Triple) => Triple> = {
  rgb: (r, g, b) => [r, g, b],
  hsl: hslToRgb,
  hwb: hwbToRgb,
}

/** CSS Color 4, 7.1: hue in degrees, saturation and lightness in percent. */
function hslToRgb(hue: number, saturation: number, lightness: number): Triple {
  const l = lightness / 100
  const a = (saturation / 100) * Math.min(l, 1 - l)
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12
    return 255 * (l - a * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return [channel(0), channel(8), channel(4)]
}

/** CSS Color 4, 8.1: mixes white and black into the pure hue. */
function hwbToRgb(hue: number, white: number, black: number): Triple {
  const sum = white + black
  if (sum >= 100) {
    const grey = (255 * white) / sum
    return [grey, grey, grey]
  }
  const [r, g, b] = hslToRgb(hue, 100, 50)
  const mix = (channel: number) => channel * (1 - sum / 100) + 255 * (white / 100)
  return [mix(r), mix(g), mix(b)]
}
