/** What tests ask of colours. */
import assert from 'node:assert/strict'

/** Rec. 709 luma, 0 to 255. */
export function luma([r = 0, g = 0, b = 0]: readonly number[]): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Hue in degrees, as of HSV. */
export function hue([r = 0, g = 0, b = 0]: readonly number[]): number {
  return (Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b) * 180) / Math.PI
}

/** The distance of the strongest channel from the weakest. */
export function chroma(pixel: readonly number[]): number {
  const colors = pixel.slice(0, 3)
  return Math.max(...colors) - Math.min(...colors)
}

/** Of two colours that 8 bits can tell the hue of. */
export function assertSameHue(before: readonly number[], after: readonly number[], message = ''): void {
  const least = Math.min(chroma(before), chroma(after))
  if (least < 8) return
  const turn = Math.abs(hue(before) - hue(after))
  assert.ok(Math.min(turn, 360 - turn) <= 90 / least + 0.5, `${message} ${before} became ${after}`)
}
