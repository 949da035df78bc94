/** Two colours that run into each other, mixed with premultiplied alpha as CSS does: no grey on the way to transparent. */
import { setImmediate } from 'node:timers/promises'
import type { Pixels } from '../define.ts'
import { alphaByte, type Color } from './color.ts'

export interface GradientShape {
  /** linear: along a line; radial: from the middle to the corners. */
  shape: 'linear' | 'radial'
  /** Degrees clockwise from upwards, as in CSS: 180 goes from top to bottom. */
  angle: number
}

export async function gradient(
  width: number,
  height: number,
  from: Color,
  to: Color,
  { shape, angle }: GradientShape,
): Promise<Pixels> {
  const channels = from.alpha < 1 || to.alpha < 1 ? 4 : 3
  const colors = ramp(from, to)
  const data = Buffer.allocUnsafe(width * height * channels)
  const shareAt = shape === 'linear' ? linear(width, height, angle) : radial(width, height)
  const rowsAtOnce = Math.ceil(pixelsAtOnce / width)
  for (let y = 0; y < height; y += 1) {
    if (y > 0 && y % rowsAtOnce === 0) await setImmediate()
    let at = y * width * channels
    for (let x = 0; x < width; x += 1) {
      const step = Math.min(steps, Math.max(0, Math.round(shareAt(x, y) * steps))) * 4
      data[at] = colors[step] ?? 0
      data[at + 1] = colors[step + 1] ?? 0
      data[at + 2] = colors[step + 2] ?? 0
      if (channels === 4) data[at + 3] = colors[step + 3] ?? 0
      at += channels
    }
  }
  return { data, width, height, channels }
}

/** Finer than 8 bits can show. */
const steps = 2_048
/** Then others have a turn. */
const pixelsAtOnce = 2_000_000

function ramp(from: Color, to: Color): Uint8Array {
  const colors = new Uint8Array((steps + 1) * 4)
  for (let step = 0; step <= steps; step += 1) {
    const share = step / steps
    const alpha = from.alpha * (1 - share) + to.alpha * share
    const mix = (a: number, b: number) =>
      alpha === 0 ? Math.round(a) : Math.round((a * from.alpha * (1 - share) + b * to.alpha * share) / alpha)
    colors.set([mix(from.r, to.r), mix(from.g, to.g), mix(from.b, to.b), alphaByte({ ...from, alpha })], step * 4)
  }
  return colors
}

/** How far along the gradient a pixel's middle is, 0 to 1; the corners are its ends, as in CSS. */
function linear(width: number, height: number, angle: number): (x: number, y: number) => number {
  const radians = (angle * Math.PI) / 180
  const [dx, dy] = [Math.sin(radians), -Math.cos(radians)]
  const length = Math.abs(width * dx) + Math.abs(height * dy)
  return (x, y) => ((x + 0.5 - width / 2) * dx + (y + 0.5 - height / 2) * dy) / length + 0.5
}

function radial(width: number, height: number): (x: number, y: number) => number {
  return (x, y) => Math.hypot((2 * (x + 0.5)) / width - 1, (2 * (y + 0.5)) / height - 1) / Math.SQRT2
}
