import type { Pixels } from '../../define.ts'
import { alphaByte, type Color } from '../color.ts'

/** A picture of one colour; left to itself, of 3 channels when that is opaque. */
export function filled(width: number, height: number, color: Color, channels: 3 | 4 = color.alpha < 1 ? 4 : 3): Pixels {
  const pixel = Buffer.from([color.r, color.g, color.b, alphaByte(color)].slice(0, channels))
  return { data: Buffer.alloc(width * height * channels, pixel), width, height, channels }
}
