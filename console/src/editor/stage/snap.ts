/** Snapping: lines that a moved edge or point jumps to, and the guides that show it. */
import type { Frame } from '../../../../shared/frames.ts'
import type { Size } from '../document/geometry.ts'
import { extentOf, type Point, type Shape } from './shape.ts'

/** Positions of vertical lines, and of horizontal ones. */
export type SnapLines = readonly [readonly number[], readonly number[]]

/** A line that is shown while something is at it. `axis`: 0 for a vertical line at x, 1 for a horizontal one at y. */
export interface Guide {
  axis: 0 | 1
  at: number
}

/** The edges, thirds and centre of the image, and the edges and centres of other frames. */
export function snapLines({ width, height }: Size, others: readonly { frame: Frame; shape: Shape }[]): SnapLines {
  const extents = others.map(({ frame, shape }) => extentOf(frame, shape))
  const along = (length: number, axis: 0 | 1) => [
    ...[0, length / 3, length / 2, (length * 2) / 3, length],
    ...extents.flatMap(([low, high]) => [low[axis], (low[axis] + high[axis]) / 2, high[axis]]),
  ]
  return [along(width, 0), along(height, 1)]
}

/**
 * The shift to the nearest line, for the nearest of several positions on one axis. Undefined if none is within `reach`. Of equally
 * near lines, the first one.
 */
export function snapShift(lines: readonly number[], positions: readonly number[], reach: number): number | undefined {
  let best: number | undefined
  for (const position of positions)
    for (const line of lines) {
      const shift = line - position
      if (Math.abs(shift) <= reach && (best === undefined || Math.abs(shift) < Math.abs(best))) best = shift
    }
  return best
}

/** The lines that a shape is at after it was moved. */
export function guidesAt(lines: SnapLines, positions: readonly [readonly number[], readonly number[]]): Guide[] {
  const half = 0.51
  return ([0, 1] as const).flatMap((axis) => {
    const met = lines[axis].find((line) => positions[axis].some((position) => Math.abs(line - position) < half))
    return met === undefined ? [] : [{ axis, at: met }]
  })
}

/** The edges and the middle of an extent, on both axes. */
export function edgesOf([low, high]: readonly [Point, Point]): [number[], number[]] {
  const along = (axis: 0 | 1) => [low[axis], (low[axis] + high[axis]) / 2, high[axis]]
  return [along(0), along(1)]
}
