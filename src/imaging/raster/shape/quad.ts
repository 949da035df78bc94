/** Plane geometry of four corners and the projective map from a rectangle to them. */

export interface Point {
  x: number
  y: number
}

/** The corners of an image: upper left, upper right, lower right, lower left, at any position. */
export type Quad = readonly [Point, Point, Point, Point]

/** A projective map: x = (a x + b y + c) / (g x + h y + i), y = (d x + e y + f) / (g x + h y + i). */
export type Homography = readonly [
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
  g: number,
  h: number,
  i: number,
]

/**
 * The transform from a rectangle at the origin to the quad: Heckbert, Fundamentals of Texture Mapping and Image
 * Warping, 1989, 2.2.3.
 */
export function toQuad(width: number, height: number, [p0, p1, p2, p3]: Quad): Homography {
  const sum = { x: p0.x - p1.x + p2.x - p3.x, y: p0.y - p1.y + p2.y - p3.y }
  const u = { x: p1.x - p2.x, y: p1.y - p2.y }
  const v = { x: p3.x - p2.x, y: p3.y - p2.y }
  const det = u.x * v.y - v.x * u.y
  const g = (sum.x * v.y - v.x * sum.y) / det
  const h = (u.x * sum.y - sum.x * u.y) / det
  const [a, b] = [p1.x - p0.x + g * p1.x, p3.x - p0.x + h * p3.x]
  const [d, e] = [p1.y - p0.y + g * p1.y, p3.y - p0.y + h * p3.y]
  return [a / width, b / height, p0.x, d / width, e / height, p0.y, g / width, h / height, 1]
}

/** The adjugate, which is the inverse up to a factor that cancels out. */
export function inverse([a, b, c, d, e, f, g, h, i]: Homography): Homography {
  const adjugate: Homography = [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ]
  return adjugate
}

/** Scales the result. */
export function stretched([a, b, c, d, e, f, g, h, i]: Homography, across: number, down: number): Homography {
  return [a * across, b * across, c * across, d * down, e * down, f * down, g, h, i]
}

export function mapped([a, b, c, d, e, f, g, h, i]: Homography, { x, y }: Point): Point {
  const w = g * x + h * y + i
  return { x: (a * x + b * y + c) / w, y: (d * x + e * y + f) / w }
}

/** The change of each result coordinate per unit of the plane, in the direction of the largest change. */
export function steepness(map: Homography, point: Point): Point {
  const [a, b, , d, e, , g, h, i] = map
  const w = g * point.x + h * point.y + i
  const { x: u, y: v } = mapped(map, point)
  return { x: Math.hypot((a - g * u) / w, (b - h * u) / w), y: Math.hypot((d - g * v) / w, (e - h * v) / w) }
}

/** Whether a rectangle can be projected to this quad: convex, without crossing sides, and with an area. */
export function isConvex(quad: Quad): boolean {
  const turns = sidesOf(quad).map(([from, to], at, sides) => {
    const next = sides[(at + 1) % 4]?.[1] ?? to
    const [length, nextLength] = [Math.hypot(to.x - from.x, to.y - from.y), Math.hypot(next.x - to.x, next.y - to.y)]
    // The sine of the angle: a corner of less than a few hundredths of a degree counts as straight.
    return ((to.x - from.x) * (next.y - to.y) - (to.y - from.y) * (next.x - to.x)) / (length * nextLength)
  })
  return turns.every((turn) => turn > 0.001) || turns.every((turn) => turn < -0.001)
}

export function sidesOf([p0, p1, p2, p3]: Quad): [Point, Point][] {
  return [
    [p0, p1],
    [p1, p2],
    [p2, p3],
    [p3, p0],
  ]
}

/** A line with an inside: a x + b y + c is the distance, positive inside. */
export interface Side {
  a: number
  b: number
  c: number
}

/** The sides of a convex quad in either orientation. */
export function insides(quad: Quad): Side[] {
  const middle = { x: quad.reduce((sum, { x }) => sum + x, 0) / 4, y: quad.reduce((sum, { y }) => sum + y, 0) / 4 }
  return sidesOf(quad).map(([from, to]) => {
    const length = Math.hypot(to.x - from.x, to.y - from.y)
    const [a, b] = [(from.y - to.y) / length, (to.x - from.x) / length]
    const c = -(a * from.x + b * from.y)
    return a * middle.x + b * middle.y + c < 0 ? { a: -a, b: -b, c: -c } : { a, b, c }
  })
}

/** The part of a convex polygon that lies inside: Sutherland and Hodgman, Reentrant polygon clipping, 1974. */
export function clipped(polygon: Point[], { a, b, c }: Side): Point[] {
  return polygon.flatMap((point, at) => {
    const before = polygon.at(at - 1) ?? point
    const [here, there] = [a * point.x + b * point.y + c, a * before.x + b * before.y + c]
    const crosses = here < 0 !== there < 0
    const share = there / (there - here)
    const crossing = crosses
      ? [{ x: before.x + (point.x - before.x) * share, y: before.y + (point.y - before.y) * share }]
      : []
    return here < 0 ? crossing : [...crossing, point]
  })
}

/** The area of a polygon in either orientation, by the shoelace formula. */
export function areaOf(polygon: Point[]): number {
  const twice = polygon.reduce((sum, { x, y }, at) => {
    const before = polygon.at(at - 1) ?? { x, y }
    return sum + before.x * y - x * before.y
  }, 0)
  return Math.abs(twice) / 2
}
