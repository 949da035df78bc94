/** Aligns and distributes cards. */
import type { Box, Point } from './geometry.ts'

export type Side = 'left' | 'centre' | 'right' | 'top' | 'middle' | 'bottom'

/** The positions at which all boxes share this side. */
export function align(boxes: ReadonlyMap<string, Box>, side: Side): Map<string, Point> {
  const all = [...boxes.values()]
  const left = Math.min(...all.map(({ x }) => x))
  const right = Math.max(...all.map(({ x, width }) => x + width))
  const top = Math.min(...all.map(({ y }) => y))
  const bottom = Math.max(...all.map(({ y, height }) => y + height))
  const to: Record<Side, (box: Box) => Point> = {
    left: ({ y }) => ({ x: left, y }),
    centre: ({ y, width }) => ({ x: (left + right - width) / 2, y }),
    right: ({ y, width }) => ({ x: right - width, y }),
    top: ({ x }) => ({ x, y: top }),
    middle: ({ x, height }) => ({ x, y: (top + bottom - height) / 2 }),
    bottom: ({ x, height }) => ({ x, y: bottom - height }),
  }
  return new Map([...boxes].map(([id, box]) => [id, to[side](box)]))
}

/** The positions at which all gaps are equal. The outermost boxes stay. */
export function distribute(boxes: ReadonlyMap<string, Box>, axis: 'x' | 'y'): Map<string, Point> {
  const extent = axis === 'x' ? 'width' : 'height'
  const row = [...boxes].toSorted(([, a], [, b]) => a[axis] - b[axis])
  const first = row[0]?.[1]
  const last = row.at(-1)?.[1]
  if (first === undefined || last === undefined || row.length < 3)
    return new Map(row.map(([id, { x, y }]) => [id, { x, y }]))
  const filled = row.reduce((sum, [, box]) => sum + box[extent], 0)
  const gap = (last[axis] + last[extent] - first[axis] - filled) / (row.length - 1)
  let at = first[axis]
  return new Map(
    row.map(([id, box]) => {
      const position = { x: box.x, y: box.y, [axis]: at }
      at += box[extent] + gap
      return [id, position]
    }),
  )
}
