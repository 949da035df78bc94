/** Shapes: a frame as it is drawn, in pixels of its image, and the bounds that describe it. */
import { type Anchor, anchored, sidesOf } from '../../../../shared/anchors.ts'
import type { Frame, FrameBound } from '../../../../shared/frames.ts'
import { type AnchorSlot, boundOf, type Slots } from './slots.ts'

export type Point = readonly [x: number, y: number]

export interface Shape {
  /** Points as in the frame: left top and right bottom of a box; the ends of a line; four corners; one point. Not rotated. */
  points: readonly Point[]
  /** Degrees clockwise, about the centre. */
  rotation: number
  /** Undefined if no param sets it. */
  fontSize?: number
  /** The compass point that places it. */
  anchor?: Anchor
  /** The distance from the sides that the point names. */
  margin?: number
}

export type Bounds = Partial<Record<FrameBound, number>>

export interface Axis {
  index: 0 | 1
  low: FrameBound
  high: FrameBound
  size: FrameBound
}

export const axes: readonly [Axis, Axis] = [
  { index: 0, low: 'x', high: 'right', size: 'width' },
  { index: 1, low: 'y', high: 'bottom', size: 'height' },
]

export function isBox({ kind }: Pick<Frame, 'kind'>): boolean {
  return kind === 'box' || kind === 'rect' || kind === 'mask'
}

const origin: Point = [0, 0]

export function pointAt({ points }: Pick<Shape, 'points'>, index: number): Point {
  return points[index] ?? origin
}

export function centreOf({ points }: Pick<Shape, 'points'>): Point {
  const sum = points.reduce(([x, y], point) => [x + point[0], y + point[1]] as const, origin)
  return [sum[0] / points.length, sum[1] / points.length]
}

/** Rotates a vector clockwise, as y goes down. */
export function turned([x, y]: Point, degrees: number): Point {
  const radians = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  return [x * cos - y * sin, x * sin + y * cos]
}

export function add(a: Point, b: Point): Point {
  return [a[0] + b[0], a[1] + b[1]]
}

export function minus(a: Point, b: Point): Point {
  return [a[0] - b[0], a[1] - b[1]]
}

/** The direction of a vector in degrees from 0 to 360: 0 up, clockwise. */
export function angleOf([x, y]: Point): number {
  return ((Math.atan2(x, -y) * 180) / Math.PI + 360) % 360
}

/** All corners of a box, clockwise from the top left, rotated. The points of other shapes. */
export function cornersOf(frame: Pick<Frame, 'kind'>, shape: Shape): readonly Point[] {
  if (!isBox(frame)) return shape.points
  const [[left, top], [right, bottom]] = [pointAt(shape, 0), pointAt(shape, 1)]
  const centre = centreOf(shape)
  const corners: Point[] = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ]
  return corners.map((corner) => add(centre, turned(minus(corner, centre), shape.rotation)))
}

/** The smallest upright rectangle around the shape: left top and right bottom. */
export function extentOf(frame: Pick<Frame, 'kind'>, shape: Shape): [Point, Point] {
  const corners = cornersOf(frame, shape)
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  return [
    [Math.min(...xs), Math.min(...ys)],
    [Math.max(...xs), Math.max(...ys)],
  ]
}

export function boundsOf({ kind }: Pick<Frame, 'kind'>, { points, rotation, fontSize, margin }: Shape): Bounds {
  const [first, second] = [pointAt({ points }, 0), pointAt({ points }, 1)]
  if (kind === 'point') return { x: first[0], y: first[1] }
  if (kind === 'line' || kind === 'quad') {
    const ends = points.flatMap(([x, y], index) => [
      [`x${index + 1}`, x],
      [`y${index + 1}`, y],
    ])
    const angle = kind === 'line' ? { angle: angleOf(minus(second, first)) } : {}
    return { ...(Object.fromEntries(ends) as Bounds), ...angle }
  }
  const [x, y, right, bottom] = [...first, ...second]
  return {
    ...{ x, y, right, bottom, rotation, width: right - x, height: bottom - y },
    ...(fontSize === undefined ? {} : { fontSize }),
    ...(margin === undefined ? {} : { margin }),
  }
}

/** The frame with the values that its params have now in the document. Bounds without a value are as reported. */
export function shapeOf(frame: Frame, slots: Slots, anchor?: AnchorSlot): Shape {
  const now = (bound: FrameBound) => (slots[bound] === undefined ? undefined : boundOf(slots[bound]))
  const { kind, points, rotation = 0 } = frame
  const fontSize = now('fontSize')
  const more = { rotation: now('rotation') ?? rotation, ...(fontSize === undefined ? {} : { fontSize }) }
  if (kind === 'point') {
    const [x, y] = pointAt(frame, 0)
    return { points: [[now('x') ?? x, now('y') ?? y]], ...more }
  }
  if (kind === 'line' || kind === 'quad') {
    const moved = points.map(
      ([x, y], index): Point => [now(`x${index + 1}` as FrameBound) ?? x, now(`y${index + 1}` as FrameBound) ?? y],
    )
    const angle = now('angle')
    return { points: kind === 'line' && angle !== undefined ? atAngle(moved, angle) : moved, ...more }
  }
  const ranges = axes.map((axis) => {
    const [low, high] = [pointAt(frame, 0)[axis.index], pointAt(frame, 1)[axis.index]]
    return rangeOf({ low: now(axis.low), high: now(axis.high), size: now(axis.size) }, { low, high })
  })
  const [x, y] = ranges as [Range, Range]
  const shape: Shape = {
    points: [
      [x.low, y.low],
      [x.high, y.high],
    ],
    ...more,
  }
  return anchor === undefined ? shape : placed(frame, shape, anchor, now('margin') ?? reportedMargin(frame, slots))
}

/** The shape at the sides of the image. Rotated, all of it has the margin. */
function placed(frame: Frame, shape: Shape, { value, size }: AnchorSlot, margin: number): Shape {
  const [low, high] = extentOf(frame, shape)
  const extent = { width: high[0] - low[0], height: high[1] - low[1] }
  const { x, y } = anchored(extent, size, value, Math.round(margin))
  const by = minus([x, y], low)
  return { ...shape, points: shape.points.map((point) => add(point, by)), anchor: value, margin }
}

/** The margin of a template, from the place that was drawn. A param without a value or a default is 0. */
function reportedMargin(frame: Frame, { margin }: Slots): number {
  if (frame.anchor === undefined || margin?.lockedBy === undefined) return 0
  const { value, size } = frame.anchor
  const [low, high] = extentOf(frame, { points: frame.points, rotation: frame.rotation ?? 0 })
  const index = sidesOf(value)[0] === 0 ? 1 : 0
  const side = sidesOf(value)[index]
  return side === -1 ? low[index] : side === 1 ? size[index] - high[index] : 0
}

interface Range {
  low: number
  high: number
}

function rangeOf(
  { low, high, size }: { low: number | undefined; high: number | undefined; size: number | undefined },
  reported: Range,
): Range {
  const length = size ?? reported.high - reported.low
  if (low !== undefined) return { low, high: high ?? low + length }
  if (high !== undefined) return { low: high - length, high }
  return { low: reported.low, high: reported.low + length }
}

/** The line about its middle, in another direction. */
function atAngle(points: readonly Point[], angle: number): Point[] {
  const [start, end] = [pointAt({ points }, 0), pointAt({ points }, 1)]
  const middle = centreOf({ points: [start, end] })
  const half = Math.hypot(...minus(end, start)) / 2
  const way = turned([0, -half], angle)
  return [minus(middle, way), add(middle, way)]
}

export function lineAt(shape: Shape, angle: number): Shape {
  return { ...shape, points: atAngle(shape.points, angle) }
}
