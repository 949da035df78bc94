import assert from 'node:assert/strict'
import { test } from 'node:test'
import { painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { disc, runOn } from '../../imaging/raster/test-run.ts'
import type { ImageValue, Pixels } from '../../imaging/types.ts'
import { edges } from './edges.ts'

const step = painted(40, 20, (x) => (x < 20 ? [0, 0, 0] : [255, 255, 255]))
const flat = painted(30, 20, () => [90, 140, 20])

test('a step from black to white gives a full line, and flat parts none', async () => {
  const pixels = await find(step, { sigma: 0.3, strength: 1 })
  assert.equal(pixels.channels, 3)
  for (let y = 0; y < 20; y += 1) {
    assert.ok((pixelAt(pixels, 19, y)[0] ?? 0) > 225 && (pixelAt(pixels, 20, y)[0] ?? 0) > 225)
    for (const x of [0, 10, 16, 23, 39]) assert.deepEqual(pixelAt(pixels, x, y), [0, 0, 0])
  }
  for (const method of ['gradient', 'difference']) {
    const none = await find(flat, { method, strength: 50 })
    assert.ok(none.data.every((value) => value === 0))
  }
})

test('the gradient of a slope is its steepness, equal in all directions', async () => {
  for (const angle of [0, 20, 45, 70, 90]) {
    const [dx, dy] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)]
    const slope = painted(60, 60, (x, y) => [0, 0, 0].fill(Math.round(128 + 2 * (dx * (x - 30) + dy * (y - 30)))))
    const pixels = await find(slope, { sigma: 2, strength: 10 })
    // 2 levels a pixel, over the 2 pixels that the operator spans.
    assert.ok(Math.abs((pixelAt(pixels, 30, 30)[0] ?? 0) - 40) <= 2, `${pixelAt(pixels, 30, 30)} at ${angle}`)
  }
})

test('the difference draws only the dark side of an edge, fully for a step', async () => {
  const pixels = await find(step, { method: 'difference', sigma: 2, strength: 1 })
  const row = Array.from({ length: 40 }, (_, x) => pixelAt(pixels, x, 10)[0] ?? 0)
  assert.ok(Math.max(...row) > 240, `${row}`)
  assert.ok(row.slice(20).every((value) => value === 0))
})

test('the threshold drops weak edges and keeps strong ones', async () => {
  const weak = painted(40, 20, (x) => (x < 20 ? [100, 100, 100] : [120, 120, 120]))
  const params = { sigma: 0.3, strength: 1, threshold: 0.2 }
  assert.ok((await find(weak, params)).data.every((value) => value === 0))
  assert.ok((pixelAt(await find(step, params), 20, 10)[0] ?? 0) > 220)
  assert.ok((await find(step, { ...params, threshold: 1 })).data.every((value) => value === 0))
})

test('draws lines and background in the requested colours, and transparent ones without fringes', async () => {
  const params = { sigma: 0.3, strength: 50, color: '#204060', background: 'transparent' }
  const pixels = await find(step, params)
  assert.equal(pixels.channels, 4)
  assert.deepEqual(pixelAt(pixels, 20, 10), [0x20, 0x40, 0x60, 255])
  assert.equal(pixelAt(pixels, 5, 10)[3], 0)
  const soft = await find(step, { ...params, sigma: 3, strength: 1 })
  for (let x = 0; x < 40; x += 1) {
    const [r = 0, g = 0, b = 0, alpha = 0] = pixelAt(soft, x, 10)
    if (alpha > 0) assert.deepEqual([r, g, b], [0x20, 0x40, 0x60])
  }
})

test('a contour of alpha is an edge for any colour, and transparent parts have none', async () => {
  for (const value of [0, 255]) {
    const shape = painted(40, 40, (x, y) =>
      Math.hypot(x - 20, y - 20) < 12 ? [value, value, value, 255] : [(x * 40) % 256, 0, 0, 0],
    )
    const pixels = await find(shape, { sigma: 0.5, strength: 1 })
    assert.ok((pixelAt(pixels, 8, 20)[0] ?? 0) > 150, `${value}`)
    assert.deepEqual([pixelAt(pixels, 2, 2)[0], pixelAt(pixels, 20, 20)[0]], [0, 0])
  }
  assert.equal((await find(disc, {})).channels, 3)
})

test('an image of one pixel has no edges', async () => {
  assert.deepEqual(
    [
      ...(
        await find(
          painted(1, 1, () => [200, 0, 0]),
          {},
        )
      ).data,
    ],
    [0, 0, 0],
  )
})

function find(image: ImageValue, params: Record<string, unknown>): Promise<Pixels> {
  return runOn(edges, { image }, params)
}
