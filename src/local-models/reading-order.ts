/** Sorts pieces of text in reading order. */
import type { Rectangle } from '../imaging/raster/region.ts'
import type { Point, Slanted } from './slanted.ts'

export interface TextLine extends Rectangle {
  text: string
  /** Confidence of the model, 0 to 1: the mean of its characters. */
  score: number
}

/** The direction of most of the text: the longest line has the most exact one. */
export function tiltOf(regions: readonly Slanted[]): Point {
  const longest = regions.reduce<Slanted | undefined>((a, b) => (a && a.width >= b.width ? a : b), undefined)
  return longest?.along ?? { x: 1, y: 0 }
}

/**
 * Rows along a direction. A piece belongs to a row if its centre is less than half a height from the centre of the
 * row's first piece: the centre of a tilted line's box is the centre of the line.
 */
export function rowsOf(lines: readonly TextLine[], along: Point = { x: 1, y: 0 }): TextLine[][] {
  const [across, down] = [new Map<TextLine, number>(), new Map<TextLine, number>()]
  for (const line of lines) {
    const [x, y] = [line.x + line.width / 2, line.y + line.height / 2]
    across.set(line, x * along.x + y * along.y)
    down.set(line, y * along.x - x * along.y)
  }
  const between = (by: Map<TextLine, number>, a: TextLine, b: TextLine) => (by.get(a) ?? 0) - (by.get(b) ?? 0)
  const rows: TextLine[][] = []
  for (const line of [...lines].sort((a, b) => between(down, a, b))) {
    const last = rows.at(-1)
    const first = last?.[0]
    const isSame = first && between(down, line, first) < Math.min(first.height, line.height) / 2
    if (last && isSame) last.push(line)
    else rows.push([line])
  }
  return rows.map((row) => row.sort((a, b) => between(across, a, b)))
}
