/**
 * The curve through points, as the service draws it: smooth, without overshooting, level before the first and after the
 * last point.
 */

export type CurvePoint = readonly [number, number]

/** The curve as an SVG path, in the units of the points; `from` and `to` are the ends of the axis. */
export function curvePath(points: readonly CurvePoint[], from: number, to: number): string {
  const sorted = points.toSorted((a, b) => a[0] - b[0])
  const [first] = sorted
  const last = sorted.at(-1)
  if (first === undefined || last === undefined) return ''
  const slopes = slopesOf(sorted)
  const parts = [`M ${from} ${first[1]} L ${first[0]} ${first[1]}`]
  for (const [i, [x, y]] of sorted.slice(1).entries()) {
    const [x0, y0] = sorted[i] ?? first
    const third = (x - x0) / 3
    const [a = 0, b = 0] = [slopes[i], slopes[i + 1]]
    parts.push(`C ${x0 + third} ${y0 + a * third} ${x - third} ${y - b * third} ${x} ${y}`)
  }
  return `${parts.join(' ')} L ${to} ${last[1]}`
}

/** The method of Fritsch and Carlson: slopes that keep the pieces monotone. */
function slopesOf(points: readonly CurvePoint[]): number[] {
  const secants = points.slice(1).map(([x, y], i) => {
    const [x0, y0] = points[i] ?? [x, y]
    return x === x0 ? 0 : (y - y0) / (x - x0)
  })
  return points.map((_, i) => {
    const before = secants[i - 1]
    const after = secants[i]
    if (before === undefined) return after ?? 0
    if (after === undefined) return before
    if (before * after <= 0) return 0
    return (2 * before * after) / (before + after)
  })
}

/** A new point in the middle of the widest gap. */
export function pointBetween(points: readonly CurvePoint[], from: number, to: number): CurvePoint {
  const sorted = points.toSorted((a, b) => a[0] - b[0])
  const all: CurvePoint[] = [[from, sorted[0]?.[1] ?? from], ...sorted, [to, sorted.at(-1)?.[1] ?? to]]
  const gaps = all.slice(1).map((end, i): [CurvePoint, CurvePoint] => [all[i] ?? end, end])
  const [start, end] = gaps.reduce((widest, gap) =>
    gap[1][0] - gap[0][0] > widest[1][0] - widest[0][0] ? gap : widest,
  )
  return [Math.round((start[0] + end[0]) / 2), Math.round((start[1] + end[1]) / 2)]
}
