import { parseColor } from '../raster/color.ts'

/** A colour in a notation that every canvas accepts. */
export function cssColor(text: string): string {
  const { r, g, b, alpha } = parseColor(text)
  return `rgba(${r}, ${g}, ${b}, ${alpha})`
}

/** The colour without its alpha, and its alpha. */
export function opaque(text: string): { color: string; alpha: number } {
  const { r, g, b, alpha } = parseColor(text)
  return { color: `rgb(${r}, ${g}, ${b})`, alpha }
}
