/** The geometry of a gesture: from a frame and the movement of a grip to the new shape and the params that it sets. Pure functions. */

import type { Anchor } from '../../../../shared/anchors.ts'
import type { Frame, FrameBound } from '../../../../shared/frames.ts'
import { isAnchored, moveAnchored, nudgeAnchored, scaleAnchored } from './anchored.ts'
import { type Gesture, type Grip, type Snapping, sourceOf, type Target, within } from './grips.ts'
import { move, movePoint, rotate } from './move.ts'
import { resize, resizeText } from './resize.ts'
import { boundsOf, extentOf, isBox, type Point, type Shape, shapeOf, turned } from './shape.ts'
import { isFree, type Slot, type Slots, valueFor } from './slots.ts'
import { edgesOf, type Guide, guidesAt } from './snap.ts'

export interface Solution {
  shape: Shape
  guides: readonly Guide[]
  /** The bounds that changed -> the values of their params. */
  writes: ReadonlyMap<FrameBound, number>
  /** The compass point, if it changed. */
  anchor?: Anchor
}

export function solve(target: Target, gesture: Gesture, snapping?: Snapping): Solution {
  const { frame } = target
  const { grip, by } = gesture
  if (by[0] === 0 && by[1] === 0) return finish(target, target.shape)
  const inside = { ...target, shape: within(target) }
  if (grip === 'rotate') return finish(target, rotate(target, gesture, snapping !== undefined))
  if (grip === 'fontSize') return finish(target, resizeText(target, gesture))
  if (grip === 'move' && isAnchored(target)) return finish(target, moveAnchored(target, gesture, snapping), snapping)
  if (grip === 'move') return finish(target, move(inside, gesture, snapping), snapping)
  if (typeof grip === 'number') return finish(target, movePoint(target, grip, gesture, snapping), snapping)
  if (!isBox(frame)) return finish(target, target.shape)
  if (isAnchored(target)) return finish(target, scaleAnchored(target, grip, gesture))
  return finish(target, resize(inside, grip, gesture, snapping), snapping)
}

/** A key moves by at least one step of the param, however large that is on the picture. */
export function nudge(target: Target, grip: Grip, by: Point): Solution {
  if (grip === 'move' && isAnchored(target)) return finish(target, nudgeAnchored(target, by))
  // The keys to the right and up both make a text larger.
  const way = grip === 'fontSize' ? turned([0, by[1] - by[0]], target.shape.rotation) : by
  for (let factor = 1; factor < largestFactor; factor *= 2) {
    const solution = solve(target, { grip, by: [way[0] * factor, way[1] * factor] })
    if (solution.writes.size > 0) return solution
  }
  return solve(target, { grip, by: way })
}

const largestFactor = 4096

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
  const anchor = wanted.anchor === before.anchor ? undefined : wanted.anchor
  const isSame = writes.size === 0 && anchor === undefined
  const now = { ...frame, points: [...before.points] as Frame['points'], rotation: before.rotation }
  const place = target.anchor && { ...target.anchor, value: anchor ?? target.anchor.value }
  const shape = isSame ? before : shapeOf(now, written, place)
  const guides = snapping && !isSame ? guidesAt(snapping.lines, edgesOf(extentOf(frame, shape))) : []
  return { shape, writes, guides, ...(anchor && { anchor }) }
}
