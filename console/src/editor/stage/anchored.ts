/** Gestures of a box that a compass point places: it keeps the point and changes the margin, or gets another point. */
import { type Anchor, anchored, anchors, sidesOf } from '../../../../shared/anchors.ts'
import { type EdgeGrip, type Gesture, type Snapping, sideOf, type Target } from './grips.ts'
import { axes, extentOf, type Point, pointAt, type Shape, turned } from './shape.ts'
import { type AnchorSlot, isFree, nearestBound } from './slots.ts'

type Anchored = Target & { anchor: AnchorSlot }

export function isAnchored(target: Target): target is Anchored {
  return target.anchor !== undefined
}

/** The target without its compass point, if `x` and `y` can place it. */
export function freed(target: Target): Target {
  const { anchor, shape, slots, ...others } = target
  if (anchor === undefined || Object.keys(anchor.free).length === 0) return target
  const { margin: _, ...kept } = slots
  const { anchor: __, margin: ___, ...box } = shape
  return { ...others, slots: { ...kept, ...anchor.free }, shape: box }
}

interface Place {
  anchor: Anchor
  margin: number
}

/**
 * The nearest place that a compass point and a margin can express: on eight lines from the centre to the sides and corners. The start margin,
 * the sides of the image and its centre attract it.
 */
export function moveAnchored(target: Anchored, { by }: Gesture, snapping: Snapping | undefined): Shape {
  const { frame, shape, slots, anchor } = target
  const [low, high] = extentOf(frame, shape)
  const start: Place = { anchor: anchor.value, margin: shape.margin ?? 0 }
  const size = { width: high[0] - low[0], height: high[1] - low[1] }
  const distance = ({ anchor: point, margin }: Place) => {
    const { x, y } = anchored(size, anchor.size, point, Math.round(margin))
    return Math.hypot(x - low[0] - by[0], y - low[1] - by[1])
  }
  const points = anchor.lockedBy === undefined ? [...new Set([start.anchor, ...anchors])] : [start.anchor]
  const free: Point = [anchor.size.width - size.width, anchor.size.height - size.height]
  const marginOf = (point: Anchor, wanted: number): Place => ({
    anchor: point,
    margin: isFree(slots.margin) ? nearestBound(slots.margin, wanted) : start.margin,
  })
  const near = points.map((point) => {
    const sides = sidesOf(point)
    const named = axes.filter(({ index }) => sides[index] !== 0)
    if (named.length === 0) return { anchor: point, margin: start.margin }
    const wanted = named.map(({ index }) => {
      const at = low[index] + by[index]
      return sides[index] === -1 ? at : free[index] - at
    })
    const mean = wanted.reduce((sum, each) => sum + each, 0) / wanted.length
    if (points.length === 1) return marginOf(point, mean)
    const kept = point === start.anchor ? start.margin : undefined
    const halves = named.map(({ index }) => free[index] / 2)
    return marginOf(point, withinHalf(mean, halves, kept))
  })
  const attracting = points.flatMap((point) => {
    if (point === 'center') return [{ anchor: point, margin: start.margin }]
    return [...(point === start.anchor ? [] : [start.margin]), 0].map((margin) => marginOf(point, margin))
  })
  const snapped = snapping && nearestOf(attracting, distance)
  const isNear = snapped !== undefined && distance(snapped) <= (snapping?.reach ?? 0)
  return { ...shape, ...(isNear ? snapped : nearestOf(near, distance)) }
}

/** An arrow changes the margin of a side that the point names. Along the other axis, the next point takes the box. */
export function nudgeAnchored({ shape, slots, anchor }: Anchored, by: Point): Shape {
  const sides = sidesOf(anchor.value)
  const axis = by[0] === 0 ? 1 : 0
  const way = Math.sign(by[axis])
  if (sides[axis] !== 0) {
    if (!isFree(slots.margin)) return shape
    const from = shape.margin ?? 0
    // At least one step of the param, however large that is on the picture.
    const step = Math.max(Math.abs(by[axis]), Math.abs(slots.margin.scale) * (slots.margin.step ?? 0))
    return { ...shape, margin: nearestBound(slots.margin, from - sides[axis] * way * step) }
  }
  if (anchor.lockedBy !== undefined) return shape
  const wanted = sides.with(axis, way as -1 | 1)
  return {
    ...shape,
    anchor: anchors.find((point) => sidesOf(point).every((side, index) => side === wanted[index])) ?? anchor.value,
  }
}

/** Scales the box from the side that the point names, or from its centre. */
export function scaleAnchored({ shape, slots, anchor }: Anchored, grip: EdgeGrip, { by }: Gesture): Shape {
  const local = turned(by, -shape.rotation)
  const sides = sidesOf(anchor.value)
  const low = pointAt(shape, 0)
  const lengths = axes.map(({ index }) => pointAt(shape, 1)[index] - low[index]) as [number, number]
  const scales = axes.map((axis) => {
    const { index } = axis
    const side = sideOf(grip, axis)
    if (side === sides[index] || lengths[index] <= 0) return 1
    return (lengths[index] + side * local[index] * (sides[index] === 0 ? 2 : 1)) / lengths[index]
  })
  const wanted = scales.reduce((most, each) => (Math.abs(each - 1) > Math.abs(most - 1) ? each : most), 1)
  const width = nearestBound(slots.width, Math.max(lengths[0] * wanted, 1))
  const height = (lengths[1] * width) / lengths[0]
  return { ...shape, points: [low, [low[0] + width, low[1] + height]] }
}

/** A margin of at most half of the free space: from the middle on, the opposite point is nearer. `kept`: a margin that may be larger. */
function withinHalf(margin: number, halves: readonly number[], kept?: number): number {
  return halves.reduce((within, half) => {
    if (half < 0) return Math.max(within, Math.min(half, kept ?? half))
    return Math.min(within, Math.max(half, kept ?? half))
  }, margin)
}

/** The nearest place, and the first of equally near ones. */
function nearestOf(places: readonly Place[], distance: (place: Place) => number): Place {
  const [first, ...others] = places as [Place, ...Place[]]
  return others.reduce((best, place) => (distance(place) < distance(best) - 1e-6 ? place : best), first)
}
