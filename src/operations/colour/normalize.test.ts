import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertSameHue, luma } from '../../imaging/raster/test-color.ts'
import { paint, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { runOn } from '../../imaging/raster/test-run.ts'
import type { Pixels } from '../../imaging/types.ts'
import { normalize } from './normalize.ts'

const flatColor = (x: number, y: number) => [90 + x, 80 + y, 130 - ((x * y) >> 5)]

test('stretches luma linearly from the lower to the upper percentile', async () => {
  // 60 to 160, a pixel of each: 10 % and 90 % are 70 and 150.
  const image = painted(101, 1, (x) => [60 + x, 60 + x, 60 + x])
  const pixels = await runOn(normalize, { image }, { lower: 10, upper: 90 })
  for (let x = 0; x < 101; x += 1) {
    const expected = Math.max(0, Math.min(255, ((60 + x - 70) * 255) / 80))
    assert.ok(Math.abs((pixelAt(pixels, x, 0)[0] ?? 0) - expected) <= 0.51, `${x}: ${pixelAt(pixels, x, 0)}`)
  }
})

test('0 and 100 percent map the darkest pixel to black and the brightest to white', async () => {
  const image = painted(50, 50, flatColor)
  const lumas = lumasOf(await runOn(normalize, { image }, { lower: 0, upper: 100 }))
  // Luma is rounded to one of 256 values, and the slope is about 3.
  assert.ok(Math.min(...lumas) <= 2 && Math.max(...lumas) >= 253, `${Math.min(...lumas)} ${Math.max(...lumas)}`)
})

test('shifts no hue, even in parts that become black or white', async () => {
  const pixels = await runOn(normalize, { image: painted(50, 50, flatColor) }, { lower: 20, upper: 80 })
  for (let y = 0; y < 50; y += 1) {
    for (let x = 0; x < 50; x += 1) assertSameHue(flatColor(x, y), pixelAt(pixels, x, y))
  }
})

test('ignores transparent pixels, and keeps alpha', async () => {
  const image = painted(60, 1, (x) => (x < 30 ? [0, 255, 0, 0] : x < 45 ? [100, 100, 100, 128] : [150, 150, 150, 255]))
  const pixels = await runOn(normalize, { image }, {})
  assert.deepEqual(pixelAt(pixels, 35, 0), [0, 0, 0, 128])
  assert.deepEqual(pixelAt(pixels, 50, 0), [255, 255, 255, 255])
  assert.equal(pixelAt(pixels, 3, 0)[3], 0)
})

test('does not change a uniform or an empty image', async () => {
  for (const pixel of [
    [10, 200, 30],
    [10, 200, 30, 0],
  ]) {
    const image = painted(4, 4, () => pixel)
    assert.deepEqual((await runOn(normalize, { image }, {})).data, paint(4, 4, () => pixel).data)
  }
})

function lumasOf(pixels: Pixels): number[] {
  return Array.from({ length: pixels.width * pixels.height }, (_, i) =>
    luma(pixelAt(pixels, i % pixels.width, Math.floor(i / pixels.width))),
  )
}
