/** Felzenszwalb and Huttenlocher, "Distance Transforms of Sampled Functions" (2012), in one dimension. */

/** Replaces each value by the minimum over all positions of their value plus the squared distance. */
export function lowerEnvelope(lengthMax: number, reach: number): (line: Float32Array) => void {
  /** Parabolas of the envelope: position and height of the apex, and the position from which each is the lowest. */
  const apex = new Int32Array(lengthMax)
  const height = new Float64Array(lengthMax)
  const start = new Float64Array(lengthMax)
  return (line) => {
    let last = -1
    for (let at = 0; at < line.length; at += 1) {
      const value = line[at] as number
      if (value === Number.POSITIVE_INFINITY) continue
      let from = Number.NEGATIVE_INFINITY
      while (last >= 0) {
        const other = apex[last] as number
        from = (value + at * at - (height[last] as number) - other * other) / (2 * (at - other))
        if (from > (start[last] as number)) break
        last -= 1
      }
      if (last < 0) from = Number.NEGATIVE_INFINITY
      last += 1
      apex[last] = at
      height[last] = value
      start[last] = from
    }
    if (last >= 0) lowest(line, apex, height, start, last, reach)
  }
}

/** Writes each parabola where it is the lowest, up to the reach. */
function lowest(
  line: Float32Array,
  apex: Int32Array,
  height: Float64Array,
  start: Float64Array,
  last: number,
  reach: number,
): void {
  line.fill(Number.POSITIVE_INFINITY)
  for (let of = 0; of <= last; of += 1) {
    const middle = apex[of] as number
    const low = height[of] as number
    const end = of < last ? (start[of + 1] as number) : line.length - 1
    const from = Math.ceil(Math.max(0, middle - reach, start[of] as number))
    const to = Math.min(line.length - 1, middle + reach, end)
    for (let at = from; at <= to; at += 1) {
      const squared = (at - middle) ** 2 + low
      if (squared <= reach * reach) line[at] = squared
    }
  }
}
