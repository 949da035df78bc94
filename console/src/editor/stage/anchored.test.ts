import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Anchor, anchored, anchors, sidesOf } from '../../../../shared/anchors.ts'
import type { Frame } from '../../../../shared/frames.ts'
import { repetitions } from '../../../../test/harness/repetitions.ts'
import { freed } from './anchored.ts'
import { gripsOf, type Target } from './grips.ts'
import { type Point, pointAt, shapeOf } from './shape.ts'
import { placeOf } from './slots.ts'
import { snapLines } from './snap.ts'
import { nudge, type Solution, solve } from './solve.ts'

const image = { width: 600, height: 400 }
const pixel = { type: 'integer', minimum: -16384, maximum: 16384 }
const schema = {
  type: 'object',
  properties: { x: pixel, y: pixel, margin: pixel, width: { ...pixel, minimum: 1 }, position: { enum: [...anchors] } },
}

interface Placed {
  position?: string
  margin?: number
  x?: number
  y?: number
  width?: number
}

/** An overlay of 80 x 60, or as wide as `width`, as composite reports it. */
function overlay(params: Placed): Target {
  const { position = 'center', margin = 0, x, y, width = 80 } = params
  const size = { width, height: (width * 3) / 4 }
  const value = anchors.find((anchor) => anchor === position) ?? 'south-east'
  const at = x === undefined || y === undefined ? anchored(size, image, value, margin) : { x, y }
  const frame: Frame = {
    ...{ id: 'overlay', kind: 'box', of: 'result', removes: ['position', 'margin'] },
    points: [
      [at.x, at.y],
      [at.x + size.width, at.y + size.height],
    ],
    binds: {
      ...{ x: { param: 'x' }, y: { param: 'y' }, margin: { param: 'margin' } },
      ...{ width: { param: 'width' }, height: { param: 'width', scale: 0.75 } },
    },
    anchor: { param: 'position', value, size: [image.width, image.height] },
  }
  const place = placeOf(frame, { params: { ...params }, schema, parameters: [], values: {} })
  return { frame, ...place, shape: shapeOf(frame, place.slots, place.anchor), image }
}

const snapping = { lines: snapLines(image, []), reach: 6 }

function result({ writes, anchor }: Solution): Placed {
  const { height: _, ...others } = Object.fromEntries(writes)
  return { ...(anchor && { position: anchor }), ...others }
}

function move(params: Placed, by: Point, isSnapping = false): Placed {
  return result(solve(overlay(params), { grip: 'move', by }, isSnapping ? snapping : undefined))
}

const corner = { position: 'south-east', margin: 20 }

test('a move keeps the position and changes its margin, and a nearer position takes the overlay', () => {
  assert.deepEqual(move(corner, [-30, -40]), { margin: 55 })
  assert.deepEqual(move(corner, [-300, 0]), { position: 'south' })
  assert.deepEqual(move(corner, [-230, -10]), { position: 'south', margin: 30 })
  assert.deepEqual(move(corner, [-470, -290]), { position: 'north-west', margin: 30 })
  assert.deepEqual(move({ position: 'south', margin: 20 }, [0, -300]), { position: 'north' })
  assert.deepEqual(move({}, [0, -30]), { position: 'north', margin: 140 })
})

test('the start margin of another position, the sides and the centre attract the overlay', () => {
  assert.deepEqual(move(corner, [-477, -297], true), { position: 'north-west' })
  assert.deepEqual(move(corner, [18, 17], true), { margin: 0 })
  assert.deepEqual(move(corner, [-242, -151], true), { position: 'center' })
  assert.deepEqual(move({}, [3, 2], true), {})
  // A small change isn't held back.
  assert.deepEqual(move(corner, [-2, -2], true), { margin: 22 })
})

test('without its position, an overlay follows the pointer', () => {
  const on = freed(overlay(corner))
  assert.deepEqual(result(solve(on, { grip: 'move', by: [-30, -40] })), { x: 470, y: 280 })
  assert.deepEqual(result(solve(overlay({ x: 10, y: 20 }), { grip: 'move', by: [5, 6] })), { x: 15, y: 26 })
})

test('arrows change the margin, and take the next position along the other axis', () => {
  const pressed = (params: Placed, by: Point) => result(nudge(overlay(params), 'move', by))
  assert.deepEqual(pressed(corner, [-1, 0]), { margin: 21 })
  assert.deepEqual(pressed(corner, [0, 10]), { margin: 10 })
  assert.deepEqual(pressed({ position: 'south', margin: 20 }, [1, 0]), { position: 'south-east' })
  assert.deepEqual(pressed({ position: 'south', margin: 20 }, [0, 1]), { margin: 19 })
  assert.deepEqual(pressed({}, [0, -1]), { position: 'north' })
})

test('a corner scales an overlay from the side that its position names, or from its centre', () => {
  const drag = (params: Placed, grip: 'nw' | 'ne' | 'se', by: Point) => solve(overlay(params), { grip, by })
  const fromCorner = drag(corner, 'nw', [-80, -60])
  assert.deepEqual([result(fromCorner), fromCorner.shape.points[1]], [{ width: 160 }, [580, 380]])
  const fromCentre = drag({}, 'se', [40, 30])
  assert.deepEqual([result(fromCentre), fromCentre.shape.points[0]], [{ width: 160 }, [220, 140]])
  assert.deepEqual(result(drag({ x: 10, y: 20 }, 'nw', [-40, 0])), { x: -30, y: -10, width: 120 })
  const grips = (params: Placed) => gripsOf(overlay(params)).filter((grip) => grip !== 'move')
  assert.deepEqual(grips(corner), ['nw', 'ne', 'sw'])
  assert.deepEqual(grips({}), ['nw', 'ne', 'se', 'sw'])
  assert.deepEqual(grips({ x: 1, y: 2 }), ['nw', 'ne', 'se', 'sw'])
})

test('a template locks the position, and the margin still changes', () => {
  const on = overlay({ position: '{{ place }}', margin: 20 })
  assert.deepEqual(on.anchor?.lockedBy, ['place'])
  assert.deepEqual(result(solve(on, { grip: 'move', by: [-470, -310] })), { margin: 410 })
  assert.deepEqual(result(nudge(on, 'move', [1, 0])), { margin: 19 })
})

const anyPlace = fc.record({
  position: fc.constantFrom(...anchors),
  margin: fc.integer({ min: -40, max: 120 }),
  width: fc.integer({ min: 4, max: 900 }),
})
const anyBy = fc.tuple(fc.integer({ min: -700, max: 700 }), fc.integer({ min: -500, max: 500 }))

test('a moved overlay is at the place nearest to the pointer that a position and a margin can express', () => {
  fc.assert(
    fc.property(anyPlace, anyBy, (params, by) => {
      const on = overlay(params)
      const wanted = add(pointAt(on.shape, 0), by)
      const { shape, writes, anchor } = solve(on, { grip: 'move', by })
      assert.ok([...writes.keys()].every((bound) => bound === 'margin'))
      const size = { width: params.width, height: (params.width * 3) / 4 }
      const distance = (x: number, y: number) => Math.hypot(x - wanted[0], y - wanted[1])
      const reached = distance(...pointAt(shape, 0))
      for (const point of anchors)
        for (const margin of marginsOf(point, size)) {
          const { x, y } = anchored(size, image, point, margin)
          assert.ok(reached <= distance(x, y) + 1, `${point} ${margin} is nearer than ${anchor} ${[...writes]}`)
        }
    }),
    { numRuns: repetitions(500, 10_000) },
  )
})

/** Whole margins up to the middle of the image, and the negative ones of 50 pixels. */
function marginsOf(point: Anchor, size: { width: number; height: number }): number[] {
  const sides = sidesOf(point)
  const free = [image.width - size.width, image.height - size.height]
  const halves = free.flatMap((length, axis) => (sides[axis] === 0 ? [] : [Math.floor(length / 2)]))
  if (halves.length === 0) return [0]
  // An overlay that is larger than the image covers it with negative margins, and the opposite sides change places.
  if (halves.some((half) => half < 0)) return []
  return Array.from({ length: Math.min(...halves) + 51 }, (_, index) => index - 50)
}

test('a resized overlay keeps its aspect ratio, and the sides or the centre of its position', () => {
  fc.assert(
    fc.property(anyPlace, anyBy, fc.nat(), (params, by, index) => {
      const on = overlay(params)
      const grips = gripsOf(on).filter((grip) => grip !== 'move')
      const grip = grips[index % grips.length] ?? assert.fail()
      const { shape, writes } = solve(on, { grip, by })
      const [low, high] = [pointAt(shape, 0), pointAt(shape, 1)]
      const width = high[0] - low[0]
      assert.ok(width >= 1 && Math.abs((high[1] - low[1]) / width - 0.75) < 1e-9)
      for (const bound of writes.keys()) assert.ok(bound === 'width' || bound === 'height', bound)
      const { x, y } = anchored({ width, height: width * 0.75 }, image, params.position, params.margin)
      assert.ok(Math.abs(x - low[0]) < 1e-6 && Math.abs(y - low[1]) < 1e-6)
    }),
    { numRuns: repetitions(500, 10_000) },
  )
})

function add([x, y]: Point, [dx, dy]: Point): Point {
  return [x + dx, y + dy]
}
