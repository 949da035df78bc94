/** Colour measurements for tests. */
import assert from 'node:assert/strict'

/** Rec. 709 luma, 0 to 255. */
export function luma([r = 0, g = 0, b = 0]: readonly number[]): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Hue in degrees, as in HSV. */
export function hue([r = 0, g = 0, b = 0]: readonly number[]): number {
  return (Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b) * 180) / Math.PI
}

/** The difference between the strongest and the weakest channel. */
export function chroma(pixel: readonly number[]): number {
  const colors = pixel.slice(0, 3)
  return Math.max(...colors) - Math.min(...colors)
}

/** Asserts equal hues, for colours whose hue is well defined in 8 bits. */
export function assertSameHue(before: readonly number[], after: readonly number[], message = ''): void {
  const least = Math.min(chroma(before), chroma(after))
  if (least < 8) return
  const turn = Math.abs(hue(before) - hue(after))
  assert.ok(Math.min(turn, 360 - turn) <= 90 / least + 0.5, `${message} ${before} became ${after}`)
}
