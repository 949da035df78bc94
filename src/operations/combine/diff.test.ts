import assert from 'node:assert/strict'
import { test } from 'node:test'
import pixelmatch from 'pixelmatch'
import { pixelsOf } from '../../imaging/raster/image.ts'
import { isFault } from '../../imaging/raster/test-faults.ts'
import { contextFor, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { outputsOf, ramps } from '../../imaging/raster/test-run.ts'
import type { ImageValue, Pixels } from '../../imaging/types.ts'
import { diff } from './diff.ts'

test('an image equals itself, with and without alpha', async () => {
  for (const image of ramps) {
    const { same, difference, maxDifference, meanDifference, psnr } = await compare(image, image, { threshold: 0 })
    assert.deepEqual([same, difference, maxDifference, meanDifference, psnr], [true, 0, 0, 0, 100])
  }
})

test('the values match their formulas', async () => {
  const image = painted(20, 10, () => [100, 100, 100])
  // Five pixels of 200, off by 60, 0 and 40 levels.
  const reference = painted(20, 10, (x, y) => (y === 3 && x < 5 ? [160, 100, 60] : [100, 100, 100]))
  const values = await compare(image, reference)
  assert.deepEqual([values.same, values.difference, values.maxDifference], [false, 0.025, 60])
  assert.ok(Math.abs(Number(values.meanDifference) - (5 * 100) / 600) < 1e-6)
  const psnr = 10 * Math.log10((255 * 255 * 600) / (5 * (3_600 + 1_600)))
  assert.ok(Math.abs(Number(values.psnr) - psnr) < 1e-6)
})

test('one level of one channel in a large image is a difference, but not a visible one', async () => {
  const image = painted(600, 500, () => [100, 100, 100])
  const reference = painted(600, 500, (x, y) => [100, 100, x === 599 && y === 499 ? 101 : 100])
  const values = await compare(image, reference)
  assert.deepEqual([values.same, values.difference, values.maxDifference], [false, 0, 1])
  assert.ok(Number(values.meanDifference) > 0 && values.psnr === 100)
})

test('pixels that are transparent in both are equal, and alpha alone makes a difference', async () => {
  const image = painted(8, 8, () => [255, 0, 0, 0])
  const hidden = await compare(
    image,
    painted(8, 8, () => [0, 255, 0, 0]),
  )
  assert.deepEqual([hidden.same, hidden.difference], [true, 0])
  const opaque = await compare(
    painted(8, 8, () => [0, 0, 0]),
    painted(8, 8, () => [0, 0, 0, 0]),
  )
  assert.deepEqual([opaque.same, opaque.difference, opaque.maxDifference], [false, 1, 255])
})

test('pixels differ if pixelmatch says so, even across the borders of bands', async () => {
  // Circles at slightly different places, and small squares, in a picture of several stretches: smoothed edges everywhere.
  const circles = (shift: number) =>
    painted(1_000, 330, (x, y) => {
      if (shift > 0 && x % 50 < 3 && y % 33 < 3) return [255, 0, 0, 255]
      const edge = 14.3 - Math.hypot(((x + shift) % 40) - 20, (y % 40) - 20)
      const value = Math.round(255 * Math.max(0, Math.min(1, edge)))
      return [value, value, 255 - value, 255]
    })
  const [image, reference] = [circles(0), circles(0.4)]
  const [a, b] = [await pixelsOf(image, contextFor()), await pixelsOf(reference, contextFor())]
  for (const antialiasing of [true, false]) {
    const expected = new Uint8Array(a.data.length)
    const options = { threshold: 0.1, includeAA: antialiasing, diffMask: true }
    const count = pixelmatch(Uint8Array.from(a.data), Uint8Array.from(b.data), expected, 1_000, 330, options)
    assert.ok(count > 100)
    const { image: drawn, difference } = await compare(image, reference, { antialiasing, show: 'mask', color: 'blue' })
    assert.equal(difference, Math.round((count / 330_000) * 1e6) / 1e6)
    assert.equal(drawn.channels, 4)
    for (let at = 3; at < expected.length; at += 4) assert.equal(drawn.data[at], expected[at])
  }
})

test('a higher threshold accepts larger differences', async () => {
  const image = painted(256, 1, () => [0, 0, 0])
  const reference = painted(256, 1, (x) => [x, x, x])
  // A distance of greys is that of their luma: 1 for black and white.
  for (const threshold of [0, 0.1, 0.5, 1]) {
    const { difference } = await compare(image, reference, { threshold, antialiasing: true })
    assert.ok(Math.abs(Number(difference) - (1 - threshold)) < 0.02, `${threshold}: ${difference}`)
  }
})

test('draws a highlight in its colour on the pale, opaque image', async () => {
  const image = painted(9, 9, (x) => [0, 0, 0, x < 5 ? 255 : 0])
  const reference = painted(9, 9, (x, y) =>
    x === 1 && y === 1 ? [255, 255, 255] : [0, 0, 0, x < 5 ? 255 : 0].slice(0, 3),
  )
  const { image: drawn } = await compare(image, reference, { color: '#102030', antialiasing: true })
  assert.equal(drawn.channels, 3)
  assert.deepEqual(pixelAt(drawn, 1, 1), [16, 32, 48])
  assert.deepEqual(pixelAt(drawn, 3, 3), [191, 191, 191])
})

test('rejects a reference of another size, or fits it on request', async () => {
  const half = painted(4, 4, (x) => [x < 2 ? 255 : 0, 0, 0])
  const whole = painted(8, 8, (x) => [x < 4 ? 255 : 0, 0, 0])
  await assert.rejects(compare(whole, half), isFault('input_invalid', /8 x 8.*4 x 4/))
  const { difference } = await compare(whole, half, { fit: 'fill', threshold: 0.3 })
  assert.equal(difference, 0)
})

async function compare(image: ImageValue, reference: ImageValue, values: Record<string, unknown> = {}) {
  const { image: drawn, ...found } = await outputsOf(diff, { image, reference }, values)
  return { ...found, image: await pixelsOf(drawn, contextFor()) } as Record<string, unknown> & { image: Pixels }
}
