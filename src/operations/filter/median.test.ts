import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertPixels, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { disc, ramps, runOn, softColors } from '../../imaging/raster/test-run.ts'
import type { Pixels } from '../../imaging/types.ts'
import { median } from './median.ts'

const busy = painted(16, 16, (x, y) => [(x * 97 + y * 31) % 256, (x * x * 13 + y * 7) % 256, (x * y * 29) % 256])

for (const size of [3, 5, 7]) {
  test(`every pixel becomes the median of ${size} x ${size}, with repeated edge pixels outside`, async () => {
    for (const image of [busy, ramps[0] as typeof busy]) {
      const [before, after] = [image.pixels as Pixels, await runOn(median, { image }, { size })]
      assertPixels(after, (x, y) => medianOf(before, x, y, size))
    }
  })
}

test('removes specks and keeps edges in place', async () => {
  const image = painted(20, 20, (x, y) => (x === 4 && y === 4 ? [255, 0, 0] : x < 10 ? [20, 20, 20] : [200, 200, 200]))
  const pixels = await runOn(median, { image }, {})
  for (let x = 0; x < 20; x += 1) assert.deepEqual(pixelAt(pixels, x, 4), x < 10 ? [20, 20, 20] : [200, 200, 200])
})

test('a soft edge keeps its colour, and opaque parts stay opaque', async () => {
  const pixels = await runOn(median, { image: disc }, { size: 5 })
  for (const color of softColors(pixels)) assert.deepEqual(color, [255, 255, 255])
  assert.deepEqual([pixelAt(pixels, 30, 30)[3], pixelAt(pixels, 0, 0)[3]], [255, 0])
  const full = await runOn(median, { image: painted(9, 9, (x) => [x, 9, 9, 255]) }, {})
  for (let at = 3; at < full.data.length; at += 4) assert.equal(full.data[at], 255)
})

function medianOf(pixels: Pixels, x: number, y: number, size: number): number[] {
  const half = (size - 1) / 2
  const cut = (value: number) => Math.max(0, Math.min(15, value))
  return [0, 1, 2].map((channel) => {
    const values: number[] = []
    for (let dy = -half; dy <= half; dy += 1) {
      for (let dx = -half; dx <= half; dx += 1) values.push(pixelAt(pixels, cut(x + dx), cut(y + dy))[channel] ?? 0)
    }
    return values.sort((a, b) => a - b)[(size * size - 1) / 2] ?? -1
  })
}
