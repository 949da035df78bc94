/** A point of a curve, in and out, 0 to 255. */
export type Point = readonly [from: number, to: number]

/**
 * A smooth curve through points of ascending `from`, flat before the first and after the last. Between two points it
 * stays in their range: the monotone cubic of Fritsch and Carlson (Monotone piecewise cubic interpolation, SIAM J.
 * Numer. Anal. 17, 1980); an ordinary spline overshoots.
 */
export function monotoneCurve(points: readonly Point[]): (from: number) => number {
  const slopes = slopesOf(points)
  return (from) => {
    const after = points.findIndex(([x]) => x >= from)
    const [left, right] = [points[after - 1], points[after]]
    if (left === undefined || right === undefined) return (right ?? points.at(-1) ?? [0, from])[1]
    const width = right[0] - left[0]
    const t = (from - left[0]) / width
    // Hermite basis.
    const rise = t * t * (3 - 2 * t)
    const bend = t * (1 - t) * ((1 - t) * (slopes[after - 1] ?? 0) - t * (slopes[after] ?? 0))
    return left[1] + (right[1] - left[1]) * rise + width * bend
  }
}

/** The slope of the curve at each point. */
function slopesOf(points: readonly Point[]): number[] {
  const secants = points.slice(1).map(([x, y], i) => (y - (points[i]?.[1] ?? 0)) / (x - (points[i]?.[0] ?? 0)))
  const slopes = points.map((_, i) => {
    const [before, after] = [secants[i - 1], secants[i]]
    if (before === undefined || after === undefined) return before ?? after ?? 0
    // Slope 0 at a maximum or minimum.
    return before * after <= 0 ? 0 : (before + after) / 2
  })
  for (const [i, secant] of secants.entries()) {
    // Their circle of radius 3: steeper slopes would overshoot.
    const length = Math.hypot(slopes[i] ?? 0, slopes[i + 1] ?? 0)
    if (length <= 3 * Math.abs(secant)) continue
    const shrink = (3 * Math.abs(secant)) / length
    slopes[i] = (slopes[i] ?? 0) * shrink
    slopes[i + 1] = (slopes[i + 1] ?? 0) * shrink
  }
  return slopes
}
