/** Rotated rectangles. */

export interface Point {
  x: number
  y: number
}

export interface Slanted {
  center: Point
  /** Unit vector along its width; its height is a quarter turn clockwise from there, because y points down. */
  along: Point
  width: number
  height: number
}

/** The smallest rectangle around points: one of its sides lies on their convex hull (Freeman and Shapira 1975). */
export function smallestAround(points: readonly Point[]): Slanted {
  const hull = hullOf(points)
  let smallest: Slanted | undefined
  for (const [at, from] of hull.entries()) {
    const to = hull[(at + 1) % hull.length] as Point
    const length = Math.hypot(to.x - from.x, to.y - from.y)
    const along = length === 0 ? { x: 1, y: 0 } : { x: (to.x - from.x) / length, y: (to.y - from.y) / length }
    const found = boundsAlong(hull, along)
    if (smallest === undefined || found.width * found.height < smallest.width * smallest.height) smallest = found
  }
  if (smallest === undefined) throw new Error('there are no points')
  return levelled(smallest)
}

export function cornersOf({ center, along, width, height }: Slanted): Point[] {
  const signs = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ] as const
  return signs.map(([w, h]) => ({
    x: center.x + (along.x * w * width - along.y * h * height) / 2,
    y: center.y + (along.y * w * width + along.x * h * height) / 2,
  }))
}

function boundsAlong(points: readonly Point[], along: Point): Slanted {
  const down = { x: -along.y, y: along.x }
  const far = (axis: Point) => {
    const distances = points.map(({ x, y }) => x * axis.x + y * axis.y)
    return [Math.min(...distances), Math.max(...distances)] as const
  }
  const [left, right] = far(along)
  const [top, bottom] = far(down)
  const [u, v] = [(left + right) / 2, (top + bottom) / 2]
  const center = { x: along.x * u + down.x * v, y: along.y * u + down.y * v }
  return { center, along, width: right - left, height: bottom - top }
}

/** Rotated by quarter turns until its width is the side closest to horizontal, from left to right. */
function levelled(slanted: Slanted): Slanted {
  let { along, width, height } = slanted
  while (!(along.x > 0 && Math.abs(along.y) <= along.x + 1e-9)) {
    along = { x: -along.y, y: along.x }
    ;[width, height] = [height, width]
  }
  return { ...slanted, along, width, height }
}

/** Andrew's monotone chain. */
function hullOf(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y)
  const half = (those: Point[]) => {
    const chain: Point[] = []
    for (const point of those) {
      while (chain.length >= 2 && !turns(chain.at(-2) as Point, chain.at(-1) as Point, point)) chain.pop()
      chain.push(point)
    }
    return chain.slice(0, -1)
  }
  const hull = [...half(sorted), ...half(sorted.reverse())]
  return hull.length > 0 ? hull : sorted.slice(0, 1)
}

function turns(a: Point, b: Point, c: Point): boolean {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0
}
