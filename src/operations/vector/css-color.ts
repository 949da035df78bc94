import { parseColor } from '../raster/color.ts'

/** A colour in the spelling that every canvas knows. */
export function cssColor(text: string): string {
  const { r, g, b, alpha } = parseColor(text)
  return `rgba(${r}, ${g}, ${b}, ${alpha})`
}
