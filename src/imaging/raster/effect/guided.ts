/**
 * The guided filter of He, Sun and Tang ("Guided Image Filtering", 2013), with a channel as its own guide: in each
 * window the result is a * value + b, with `a` near 1 at edges and near 0 for noise. Its cost does not depend on the
 * radius, and it does not reverse gradients as a bilateral filter does.
 */
import type { RowAt } from './box-blur.ts'

/** Writes the next row of two channels. */
export type PairRows = (first: Float32Array, second: Float32Array) => void

interface Size {
  width: number
  height: number
}

/** Rows of `a` and `b`. Variation below `deviation` within the radius counts as noise. */
export function guidedLines(rowAt: RowAt, size: Size, radius: number, deviation: number): PairRows {
  let y = 0
  const values: PairRows = (value, squared) => {
    rowAt(y, value)
    square(value, squared)
    y += 1
  }
  const moments = meansOf(values, size, radius)
  const noise = deviation * deviation
  const lines: PairRows = (a, b) => {
    moments(a, b)
    toLines(a, b, noise)
  }
  return meansOf(lines, size, radius)
}

function square(values: Float32Array, into: Float32Array): void {
  for (let x = 0; x < into.length; x += 1) into[x] = (values[x] as number) * (values[x] as number)
}

/** Replaces the means of values and of squares by `a` and `b`. */
function toLines(means: Float32Array, squares: Float32Array, noise: number): void {
  for (let x = 0; x < means.length; x += 1) {
    const mean = means[x] as number
    const variance = Math.max(0, (squares[x] as number) - mean * mean)
    // Without noise there is nothing to smooth, even in flat areas.
    const slope = noise === 0 ? 1 : variance / (variance + noise)
    means[x] = slope
    squares[x] = mean * (1 - slope)
  }
}

/** Means over windows with `radius` pixels on each side; windows are smaller at the edges. */
function meansOf(source: PairRows, { width, height }: Size, radius: number): PairRows {
  const pair = () => [new Float32Array(width), new Float32Array(width)] as const
  // All rows of a window, and the row that left it last.
  const ring = Array.from({ length: 2 * radius + 2 }, pair)
  const none = pair()
  const rowAt = (row: number) => ring[row % ring.length] ?? none
  const firstSums = new Float64Array(width)
  const secondSums = new Float64Array(width)
  const columns = Float64Array.from({ length: width }, (_, x) => 1 / windowOf(x, width, radius))
  let read = 0
  const slide = (leaving: readonly [Float32Array, Float32Array]) => {
    const entering = read < height ? rowAt(read) : none
    if (read < height) source(...entering)
    read += 1
    addTo(firstSums, entering[0], leaving[0])
    addTo(secondSums, entering[1], leaving[1])
  }
  let y = 0
  return (first, second) => {
    if (y === 0) for (let above = 0; above < radius; above += 1) slide(none)
    slide(y > radius ? rowAt(y - radius - 1) : none)
    const rows = 1 / windowOf(y, height, radius)
    meansAlong(firstSums, columns, rows, radius, first)
    meansAlong(secondSums, columns, rows, radius, second)
    y += 1
  }
}

function windowOf(at: number, length: number, radius: number): number {
  return Math.min(length - 1, at + radius) - Math.max(0, at - radius) + 1
}

function addTo(sums: Float64Array, entering: Float32Array, leaving: Float32Array): void {
  for (let x = 0; x < sums.length; x += 1) {
    sums[x] = (sums[x] as number) + (entering[x] as number) - (leaving[x] as number)
  }
}

function meansAlong(sums: Float64Array, columns: Float64Array, rows: number, radius: number, into: Float32Array): void {
  const width = sums.length
  let sum = 0
  for (let x = 0; x < Math.min(radius, width); x += 1) sum += sums[x] as number
  for (let x = 0; x < width; x += 1) {
    if (x + radius < width) sum += sums[x + radius] as number
    if (x > radius) sum -= sums[x - radius - 1] as number
    into[x] = sum * (columns[x] as number) * rows
  }
}
