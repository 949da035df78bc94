/**
 * Gradients of two colours, mixed with premultiplied alpha as in CSS, so that fading to transparent does not turn
 * grey.
 */
import type { Pixels } from '../../types.ts'
import { alphaByte, type Color } from '../color.ts'

export interface GradientShape {
  /** linear: along a line; radial: from the centre to the corners. */
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
  const stepsOf = shape === 'linear' ? linear(width, height, angle) : radial(width, height)
  const row = new Uint16Array(width)
  const rowBytes = width * channels
  for (let y = 0; y < height; y += 1) {
    const at = y * rowBytes
    const known = stepsOf(y, row)
    if (known === 'same row') data.copyWithin(at, at - rowBytes, at)
    else if (known === 'one colour')
      data.fill(colors.subarray((row[0] ?? 0) * 4, (row[0] ?? 0) * 4 + channels), at, at + rowBytes)
    else write(data, at, row, colors, channels)
  }
  return { data, width, height, channels }
}

function write(data: Buffer, at: number, row: Uint16Array, colors: Uint8Array, channels: 3 | 4): void {
  let to = at
  for (let x = 0; x < row.length; x += 1) {
    const from = (row[x] as number) * 4
    data[to] = colors[from] as number
    data[to + 1] = colors[from + 1] as number
    data[to + 2] = colors[from + 2] as number
    if (channels === 4) data[to + 3] = colors[from + 3] as number
    to += channels
  }
}

/** Finer than 8 bits can show. */
const steps = 2_048
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

/**
 * Writes the position of each pixel of a row along the gradient, 0 to `steps`, measured at the pixel's centre.
 * Returns false if there is nothing to write, because the row equals the previous one or has only the first colour.
 */
type Rows = (y: number, row: Uint16Array) => 'same row' | 'one colour' | undefined

/** Start and end of a linear gradient, in pixels: they can lie outside the image, as in CSS. */
export function gradientLine(width: number, height: number, angle: number): [number, number][] {
  const { dx, dy, length } = directionOf(width, height, angle)
  const [x, y] = [(dx * length) / 2, (dy * length) / 2]
  return [
    [width / 2 - x, height / 2 - y],
    [width / 2 + x, height / 2 + y],
  ]
}

/** The gradient ends at the corners, as in CSS. */
function directionOf(width: number, height: number, angle: number): { dx: number; dy: number; length: number } {
  const radians = (angle * Math.PI) / 180
  const dx = angle % 180 === 0 ? 0 : Math.sin(radians)
  const dy = angle % 180 === 90 || angle % 180 === -90 ? 0 : -Math.cos(radians)
  return { dx, dy, length: Math.abs(width * dx) + Math.abs(height * dy) }
}

function linear(width: number, height: number, angle: number): Rows {
  const { dx, dy, length } = directionOf(width, height, angle)
  const perPixel = steps / length
  return (y, row) => {
    if (dy === 0 && y > 0) return 'same row'
    let at = ((0.5 - width / 2) * dx + (y + 0.5 - height / 2) * dy) * perPixel + steps / 2 + 0.5
    if (dx === 0) {
      row[0] = at
      return 'one colour'
    }
    for (let x = 0; x < width; x += 1) {
      row[x] = at
      at += dx * perPixel
    }
    return undefined
  }
}

function radial(width: number, height: number): Rows {
  const perUnit = steps / Math.SQRT2
  return (y, row) => {
    const v = ((2 * y + 1) / height - 1) ** 2
    for (let x = 0; x < width; x += 1) row[x] = Math.sqrt(((2 * x + 1) / width - 1) ** 2 + v) * perUnit + 0.5
    return undefined
  }
}
