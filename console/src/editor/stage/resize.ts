/** Resizing: which edges follow, and where they can be. */
import {
  canMove,
  canResize,
  type EdgeGrip,
  type Gesture,
  isInside,
  keepsRatio,
  type Snapping,
  sideOf,
  type Target,
} from './grips.ts'
import { type Axis, add, axes, centreOf, minus, pointAt, type Shape, turned } from './shape.ts'
import { nearestBound, type Slots } from './slots.ts'
import { snapShift } from './snap.ts'

interface Edge {
  low: number
  high: number
}

type Edges = Edge & { side: -1 | 0 | 1 }

export function resize(target: Target, grip: EdgeGrip, gesture: Gesture, snapping: Snapping | undefined): Shape {
  const { frame, shape, slots, image } = target
  const { rotation } = shape
  const by = turned(gesture.by, -rotation)
  const ranges = axes.map((axis) => {
    const { index } = axis
    const [low, high] = [pointAt(shape, 0)[index], pointAt(shape, 1)[index]]
    const side = sideOf(grip, axis)
    if (side === 0) return { low, high, side }
    let edge = (side === -1 ? low : high) + by[index]
    if (snapping !== undefined && rotation === 0) edge += snapShift(snapping.lines[index], [edge], snapping.reach) ?? 0
    return { low: side === -1 ? edge : low, high: side === 1 ? edge : high, side }
  })
  const before = axes.map(({ index }) => pointAt(shape, 1)[index] - pointAt(shape, 0)[index]) as [number, number]
  if ((gesture.isConstrained || keepsRatio(slots)) && before[0] > 0 && before[1] > 0) keepRatio(ranges, before)
  const settled = axes.map((axis) => {
    const { index } = axis
    const { low, high, side } = ranges[index] as Edges
    const start = { low: pointAt(shape, 0)[index], high: pointAt(shape, 1)[index] }
    const isCentred = gesture.isCentred === true && side !== 0 && canMove(frame, slots, axis)
    const grown = isCentred ? mirrored(start, { low, high }, side) : { low, high }
    if (grown.low === start.low && grown.high === start.high) return start
    const length = index === 0 ? image.width : image.height
    return settle(axis, slots, start, grown, side, isInside(target, axis) ? length : undefined)
  }) as [Edge, Edge]
  const resized: Shape = {
    ...shape,
    points: [
      [settled[0].low, settled[1].low],
      [settled[0].high, settled[1].high],
    ],
  }
  return rotation === 0 || gesture.isCentred ? resized : anchored(target, resized, grip)
}

/** Up makes the text larger, by a pixel for each pixel: about as much as its lines grow. Its box stays. */
export function resizeText({ shape, slots }: Target, { by }: Gesture): Shape {
  if (shape.fontSize === undefined) return shape
  return { ...shape, fontSize: nearestBound(slots.fontSize, shape.fontSize - turned(by, -shape.rotation)[1]) }
}

/** Moves the opposite edge too. */
function mirrored(start: Edge, { low, high }: Edge, side: -1 | 0 | 1): Edge {
  const grown = side === -1 ? start.low - low : high - start.high
  return { low: start.low - grown, high: start.high + grown }
}

/** The larger change gives the scale. An edge alone also scales the other axis, about its middle. */
function keepRatio(ranges: Edges[], before: readonly [number, number]): void {
  const scales = ranges.map(({ low, high, side }, index) => (side === 0 ? 1 : (high - low) / (before[index] ?? 1)))
  const scale = scales.reduce((most, each) => (Math.abs(each - 1) > Math.abs(most - 1) ? each : most), 1)
  for (const [index, range] of ranges.entries()) {
    const length = (before[index] ?? 0) * scale
    if (range.side === -1) range.low = range.high - length
    else if (range.side === 1) range.high = range.low + length
    else {
      const middle = (range.low + range.high) / 2
      range.low = middle - length / 2
      range.high = middle + length / 2
    }
  }
}

/** The nearest edges that the params can have. An edge that the gesture doesn't move stays. */
function settle(axis: Axis, slots: Slots, start: Edge, { low, high }: Edge, side: number, length?: number): Edge {
  const canLow = low !== start.low && canResize(slots, axis, -1)
  const canHigh = high !== start.high && canResize(slots, axis, 1)
  const sized = slots[axis.size]
  const least = 1
  let next = { low: canLow ? low : start.low, high: canHigh ? high : start.high }
  if (length !== undefined) next = { low: Math.max(next.low, 0), high: Math.min(next.high, length) }
  // An edge doesn't pass the opposite one.
  if (canLow) next.low = Math.min(next.low, next.high - least)
  if (canHigh) next.high = Math.max(next.high, next.low + least)
  if (canLow) next.low = nearestBound(slots[axis.low], next.low)
  if (canHigh) next.high = nearestBound(slots[axis.high], next.high)
  if (sized === undefined) return next
  const size = nearestBound(sized, next.high - next.low)
  if (!canLow) return { low: next.low, high: next.low + size }
  if (canHigh && side !== -1) return { low: next.low, high: next.low + size }
  // The opposite edge stays if the left edge can be where the size says.
  const lower = nearestBound(slots[axis.low], next.high - size)
  return { low: lower, high: lower + size }
}

/** Moves a rotated box back, so that the opposite corner or edge stays where it was. */
function anchored({ frame, shape, slots }: Target, resized: Shape, grip: EdgeGrip): Shape {
  const anchorOf = (of: Shape) => {
    const centre = centreOf(of)
    const half = axes.map((axis) => {
      const length = pointAt(of, 1)[axis.index] - pointAt(of, 0)[axis.index]
      return (-sideOf(grip, axis) * length) / 2
    }) as [number, number]
    return add(centre, turned(half, of.rotation))
  }
  const shift = minus(anchorOf(shape), anchorOf(resized))
  const possible = axes.map((axis) => {
    if (!canMove(frame, slots, axis)) return 0
    const low = pointAt(resized, 0)[axis.index]
    const slot = slots[axis.low]
    return slot === undefined ? shift[axis.index] : nearestBound(slot, low + shift[axis.index]) - low
  }) as [number, number]
  return { ...resized, points: resized.points.map((point) => add(point, possible)) }
}
