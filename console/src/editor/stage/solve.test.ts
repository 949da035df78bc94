import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Frame, FrameBound } from '../../../../shared/frames.ts'
import { type Gesture, gripsOf, type Target, within } from './grips.ts'
import { type Point, shapeOf } from './shape.ts'
import { type Slot, type Slots, slotsOf } from './slots.ts'
import { snapLines } from './snap.ts'
import { nudge, type Solution, solve } from './solve.ts'

const image = { width: 1200, height: 600 }

/** A frame whose params have the names of its bounds. */
function target(frame: Partial<Frame>, params: Record<string, unknown>, schema: object = { type: 'integer' }): Target {
  const bounds = Object.keys(params)
  const full = {
    ...{ id: 'it', kind: 'box', of: 'result' },
    points: [
      [100, 100],
      [300, 200],
    ],
    binds: Object.fromEntries(bounds.map((bound) => [bound, { param: bound }])),
    ...frame,
  } as Frame
  const slots = slotsOf(full, {
    params,
    schema: { type: 'object', properties: Object.fromEntries(bounds.map((bound) => [bound, schema])) },
    parameters: [{ name: 'n', type: 'number' }],
    values: { n: 7 },
  })
  return { frame: full, slots, shape: shapeOf(full, slots), image }
}

const box = { x: 100, y: 100, width: 200, height: 100 }
const lines = snapLines(image, [])

function writes(solution: Solution): Record<string, number> {
  return Object.fromEntries(solution.writes)
}

function drag(on: Target, grip: Gesture['grip'], by: Point, more: Partial<Gesture> = {}, reach?: number) {
  return writes(solve(on, { grip, by, ...more }, reach === undefined ? undefined : { lines, reach }))
}

test('a corner moves two edges, and the opposite ones stay', () => {
  assert.deepEqual(drag(target({}, box), 'nw', [-10, 20]), { x: 90, y: 120, width: 210, height: 80 })
  assert.deepEqual(drag(target({}, box), 'se', [-10, 20]), { width: 190, height: 120 })
  assert.deepEqual(drag(target({}, box), 'e', [5, 99]), { width: 205 })
})

test('an edge does not pass the opposite one', () => {
  assert.deepEqual(drag(target({}, box), 'w', [900, 0]), { x: 299, width: 1 })
  assert.deepEqual(drag(target({}, box), 's', [0, -900]), { height: 1 })
})

test('Shift keeps the ratio of a box and one axis of a move, Alt resizes from the centre', () => {
  assert.deepEqual(drag(target({}, box), 'se', [100, 0], { isConstrained: true }), { width: 300, height: 150 })
  assert.deepEqual(drag(target({}, box), 'move', [30, 4], { isConstrained: true }), { x: 130 })
  assert.deepEqual(drag(target({}, box), 'e', [10, 0], { isCentred: true }), { x: 90, width: 220 })
})

test('edges and the centre snap to the image within the reach, and a guide shows it', () => {
  // Its centre is at 200, 150; the centre of the image at 600, 300.
  const on = target({}, box)
  assert.deepEqual(drag(on, 'move', [396, 146], {}, 6), { x: 500, y: 250 })
  assert.deepEqual(drag(on, 'move', [393, 143], {}, 6), { x: 493, y: 243 })
  const { guides } = solve(on, { grip: 'move', by: [396, 40] }, { lines, reach: 6 })
  assert.deepEqual(guides, [{ axis: 0, at: 600 }])
  // The right edge, to a third.
  assert.deepEqual(drag(on, 'e', [97, 0], {}, 6), { width: 300 })
})

test('a rotated box keeps its opposite corner when it is resized, and turns in steps of 15 degrees with Shift', () => {
  const on = target({ rotation: 90 }, { ...box, rotation: 90 }, { type: 'number' })
  // On the screen it is upright: its right edge is at the bottom.
  const { shape } = solve(on, { grip: 'e', by: [0, 40] })
  const [low, high] = shape.points as [Point, Point]
  assert.equal(high[0] - low[0], 240)
  // The middle moves down by half of it.
  assert.deepEqual([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2], [200, 170])
  const turned = drag(on, 'rotate', [30, 3], { from: [260, 150], isConstrained: true })
  assert.equal((turned.rotation ?? 0) % 15, 0)
})

test('a part of an image stays in it, and a larger canvas does not have to', () => {
  const crop = target({ kind: 'rect' }, box, { type: 'integer', minimum: 0 })
  assert.deepEqual(drag(crop, 'move', [5000, -5000]), { x: 1000, y: 0 })
  assert.deepEqual(drag(crop, 'se', [5000, 5000]), { width: 1100, height: 500 })
  const binds = { x: { param: 'x', scale: -1 }, right: { param: 'right', origin: 1200 } }
  const points: [number, number][] = [
    [0, 0],
    [1200, 600],
  ]
  const canvas = target({ kind: 'rect', points, binds }, { x: 0, right: 0 }, { type: 'integer', minimum: 0 })
  assert.deepEqual(drag(canvas, 'w', [-50, 0]), { x: 50 })
  assert.deepEqual(drag(canvas, 'e', [80, 0]), { right: 80 })
})

test('a share of the size is written with the precision of a pixel, within its limits', () => {
  const binds = { x: { param: 'x', scale: 1200 }, y: { param: 'y', scale: 600 } }
  const on = target(
    { kind: 'point', points: [[600, 300]], binds },
    { x: 0.5, y: 0.5 },
    { type: 'number', minimum: 0, maximum: 1 },
  )
  assert.deepEqual(drag(on, 0, [1, 3]), { x: 0.5008, y: 0.505 })
  assert.deepEqual(drag(on, 0, [9000, -9000]), { x: 1, y: 0 })
})

test('the end of a line sets its angle', () => {
  const points: [number, number][] = [
    [600, 600],
    [600, 0],
  ]
  const on = target({ kind: 'line', points }, { angle: 0 }, { type: 'number', minimum: -360, maximum: 360 })
  assert.deepEqual(drag(on, 1, [300, 300], { from: [600, 0] }), { angle: 90 })
  assert.deepEqual(drag(on, 0, [-290, -300], { from: [600, 600] }), { angle: 90 })
  assert.deepEqual(drag(on, 1, [150, 20], { from: [600, 0], isConstrained: true }), { angle: 30 })
})

test('a bound with a template is locked, and the other axis moves', () => {
  const on = target({}, { ...box, x: '{{ n | plus: 1 }}' })
  assert.deepEqual(on.slots.x?.lockedBy, ['n'])
  assert.deepEqual(drag(on, 'move', [30, 40]), { y: 140 })
  assert.ok(!gripsOf(on).includes('w'))
  assert.ok(gripsOf(on).includes('e'))
})

test('a plain parameter is edited with its own limits', () => {
  const on = target({}, { ...box, x: '{{ n }}' })
  assert.deepEqual([on.slots.x?.parameter, on.slots.x?.value, on.shape.points[0]], ['n', 7, [7, 100]])
  assert.deepEqual(drag(on, 'move', [30, 0]), { x: 37 })
})

test('one param of two bounds follows the larger movement', () => {
  const margin = { param: 'margin', scale: 600 }
  const on = target(
    {
      points: [
        [60, 60],
        [260, 160],
      ],
      binds: { x: margin, y: margin },
    },
    {},
  )
  const withValue = (slot: Slot | undefined): Slot => ({ ...(slot as Slot), value: 0.1, step: undefined })
  const slots: Slots = { x: withValue(on.slots.x), y: withValue(on.slots.y) }
  const { shape, writes: written } = solve({ ...on, slots }, { grip: 'move', by: [60, 10] })
  assert.deepEqual([...written.keys()] satisfies FrameBound[], ['x', 'y'])
  assert.deepEqual(shape.points[0], [120, 120])
})

test('the size of a text follows the pointer up and down, and its box stays', () => {
  const lines = [{ x: 100, baseline: 140, width: 150 }]
  const on = target({ lines }, { ...box, fontSize: 40 }, { type: 'number', minimum: 1 })
  assert.ok(gripsOf(on).includes('fontSize'))
  assert.deepEqual(drag(on, 'fontSize', [70, -20]), { fontSize: 60 })
  assert.deepEqual(drag(on, 'fontSize', [0, 500]), { fontSize: 1 })
  assert.deepEqual(drag(on, 'se', [10, 10]), { width: 210, height: 110 })
  const turned = target({ lines, rotation: 90 }, { ...box, fontSize: 40 }, { type: 'number' })
  assert.deepEqual(drag(turned, 'fontSize', [20, 0]), { fontSize: 60 })
  for (const by of [
    [1, 0],
    [0, -1],
  ] as const)
    assert.deepEqual(
      [writes(nudge(on, 'fontSize', by)), writes(nudge(turned, 'fontSize', by))],
      [{ fontSize: 41 }, { fontSize: 41 }],
    )
})

test('the size of a text without lines or by a template has no handle, and that of a parameter has one', () => {
  const lines = [{ x: 100, baseline: 140, width: 150 }]
  const hasGrip = (more: Partial<Frame>, fontSize: unknown) =>
    gripsOf(target(more, { ...box, fontSize }, { type: 'number' })).includes('fontSize')
  assert.deepEqual(
    [
      hasGrip({ lines: [] }, 40),
      hasGrip({}, 40),
      hasGrip({ lines }, '{{ n | plus: 1 }}'),
      hasGrip({ lines }, '{{ n }}'),
    ],
    [false, false, false, true],
  )
})

test('a rectangle that is partly or entirely outside of the image starts from its place inside', () => {
  const rect = (params: Record<string, number>) =>
    target({ kind: 'rect', of: 'input' }, params, { type: 'integer', minimum: 0 })
  const partly = rect({ x: 900, y: 300, width: 900, height: 700 })
  assert.deepEqual(within(partly).points, [
    [900, 300],
    [1200, 600],
  ])
  assert.deepEqual(drag(partly, 'move', [-50, -40]), { x: 850, y: 260, width: 300, height: 300 })
  assert.deepEqual(drag(partly, 'nw', [-100, 0]), { x: 800, width: 400, height: 300 })
  const outside = rect({ x: 1500, y: 100, width: 400, height: 100 })
  assert.deepEqual(drag(outside, 'move', [-10, 5]), { x: 790, y: 105 })
  // A click changes nothing, and neither does a frame that is inside.
  assert.deepEqual(drag(partly, 'move', [0, 0]), {})
  const inside = rect(box)
  assert.equal(within(inside), inside.shape)
})
