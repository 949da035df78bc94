/**
 * The guided filter of He, Sun and Tang ("Guided Image Filtering", 2013), a channel guided by itself: in every window it
 * is a line, a * value + b, with `a` near 1 where there is an edge and near 0 where there is only noise. Its cost does
 * not depend on the radius, and it turns no edge around, as a bilateral filter does.
 */
import type { RowAt } from './box-blur.ts'

/** Gives the next row of two channels. */
export type PairRows = (first: Float32Array, second: Float32Array) => void

interface Size {
  width: number
  height: number
}

/** Rows of `a` and `b`. What varies less than `deviation` within the radius is taken for noise. */
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

/** From the means of values and of their squares to `a` and `b`, in their place. */
function toLines(means: Float32Array, squares: Float32Array, noise: number): void {
  for (let x = 0; x < means.length; x += 1) {
    const mean = means[x] as number
    const variance = Math.max(0, (squares[x] as number) - mean * mean)
    // Without any noise nothing is to be smoothed, flat or not.
    const slope = noise === 0 ? 1 : variance / (variance + noise)
    means[x] = slope
    squares[x] = mean * (1 - slope)
  }
}

/** Means of windows of so many pixels on each side, as far as there are any: at the edges windows are smaller. */
function meansOf(source: PairRows, { width, height }: Size, radius: number): PairRows {
  const pair = () => [new Float32Array(width), new Float32Array(width)] as const
  // All rows of a window, and the one that has just left it.
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
