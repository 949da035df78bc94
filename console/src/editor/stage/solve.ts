/** The geometry of a gesture: from a frame and the movement of a grip to the new shape and the params that it sets. Pure functions. */
import type { Frame, FrameBound } from '../../../../shared/frames.ts'
import type { Size } from '../document/geometry.ts'
import {
  type Axis,
  add,
  angleOf,
  axes,
  boundsOf,
  centreOf,
  extentOf,
  isBox,
  lineAt,
  minus,
  type Point,
  pointAt,
  type Shape,
  shapeOf,
  turned,
} from './shape.ts'
import { boundOf, isFree, nearestBound, type Slot, type Slots, valueFor } from './slots.ts'
import { edgesOf, type Guide, guidesAt, type SnapLines, snapShift } from './snap.ts'

/** The edges and corners of a box, as directions of the compass. */
export const edgeGrips = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'] as const
export type EdgeGrip = (typeof edgeGrips)[number]

/** A part of a frame that is dragged. A number: the index of a point. */
export type Grip = 'move' | 'rotate' | EdgeGrip | number

export interface Target {
  frame: Frame
  shape: Shape
  slots: Slots
  /** The image whose pixels the shape is in. */
  image: Size
}

export interface Gesture {
  grip: Grip
  /** Pixels of the image. */
  by: Point
  /** Where the drag started; undefined for a key. */
  from?: Point
  /** Shift: keeps the ratio, one axis or steps of an angle. */
  isConstrained?: boolean
  /** Alt: resizes from the centre. */
  isCentred?: boolean
}

export interface Snapping {
  lines: SnapLines
  /** Pixels of the image. */
  reach: number
}

export interface Solution {
  shape: Shape
  guides: readonly Guide[]
  /** The bounds that changed -> the values of their params. */
  writes: ReadonlyMap<FrameBound, number>
}

const angleStep = 15
const rightAngle = 90
const angleReach = 3

export function solve(target: Target, gesture: Gesture, snapping?: Snapping): Solution {
  const { frame } = target
  const { grip } = gesture
  if (grip === 'rotate') return finish(target, rotate(target, gesture, snapping !== undefined))
  if (grip === 'move') return finish(target, move(target, gesture, snapping), snapping)
  if (typeof grip === 'number') return finish(target, movePoint(target, grip, gesture, snapping), snapping)
  if (!isBox(frame)) return finish(target, target.shape)
  if (scalesText(target.slots)) return finish(target, scaleText(target, grip, gesture))
  return finish(target, resize(target, grip, gesture, snapping), snapping)
}

/** The grips that can move at least one axis. */
export function gripsOf({ frame, shape, slots }: Pick<Target, 'frame' | 'shape' | 'slots'>): Grip[] {
  if (frame.kind === 'point') return isFree(slots.x) || isFree(slots.y) ? [0] : []
  if (frame.kind === 'line' || frame.kind === 'quad') {
    const turns = frame.kind === 'line' && isFree(slots.angle)
    const points = shape.points.flatMap((_, index): Grip[] =>
      turns || axes.some((axis) => isFree(slots[pointBound(axis, index)])) ? [index] : [],
    )
    return axes.some((axis) => canMove(frame, slots, axis, shape.points.length)) ? ['move', ...points] : points
  }
  const moves: Grip[] = axes.some((axis) => canMove(frame, slots, axis)) ? ['move'] : []
  const edges = scalesText(slots)
    ? edgeGrips.filter((grip) => grip.length === 2)
    : edgeGrips.filter((grip) =>
        // A corner is there if both of its edges are, so that it always moves as drawn.
        axes.every((axis) => {
          const side = sideOf(grip, axis)
          return side === 0 || canResize(slots, axis, side)
        }),
      )
  return [...moves, ...edges, ...(isFree(slots.rotation) ? (['rotate'] as const) : [])]
}

/** -1: the left or top edge. 1: the right or bottom one. 0: neither. */
export function sideOf(grip: EdgeGrip, { index }: Axis): -1 | 0 | 1 {
  const [low, high] = index === 0 ? ['w', 'e'] : ['n', 's']
  return grip.includes(low as string) ? -1 : grip.includes(high as string) ? 1 : 0
}

function pointBound({ index }: Axis, point: number): FrameBound {
  return `${index === 0 ? 'x' : 'y'}${point + 1}` as FrameBound
}

/** Whether the frame can be moved along the axis with its size as it is. */
function canMove({ kind }: Pick<Frame, 'kind'>, slots: Slots, axis: Axis, points = 0): boolean {
  const bounds =
    kind === 'line' || kind === 'quad'
      ? Array.from({ length: points }, (_, index) => pointBound(axis, index))
      : [axis.low, axis.high].filter((bound) => slots[bound] !== undefined)
  // One margin of both sides can't move a frame.
  const params = new Set(bounds.map((bound) => slots[bound] && sourceOf(slots[bound])))
  return bounds.length > 0 && params.size === bounds.length && bounds.every((bound) => isFree(slots[bound]))
}

/** Whether an edge can be moved with the opposite one as it is: the params must be able to say so. */
function canResize(slots: Slots, { low, high, size }: Axis, side: -1 | 1): boolean {
  const isSet = (bound: FrameBound) => slots[bound] !== undefined
  const isOpen = (bound: FrameBound) => !isSet(bound) || isFree(slots[bound])
  const count = [low, high, size].filter(isSet).length
  if (side === -1) return count >= 2 && isOpen(low) && isOpen(size)
  return (isSet(size) || (isSet(low) && isSet(high))) && isOpen(high) && isOpen(size)
}

/** Whether the frame has to lie in the image: a part of it, whose position can't be negative. The frame of a larger canvas can. */
function isInside({ frame, slots }: Pick<Target, 'frame' | 'slots'>, { low }: Axis): boolean {
  const slot = slots[low]
  return frame.kind === 'rect' && slot !== undefined && lowestBound(slot) >= 0
}

function lowestBound({ min, max, scale, origin }: Slot): number {
  return Math.min(min * scale, max * scale) + origin
}

/** Whether a resize changes the size of the font, because no param sets the size of the box. */
function scalesText(slots: Slots): boolean {
  return isFree(slots.fontSize) && slots.width === undefined && slots.height === undefined
}

function finish(target: Target, wanted: Shape, snapping?: Snapping): Solution {
  const { frame, shape: before, slots } = target
  const [old, next] = [boundsOf(frame, before), boundsOf(frame, wanted)]
  /** Source of a value -> the largest change of the bounds that it sets: one margin or parameter can set two edges. */
  const changes = new Map<string, { value: number; by: number }>()
  for (const bound of Object.keys(slots) as FrameBound[]) {
    const slot = slots[bound]
    const [from, to] = [old[bound], next[bound]]
    if (!isFree(slot) || from === undefined || to === undefined || Math.abs(from - to) < 1e-6) continue
    const by = Math.abs(to - from)
    if (by > (changes.get(sourceOf(slot))?.by ?? 0)) changes.set(sourceOf(slot), { value: valueFor(slot, to), by })
  }
  const writes = new Map<FrameBound, number>()
  const written: Slots = {}
  for (const [bound, slot] of Object.entries(slots) as [FrameBound, Slot][]) {
    const value = changes.get(sourceOf(slot))?.value
    const isWritten = isFree(slot) && value !== undefined && value !== slot.value
    if (isWritten) writes.set(bound, value)
    written[bound] = isWritten ? { ...slot, value } : slot
  }
  // A bound without a value is as it was, and the others are as their params say.
  const shape =
    writes.size === 0
      ? before
      : shapeOf({ ...frame, points: [...before.points] as Frame['points'], rotation: before.rotation }, written)
  const guides = snapping && writes.size > 0 ? guidesAt(snapping.lines, edgesOf(extentOf(frame, shape))) : []
  return { shape, writes, guides }
}

function sourceOf({ param, parameter }: Slot): string {
  return parameter === undefined ? `params.${param}` : `parameters.${parameter}`
}

function oneAxis([x, y]: Point): Point {
  return Math.abs(x) >= Math.abs(y) ? [x, 0] : [0, y]
}

function move(target: Target, { by, isConstrained }: Gesture, snapping: Snapping | undefined): Shape {
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

function movePoint(target: Target, grip: number, gesture: Gesture, snapping: Snapping | undefined): Shape {
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

function rotate({ shape, slots }: Target, { by, from, isConstrained }: Gesture, isSnapping: boolean): Shape {
  const slot = slots.rotation
  if (!isFree(slot)) return shape
  const centre = centreOf(shape)
  const turn = from === undefined ? by[0] + by[1] : angleOf(minus(add(from, by), centre)) - angleOf(minus(from, centre))
  const angle = snapAngle(shape.rotation + turn, isConstrained === true, isSnapping && from !== undefined)
  return { ...shape, rotation: nearestBound(slot, inRange(angle, slot)) }
}

function resize(target: Target, grip: EdgeGrip, gesture: Gesture, snapping: Snapping | undefined): Shape {
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
  if (gesture.isConstrained && before[0] > 0 && before[1] > 0) keepRatio(ranges, before)
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

interface Edge {
  low: number
  high: number
}

type Edges = Edge & { side: -1 | 0 | 1 }

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

/** Scales a text without a box from the opposite corner. */
function scaleText({ shape, slots }: Target, grip: EdgeGrip, { by }: Gesture): Shape {
  const { fontSize = 0 } = shape
  if (fontSize <= 0) return shape
  const local = turned(by, -shape.rotation)
  const lengths = axes.map(({ index }) => pointAt(shape, 1)[index] - pointAt(shape, 0)[index])
  const scales = axes.map((axis) => {
    const length = lengths[axis.index] ?? 0
    return length <= 0 ? 1 : (length + sideOf(grip, axis) * local[axis.index]) / length
  })
  const wanted = scales.reduce((most, each) => (Math.abs(each - 1) > Math.abs(most - 1) ? each : most), 1)
  const size = nearestBound(slots.fontSize, fontSize * Math.max(wanted, 0))
  const ratio = size / fontSize
  const ranges = axes.map((axis) => {
    const [low, high] = [pointAt(shape, 0)[axis.index], pointAt(shape, 1)[axis.index]]
    const length = (high - low) * ratio
    const isFromEnd = sideOf(grip, axis) === -1 && isFree(slots[axis.low])
    const start = isFromEnd ? nearestBound(slots[axis.low], high - length) : low
    return [start, start + length] as const
  })
  const [x, y] = ranges as [readonly [number, number], readonly [number, number]]
  return {
    ...shape,
    fontSize: size,
    points: [
      [x[0], y[0]],
      [x[1], y[1]],
    ],
  }
}
