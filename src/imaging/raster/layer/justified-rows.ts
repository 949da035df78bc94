/**
 * Images in justified rows of similar height, as on a photo wall. Rows are broken to minimise the total deviation, as
 * Knuth and Plass break lines (Breaking paragraphs into lines, 1981): greedy rows would leave a bad last row.
 */
import type { Rectangle } from '../region.ts'
import type { Size } from '../shape/scaled.ts'

export interface WallOptions {
  /** Width of each row. */
  width: number
  /** Target height of a row. */
  rowHeight: number
  gap: number
  /** Whether the last row also fills the width, at any height; otherwise it keeps `rowHeight` and ends early. */
  fillLast: boolean
}

/** Whole pixels, in the order of the images. Undefined if the gaps leave less than a pixel for an image. */
export function wallOf(sizes: Size[], options: WallOptions): Rectangle[] | undefined {
  const places: Rectangle[] = []
  let y = 0
  for (const row of rowsOf(sizes, options)) {
    if (row.scale <= 0) return undefined
    const height = Math.max(1, Math.round(row.scale))
    let sum = 0
    for (const [index, { width, height: imageHeight }] of sizes.slice(row.from, row.to).entries()) {
      // Rounds end positions instead of widths, so that a full row ends exactly at the edge.
      const x = Math.round(sum * row.scale)
      sum += width / imageHeight
      const end = Math.round(sum * row.scale)
      if (end === x) return undefined
      places.push({ x: x + index * options.gap, y, width: end - x, height })
    }
    y += height + options.gap
  }
  return places
}

interface Row {
  from: number
  to: number
  /** The height before rounding. */
  scale: number
}

function rowsOf(sizes: Size[], options: WallOptions): Row[] {
  const best: { cost: number; row?: Row }[] = [{ cost: 0 }]
  for (let to = 1; to <= sizes.length; to += 1) {
    let found: { cost: number; row?: Row } = { cost: Number.POSITIVE_INFINITY }
    let shape = 0
    for (let from = to - 1; from >= 0; from -= 1) {
      const { width, height } = sizes[from] as Size
      shape += width / height
      const { scale, cost } = fitted(shape, to - from, to === sizes.length, options)
      const total = cost + (best[from]?.cost ?? 0)
      if (found.row === undefined || total < found.cost) found = { cost: total, row: { from, to, scale } }
    }
    best.push(found)
  }
  const rows: Row[] = []
  for (let row = best.at(-1)?.row; row !== undefined; row = best[row.from]?.row) rows.unshift(row)
  return rows
}

/** `shape`: the sum of the aspect ratios of the row. */
function fitted(shape: number, count: number, isLast: boolean, { width, rowHeight, gap, fillLast }: WallOptions) {
  const room = width - gap * (count - 1)
  if (room <= 0) return { scale: 0, cost: Number.POSITIVE_INFINITY }
  const scale = room / shape
  if (isLast && !fillLast && scale > rowHeight) {
    // Fewer images rather than a taller row; an almost empty row looks worse than a full one with a slightly
    // different height.
    return { scale: rowHeight, cost: ((1 - rowHeight / scale) / 2) ** 2 }
  }
  // Twice the height is as bad as half the height.
  return { scale, cost: Math.log(scale / rowHeight) ** 2 }
}
