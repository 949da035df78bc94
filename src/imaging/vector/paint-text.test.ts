import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { coveredBy } from './paint-text.ts'

test('a corner is covered by the same lines as if all were tested', () => {
  const line = fc.record({
    above: fc.integer({ min: 1, max: 30 }),
    below: fc.integer({ min: 1, max: 9 }),
    after: fc.nat(12),
    x: fc.nat(20),
    width: fc.integer({ min: 1, max: 40 }),
  })
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), fc.nat(60), fc.nat(150), (lines, left, top) => {
      let baseline = 0
      const shapes = lines.map(({ above, below, after, x, width }) => {
        baseline += after
        return { x, y: baseline - above, width, height: above + below }
      })
      const isCovered = coveredBy(shapes)
      for (const [index, own] of shapes.entries()) {
        const corner = [left, own.y + (top % 2) * own.height] as const
        const others = shapes.filter((other) => other !== own)
        const expected = others.some(
          ({ x, y, width, height }) =>
            corner[0] >= x && corner[0] <= x + width && corner[1] >= y && corner[1] <= y + height,
        )
        assert.equal(isCovered(index, corner), expected)
      }
    }),
    { numRuns: 300, seed: 7 },
  )
})

test('a corner is tested against the lines near it, not against thousands', () => {
  let reads = 0
  const shapes = Array.from({ length: 2_500 }, (_, at) => ({
    x: 0,
    width: 10,
    height: 6,
    get y() {
      reads += 1
      return at * 6
    },
  }))
  const isCovered = coveredBy(shapes)
  for (const [index] of shapes.entries()) isCovered(index, [20, index * 6])
  assert.ok(reads < 20 * shapes.length, `${reads}`)
})
