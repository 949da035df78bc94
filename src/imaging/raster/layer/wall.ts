/**
 * Pictures in rows of about one height that fill a width, as on a wall of photographs. Rows are broken where the whole
 * looks most even, as Knuth and Plass break lines (Breaking paragraphs into lines, 1981): filling one row after the
 * other would leave the last ones to suffer.
 */
import type { Rectangle } from '../region.ts'
import type { Size } from '../shape/scaled.ts'

export interface WallOptions {
  /** What every row fills. */
  width: number
  /** That rows come near to. */
  rowHeight: number
  gap: number
  /** Whether the last row fills the width too, however high it gets; else it keeps `rowHeight` and ends before. */
  fillLast: boolean
}

/** Whole pixels, in the order of the pictures. Undefined when the gaps leave a picture less than a pixel. */
export function wallOf(sizes: Size[], options: WallOptions): Rectangle[] | undefined {
  const places: Rectangle[] = []
  let y = 0
  for (const row of rowsOf(sizes, options)) {
    if (row.scale <= 0) return undefined
    const height = Math.max(1, Math.round(row.scale))
    let sum = 0
    for (const [index, { width, height: own }] of sizes.slice(row.from, row.to).entries()) {
      // Ends are rounded, not widths: so the last of a full row ends where the wall does.
      const x = Math.round(sum * row.scale)
      sum += width / own
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
  /** Its height, before rounding. */
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

/** `shape`: how wide the pictures are together in a row that is 1 high. */
function fitted(shape: number, count: number, isLast: boolean, { width, rowHeight, gap, fillLast }: WallOptions) {
  const room = width - gap * (count - 1)
  if (room <= 0) return { scale: 0, cost: Number.POSITIVE_INFINITY }
  const scale = room / shape
  if (isLast && !fillLast && scale > rowHeight) {
    // Short, not tall; a row that is nearly empty looks worse than a full one that is a little off.
    return { scale: rowHeight, cost: ((1 - rowHeight / scale) / 2) ** 2 }
  }
  // Twice as high is as wrong as half as high.
  return { scale, cost: Math.log(scale / rowHeight) ** 2 }
}
