import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { monotoneCurve, type Point } from './spline.ts'

const points = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 })), {
    selector: ([x]) => x,
    minLength: 2,
    maxLength: 16,
  })
  .map((found): Point[] => found.sort(([a], [b]) => a - b))

test('a curve passes through its points, and stays in the range of two neighbours between them', () => {
  fc.assert(
    fc.property(points, (knots) => {
      const curve = monotoneCurve(knots)
      for (const [i, [x, y]] of knots.entries()) {
        assert.ok(Math.abs(curve(x) - y) < 1e-9)
        const next = knots[i + 1]
        if (next === undefined) continue
        let last = y
        for (let step = 1; step <= 20; step += 1) {
          const value = curve(x + ((next[0] - x) * step) / 20)
          assert.ok((value - last) * (next[1] - y) >= -1e-6, `${knots}: not monotone at ${step} after ${x}`)
          last = value
        }
        assert.ok(Math.abs(last - next[1]) < 1e-6)
      }
    }),
  )
})

test('a curve of points on one line is that line, and is level beyond its ends', () => {
  const curve = monotoneCurve([
    [20, 40],
    [60, 80],
    [100, 120],
  ])
  for (const x of [20, 33, 60, 61.5, 100]) assert.ok(Math.abs(curve(x) - x - 20) < 1e-9)
  assert.deepEqual([curve(0), curve(255)], [40, 120])
})

test('the slope at a point is the mean of the neighbouring slopes', () => {
  const curve = monotoneCurve([
    [0, 0],
    [100, 50],
    [200, 200],
  ])
  assert.ok(Math.abs((curve(100.001) - curve(99.999)) / 0.002 - 1) < 1e-3)
})
