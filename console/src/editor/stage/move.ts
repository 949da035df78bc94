/** Moves, turns and the movement of single points. */
import { canMove, type Gesture, isInside, pointBound, type Snapping, type Target } from './grips.ts'
import {
  add,
  angleOf,
  axes,
  centreOf,
  extentOf,
  lineAt,
  minus,
  type Point,
  pointAt,
  type Shape,
  turned,
} from './shape.ts'
import { boundOf, isFree, nearestBound, type Slot } from './slots.ts'
import { edgesOf, snapShift } from './snap.ts'

const angleStep = 15
const rightAngle = 90
const angleReach = 3

export function move(target: Target, { by, isConstrained }: Gesture, snapping: Snapping | undefined): Shape {
  const { frame, shape, slots, image } = target
  const extent = extentOf(frame, shape)
  const positions = frame.kind === 'point' ? extent.slice(0, 1).map((point) => [...point]) : undefined
  const wanted = isConstrained ? oneAxis(by) : by
  const shifts = axes.map((axis) => {
    const { index, low, high } = axis
    if (!canMove(frame, slots, axis, shape.points.length)) return 0
    let shift = wanted[index]
    const isStill = isConstrained && shift === 0
    if (snapping !== undefined && !isStill) {
      const edges = positions?.map((point) => point[index] ?? 0) ?? edgesOf(extent)[index]
      const moved = edges.map((edge) => edge + shift)
      shift += snapShift(snapping.lines[index], moved, snapping.reach) ?? 0
    }
    const length = index === 0 ? image.width : image.height
    if (isInside(target, axis)) shift = Math.max(-extent[0][index], Math.min(shift, length - extent[1][index]))
    if (frame.kind === 'line' || frame.kind === 'quad') {
      const allowed = shape.points.map((point, number) => {
        const bound = pointBound(axis, number)
        return nearestBound(slots[bound], point[index] + shift) - point[index]
      })
      return allowed.reduce((least, each) => (Math.abs(each) < Math.abs(least) ? each : least))
    }
    const before = pointAt(shape, 0)[index]
    if (slots[low] !== undefined) return nearestBound(slots[low], before + shift) - before
    const end = pointAt(shape, 1)[index]
    return nearestBound(slots[high], end + shift) - end
  }) as [number, number]
  return { ...shape, points: shape.points.map((point) => add(point, shifts)) }
}

export function movePoint(target: Target, grip: number, gesture: Gesture, snapping: Snapping | undefined): Shape {
  const { frame, shape, slots } = target
  const { by, from, isConstrained } = gesture
  const before = pointAt(shape, grip)
  const opposite = frame.kind === 'line' ? pointAt(shape, 1 - grip) : undefined
  const isTurned = frame.kind === 'line' && slots.x1 === undefined && slots.angle !== undefined
  if (isTurned) {
    if (!isFree(slots.angle)) return shape
    const middle = centreOf(shape)
    const way = from === undefined ? undefined : minus(add(before, by), middle)
    const sign = grip === 0 ? -1 : 1
    const current = boundOf(slots.angle) ?? angleOf(minus(pointAt(shape, 1), pointAt(shape, 0)))
    const angle = way === undefined ? current + by[0] + by[1] : angleOf([way[0] * sign, way[1] * sign])
    const stepped = snapAngle(angle, isConstrained === true, snapping !== undefined && from !== undefined)
    return lineAt(shape, nearestBound(slots.angle, inRange(stepped, slots.angle)))
  }
  const wanted = isConstrained && opposite === undefined ? oneAxis(by) : by
  let to = add(before, wanted)
  if (isConstrained && opposite !== undefined) to = onRay(opposite, to)
  const point = axes.map((axis) => {
    const { index } = axis
    const slot = slots[frame.kind === 'point' ? axis.low : pointBound(axis, grip)]
    if (!isFree(slot)) return before[index]
    const isStill = isConstrained && (opposite !== undefined || wanted[index] === 0)
    const shift = snapping && !isStill ? snapShift(snapping.lines[index], [to[index]], snapping.reach) : 0
    return nearestBound(slot, to[index] + (shift ?? 0))
  }) as [number, number]
  return { ...shape, points: shape.points.with(grip, point) }
}

export function rotate({ shape, slots }: Target, { by, from, isConstrained }: Gesture, isSnapping: boolean): Shape {
  const slot = slots.rotation
  if (!isFree(slot)) return shape
  const centre = centreOf(shape)
  const turn = from === undefined ? by[0] + by[1] : angleOf(minus(add(from, by), centre)) - angleOf(minus(from, centre))
  const angle = snapAngle(shape.rotation + turn, isConstrained === true, isSnapping && from !== undefined)
  return { ...shape, rotation: nearestBound(slot, inRange(angle, slot)) }
}

function oneAxis([x, y]: Point): Point {
  return Math.abs(x) >= Math.abs(y) ? [x, 0] : [0, y]
}

/** The nearest point in a direction of whole steps from another point. */
function onRay(from: Point, to: Point): Point {
  const way = minus(to, from)
  const angle = Math.round(angleOf(way) / angleStep) * angleStep
  return add(from, turned([0, -Math.hypot(...way)], angle))
}

function snapAngle(angle: number, isStepped: boolean, isSnapping: boolean): number {
  if (isStepped) return Math.round(angle / angleStep) * angleStep
  const near = Math.round(angle / rightAngle) * rightAngle
  return isSnapping && Math.abs(angle - near) <= angleReach ? near : angle
}

/** The same direction within the limits of the param, nearest to its value: -10 instead of 350 if it was 0. */
function inRange(degrees: number, slot: Slot): number {
  const { min, max, scale, origin } = slot
  const now = boundOf(slot) ?? 0
  const [low, high] = [min * scale + origin, max * scale + origin].sort((a, b) => a - b) as [number, number]
  const same = [degrees, degrees - 360, degrees + 360, degrees - 720].filter((each) => each >= low && each <= high)
  const nearest = same.toSorted((a, b) => Math.abs(a - now) - Math.abs(b - now))[0]
  return nearest ?? degrees
}
