/** The parts of frames that can be dragged, and the movements that their params can express. */

import { sidesOf } from '../../../../shared/anchors.ts'
import type { Frame, FrameBound } from '../../../../shared/frames.ts'
import type { Size } from '../document/geometry.ts'
import type { CurrentFrame } from './current-frame.ts'
import { type Axis, axes, type Point, pointAt, type Shape } from './shape.ts'
import { type AnchorSlot, isFree, type Slot, type Slots } from './slots.ts'
import type { SnapLines } from './snap.ts'

/** The edges and corners of a box, as directions of the compass. */
export const edgeGrips = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'] as const
export type EdgeGrip = (typeof edgeGrips)[number]

/** A part of a frame that is dragged. A number: the index of a point. */
export type Grip = 'move' | 'rotate' | 'fontSize' | EdgeGrip | number

export interface Target extends CurrentFrame {
  /** The image whose pixels the shape is in. */
  image: Size
}

export interface Gesture {
  grip: Grip
  /** Pixels of the image. */
  by: Point
  /** The point at which the drag started; undefined for a key. */
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

/** The grips that can move at least one axis. */
export function gripsOf({ frame, shape, slots, anchor }: CurrentFrame): Grip[] {
  if (frame.kind === 'point') return isFree(slots.x) || isFree(slots.y) ? [0] : []
  if (frame.kind === 'line' || frame.kind === 'quad') {
    const turns = frame.kind === 'line' && isFree(slots.angle)
    const points = shape.points.flatMap((_, index): Grip[] =>
      turns || axes.some((axis) => isFree(slots[pointBound(axis, index)])) ? [index] : [],
    )
    return axes.some((axis) => canMove(frame, slots, axis, shape.points.length)) ? ['move', ...points] : points
  }
  const canBeMoved = anchor ? canMoveAnchored(anchor, slots) : axes.some((axis) => canMove(frame, slots, axis))
  const moves: Grip[] = canBeMoved ? ['move'] : []
  const hasRatio = keepsRatio(slots)
  const edges = edgeGrips.filter((grip) => {
    if (hasRatio && grip.length === 1) return false
    if (anchor) return hasRatio && isFree(slots.width) && canFollow(grip, anchor, shape)
    // A corner is there if both of its edges are, so that it always moves as drawn.
    return axes.every((axis) => {
      const side = sideOf(grip, axis)
      return side === 0 || canResize(slots, axis, side)
    })
  })
  const hasText = isFree(slots.fontSize) && shape.fontSize !== undefined && (frame.lines?.length ?? 0) > 0
  return [
    ...moves,
    ...edges,
    ...(hasText ? (['fontSize'] as const) : []),
    ...(isFree(slots.rotation) ? (['rotate'] as const) : []),
  ]
}

/** -1: the left or top edge. 1: the right or bottom one. 0: neither. */
export function sideOf(grip: EdgeGrip, { index }: Axis): -1 | 0 | 1 {
  const [low, high] = index === 0 ? ['w', 'e'] : ['n', 's']
  return grip.includes(low as string) ? -1 : grip.includes(high as string) ? 1 : 0
}

export function pointBound({ index }: Axis, point: number): FrameBound {
  return `${index === 0 ? 'x' : 'y'}${point + 1}` as FrameBound
}

/** Whether the frame can be moved along the axis with its size as it is. */
export function canMove({ kind }: Pick<Frame, 'kind'>, slots: Slots, axis: Axis, points = 0): boolean {
  const bounds =
    kind === 'line' || kind === 'quad'
      ? Array.from({ length: points }, (_, index) => pointBound(axis, index))
      : [axis.low, axis.high].filter((bound) => slots[bound] !== undefined)
  // One margin of both sides can't move a frame.
  const params = new Set(bounds.map((bound) => slots[bound] && sourceOf(slots[bound])))
  return bounds.length > 0 && params.size === bounds.length && bounds.every((bound) => isFree(slots[bound]))
}

/** Whether an edge can be moved with the opposite one as it is: the params must be able to say so. */
export function canResize(slots: Slots, { low, high, size }: Axis, side: -1 | 1): boolean {
  const isSet = (bound: FrameBound) => slots[bound] !== undefined
  const isOpen = (bound: FrameBound) => !isSet(bound) || isFree(slots[bound])
  const count = [low, high, size].filter(isSet).length
  if (side === -1) return count >= 2 && isOpen(low) && isOpen(size)
  return (isSet(size) || (isSet(low) && isSet(high))) && isOpen(high) && isOpen(size)
}

/** Whether a box can get another point or another margin. In the centre, it has no margin. */
function canMoveAnchored({ lockedBy, value }: AnchorSlot, { margin }: Slots): boolean {
  return lockedBy === undefined || (isFree(margin) && value !== 'center')
}

/** Whether a corner can follow the pointer: at least one of its sides isn't held by the point. */
function canFollow(grip: EdgeGrip, { value }: AnchorSlot, { rotation }: Shape): boolean {
  const sides = sidesOf(value)
  return rotation !== 0 || axes.some((axis) => sideOf(grip, axis) !== sides[axis.index])
}

/** Whether one value sets the width and the height. */
export function keepsRatio({ width, height }: Slots): boolean {
  return width !== undefined && height !== undefined && sourceOf(width) === sourceOf(height)
}

/** Whether the frame has to lie in the image: a part of it, whose position can't be negative. The frame of a larger canvas can. */
export function isInside({ frame, slots }: Pick<Target, 'frame' | 'slots'>, { low }: Axis): boolean {
  const slot = slots[low]
  return frame.kind === 'rect' && slot !== undefined && lowestBound(slot) >= 0
}

function lowestBound({ min, max, scale, origin }: Slot): number {
  return Math.min(min * scale, max * scale) + origin
}

/** The shape in its image: the part that is inside, or the nearest place. A rectangle that is outside is drawn and dragged like this. */
export function within({ frame, shape, slots, image }: Target): Shape {
  if (frame.kind !== 'rect') return shape
  const [low, high] = [[...pointAt(shape, 0)], [...pointAt(shape, 1)]] as [[number, number], [number, number]]
  let isChanged = false
  for (const axis of axes) {
    const { index } = axis
    const length = index === 0 ? image.width : image.height
    const isInImage = low[index] >= 0 && high[index] <= length
    if (isInImage || !isInside({ frame, slots }, axis) || !canResize(slots, axis, 1)) continue
    const isPart = low[index] < length && high[index] > 0
    if (!isPart) low[index] = length - (high[index] - low[index])
    low[index] = Math.max(low[index], 0)
    high[index] = isPart ? Math.min(high[index], length) : length
    isChanged = true
  }
  return isChanged ? { ...shape, points: [low, high] } : shape
}

export function sourceOf({ param, parameter }: Slot): string {
  return parameter === undefined ? `params.${param}` : `parameters.${parameter}`
}
