/**
 * OKLab, a colour space in which equal distances look equally different: Ottosson, A perceptual color space for image
 * processing, 2020.
 */
import { toLight } from './srgb.ts'

/** Lightness 0 to 1; a from green (-) to red, b from blue (-) to yellow. */
export interface Lab {
  l: number
  a: number
  b: number
}

/** Converts from sRGB, 0 to 255. */
export function toLab(red: number, green: number, blue: number): Lab {
  const [r, g, b] = [toLight(red / 255), toLight(green / 255), toLight(blue / 255)]
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return {
    l: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    a: 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    b: 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  }
}

/** Chroma: 0 is grey, about 0.3 is the strongest colour of sRGB. */
export function chroma({ a, b }: Lab): number {
  return Math.hypot(a, b)
}

export function distanceSquared(x: Lab, y: Lab): number {
  return (x.l - y.l) ** 2 + (x.a - y.a) ** 2 + (x.b - y.b) ** 2
}

/** Relative luminance, 0 to 1, as defined by WCAG 2.2. */
export function luminance([r, g, b]: readonly [number, number, number]): number {
  return 0.2126 * toLight(r / 255) + 0.7152 * toLight(g / 255) + 0.0722 * toLight(b / 255)
}

/** Contrast ratio of two colours, 1 to 21, as defined by WCAG 2.2. */
export function contrastRatio(x: readonly [number, number, number], y: readonly [number, number, number]): number {
  const [low = 0, high = 0] = [luminance(x), luminance(y)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}
