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
  const { width } = size
  let y = 0
  const values: PairRows = (value, squared) => {
    rowAt(y, value)
    for (let x = 0; x < width; x += 1) squared[x] = (value[x] as number) ** 2
    y += 1
  }
  const moments = meansOf(values, size, radius)
  const noise = deviation * deviation
  const lines: PairRows = (a, b) => {
    moments(a, b)
    for (let x = 0; x < width; x += 1) {
      const mean = a[x] as number
      const variance = Math.max(0, (b[x] as number) - mean * mean)
      // Without any noise nothing is to be smoothed, flat or not.
      const slope = noise === 0 ? 1 : variance / (variance + noise)
      a[x] = slope
      b[x] = mean * (1 - slope)
    }
  }
  return meansOf(lines, size, radius)
}

/** Means of windows of so many pixels on each side, as far as there are any: at the edges windows are smaller. */
function meansOf(source: PairRows, { width, height }: Size, radius: number): PairRows {
  const ring = Array.from({ length: 2 * radius + 1 }, () => [new Float32Array(width), new Float32Array(width)] as const)
  const rowAt = (row: number) => ring[row % ring.length] as readonly [Float32Array, Float32Array]
  const firstSums = new Float64Array(width)
  const secondSums = new Float64Array(width)
  const columns = Float64Array.from({ length: width }, (_, x) => 1 / windowOf(x, width, radius))
  let read = 0
  let y = 0
  return (first, second) => {
    const gone = y - radius - 1
    if (gone >= 0) {
      addTo(firstSums, rowAt(gone)[0], -1)
      addTo(secondSums, rowAt(gone)[1], -1)
    }
    for (; read < height && read <= y + radius; read += 1) {
      const [a, b] = rowAt(read)
      source(a, b)
      addTo(firstSums, a, 1)
      addTo(secondSums, b, 1)
    }
    const rows = 1 / windowOf(y, height, radius)
    meansAlong(firstSums, columns, rows, radius, first)
    meansAlong(secondSums, columns, rows, radius, second)
    y += 1
  }
}

function windowOf(at: number, length: number, radius: number): number {
  return Math.min(length - 1, at + radius) - Math.max(0, at - radius) + 1
}

function addTo(sums: Float64Array, row: Float32Array, sign: number): void {
  for (let x = 0; x < sums.length; x += 1) sums[x] = (sums[x] as number) + sign * (row[x] as number)
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
