import type { Pixels } from '../define.ts'
import { alphaByte, type Color } from './color.ts'

/** A picture of one colour: 3 channels when it is opaque. */
export function filled(width: number, height: number, color: Color): Pixels {
  const channels = color.alpha < 1 ? 4 : 3
  const pixel = Buffer.from([color.r, color.g, color.b, alphaByte(color)].slice(0, channels))
  return { data: Buffer.alloc(width * height * channels, pixel), width, height, channels }
}
