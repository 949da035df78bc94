/** Finds the region with the most salience. */
import type { Point } from '../shape/quad.ts'
import type { Size } from '../shape/scaled.ts'
import type { Salience } from './salience.ts'

/** Positions that are compared along each side. Even, so that the middle is one of them. */
const positions = 64

/** Salience at the edge of the region counts this much less than in its middle, so objects are centred. */
const edgeLoss = 0.5

/**
 * The top left corner of the region with the most salience, in pixels of `whole`. The sum of the entire region counts,
 * so two objects win over one. `part` must be as wide or as high as `whole`; otherwise the sides are independent.
 */
export function salientPart({ values, width, height }: Salience, whole: Size, part: Size): Point {
  const [columns, rows] = [new Float64Array(width), new Float64Array(height)]
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      const value = values[at] as number
      columns[x] = (columns[x] as number) + value
      rows[y] = (rows[y] as number) + value
    }
  }
  return { x: bestStart(columns, whole.width, part.width), y: bestStart(favourTop(rows), whole.height, part.height) }
}

/**
 * The top of the objects counts up to twice as much: heads are there. It decides only if the region is too low for the
 * entire objects.
 */
function favourTop(rows: Float64Array): Float64Array {
  const total = rows.reduce((sum, value) => sum + value, 0)
  let above = 0
  return rows.map((value) => {
    const middle = above + value / 2
    above += value
    return total > 0 ? value * (2 - middle / total) : value
  })
}

/** Equal positions: the nearest to the middle. */
function bestStart(sums: Float64Array, whole: number, part: number): number {
  const room = whole - part
  const scale = sums.length / whole
  let [best, start] = [-1, room / 2]
  for (let distance = 0; distance <= positions / 2; distance += 1) {
    for (const place of [positions / 2 - distance, positions / 2 + distance]) {
      const from = (room * place) / positions
      const sum = sumOf(sums, from * scale, part * scale)
      // Rounding errors must not move the region of a flat image.
      if (sum <= best * (1 + 1e-9)) continue
      best = sum
      start = from
    }
  }
  return Math.round(start)
}

function sumOf(sums: Float64Array, from: number, length: number): number {
  let total = 0
  for (let at = Math.floor(from); at < Math.min(sums.length, from + length); at += 1) {
    const inside = Math.min(at + 1, from + length) - Math.max(at, from)
    const fromMiddle = (at + 0.5 - from - length / 2) / (length / 2)
    total += (sums[at] as number) * inside * (1 - edgeLoss * Math.min(1, fromMiddle ** 2))
  }
  return total
}
