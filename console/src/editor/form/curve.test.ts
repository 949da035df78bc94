import assert from 'node:assert/strict'
import { test } from 'node:test'
import { curvePath, pointBetween } from './curve.ts'

test('the curve goes through its points in their order, and is level outside of them', () => {
  const path = curvePath(
    [
      [200, 250],
      [50, 20],
    ],
    0,
    255,
  )
  assert.match(path, /^M 0 20 L 50 20 C /)
  assert.match(path, / 200 250 L 255 250$/)
})

test('between two equal heights the curve does not swing', () => {
  const path = curvePath(
    [
      [0, 0],
      [100, 100],
      [200, 100],
    ],
    0,
    255,
  )
  const [, , last = ''] = path.split('C')
  const heights = last
    .split('L')[0]
    ?.trim()
    .split(' ')
    .filter((_, i) => i % 2 === 1)
  assert.deepEqual(heights?.map(Number), [100, 100, 100])
})

test('a new point is in the widest gap', () => {
  assert.deepEqual(
    pointBetween(
      [
        [0, 0],
        [55, 60],
        [255, 255],
      ],
      0,
      255,
    ),
    [155, 158],
  )
})
