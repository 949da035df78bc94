import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertPixels, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { disc, ramps, runOn, softColors } from '../../imaging/raster/test-run.ts'
import type { Pixels } from '../../imaging/types.ts'
import { pixelate } from './pixelate.ts'

const [opaque, translucent] = ramps as [(typeof ramps)[0], (typeof ramps)[0]]

test('every square has the mean of its pixels weighted by alpha, even if the edge cuts it', async () => {
  for (const image of [opaque, translucent]) {
    for (const size of [2, 5, 16, 40]) {
      const before = image.pixels as Pixels
      const after = await runOn(pixelate, { image }, { size })
      assert.equal(after.channels, before.channels)
      for (let y = 0; y < 16; y += 1) {
        for (let x = 0; x < 16; x += 1) {
          const expected = meanOf(before, x - (x % size), y - (y % size), size)
          for (const [at, value] of pixelAt(after, x, y).entries()) {
            assert.ok(Math.abs(value - (expected[at] ?? -9)) <= 0.51, `at ${x}, ${y}: ${value}, not ${expected}`)
          }
        }
      }
    }
  }
})

test('pixelates a box from its own corner, and changes nothing else', async () => {
  const box = { x: 3, y: 5, width: 7, height: 6 }
  const before = opaque.pixels as Pixels
  const after = await runOn(pixelate, { image: opaque }, { size: 4, box })
  assertPixels(after, (x, y) => {
    const isInside = x >= 3 && x < 10 && y >= 5 && y < 11
    return isInside ? undefined : pixelAt(before, x, y)
  })
  assert.deepEqual(pixelAt(after, 3, 5), pixelAt(after, 6, 8))
  assert.notDeepEqual(pixelAt(after, 6, 8), pixelAt(after, 7, 8))
})

test('squares on a soft edge have its colour, and transparent parts stay transparent', async () => {
  const pixels = await runOn(pixelate, { image: disc }, { size: 6 })
  for (const color of softColors(pixels)) assert.deepEqual(color, [255, 255, 255])
  const empty = await runOn(pixelate, { image: painted(9, 9, () => [5, 5, 5, 0]) }, { size: 4 })
  assert.deepEqual(pixelAt(empty, 4, 4), [0, 0, 0, 0])
})

test('rejects a box that reaches outside with both sizes, and accepts one at the edge', async () => {
  const box = { x: 6, y: 0, width: 10, height: 16 }
  await runOn(pixelate, { image: opaque }, { size: 4, box })
  await assert.rejects(
    runOn(pixelate, { image: opaque }, { size: 4, box: { ...box, x: 7 } }),
    /10 x 16 at 7, 0 .*16 x 16/,
  )
})

function meanOf(pixels: Pixels, left: number, top: number, size: number): number[] {
  const sum = [0, 0, 0]
  let [alphas, count] = [0, 0]
  for (let y = top; y < Math.min(16, top + size); y += 1) {
    for (let x = left; x < Math.min(16, left + size); x += 1) {
      const [r = 0, g = 0, b = 0, alpha = 255] = pixelAt(pixels, x, y)
      for (const [at, value] of [r, g, b].entries()) sum[at] = (sum[at] ?? 0) + value * alpha
      alphas += alpha
      count += 1
    }
  }
  return [...sum.map((value) => value / alphas), alphas / count]
}
