import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blurredRows, boxOf, lineBlur, type Rows, reachOf } from './box-blur.ts'

const sigmas = [0.3, 0.5, 1, 2.5, 6, 17.3, 60]

for (const sigma of sigmas) {
  test(`a point blurred with sigma ${sigma} keeps its sum, has that deviation, and ends at the reach`, () => {
    const reach = reachOf(sigma)
    const line = new Float32Array(2 * reach + 21)
    const middle = reach + 10
    line[middle] = 1
    lineBlur(line.length, sigma)(line)
    const sum = line.reduce((a, b) => a + b, 0)
    const variance = line.reduce((a, value, at) => a + value * (at - middle) ** 2, 0)
    assert.ok(Math.abs(sum - 1) < 1e-5, `sum ${sum}`)
    assert.ok(Math.abs(Math.sqrt(variance) - sigma) < 1e-3 * sigma + 1e-4, `deviation ${Math.sqrt(variance)}`)
    assert.ok(line.every((value, at) => Math.abs(at - middle) <= reach || Math.abs(value) < 1e-7))
    assert.ok(line.every((value) => value > -1e-7))
  })
}

test('a blurred edge differs from a true Gaussian by at most 1 %', () => {
  const sigma = 8
  const line = new Float32Array(200).fill(1, 100)
  lineBlur(200, sigma)(line)
  for (let at = 40; at < 160; at += 1) {
    assert.ok(Math.abs((line[at] ?? 9) - normal((at - 99.5) / sigma)) < 0.01, `at ${at}`)
  }
})

test('rows are blurred vertically as horizontally, with zeros above and below', () => {
  const sigma = 2
  const reach = reachOf(sigma)
  const size = 2 * reach + 1
  let y = 0
  const point: Rows = (into) => {
    into.fill(0)
    if (y === reach) into[reach] = 1
    y += 1
  }
  const rows = blurredRows(point, size, sigma)
  const got = Array.from({ length: size }, () => {
    const row = new Float32Array(size)
    rows(row)
    return row
  })
  const line = new Float32Array(size)
  line[reach] = 1
  lineBlur(size, sigma)(line)
  for (let row = 0; row < size; row += 1) {
    for (let x = 0; x < size; x += 1) {
      const expected = (line[row] ?? 9) * (line[x] ?? 9)
      assert.ok(Math.abs((got[row]?.[x] ?? 9) - expected) < 1e-6, `at ${x}, ${row}`)
    }
  }
})

test('a box of width zero changes nothing', () => {
  assert.equal(reachOf(0), 0)
  assert.ok(boxOf(0.1).radius === 0 && boxOf(0.1).edge < 0.01)
})

/** The cumulative normal distribution, by Simpson's rule. */
function normal(x: number): number {
  const steps = 400
  const density = (t: number) => Math.exp((-t * t) / 2) / Math.sqrt(2 * Math.PI)
  const step = x / steps
  let sum = density(0) + density(x)
  for (let at = 1; at < steps; at += 1) sum += density(at * step) * (at % 2 === 1 ? 4 : 2)
  return 0.5 + (sum * step) / 3
}
