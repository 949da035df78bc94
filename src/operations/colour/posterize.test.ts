import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertPixels, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { assertFormula, runOn } from '../../imaging/raster/test-run.ts'
import { posterize } from './posterize.ts'

test('rounds every channel to the nearest of its levels', async () => {
  for (const levels of [2, 3, 4, 64]) {
    const step = 255 / (levels - 1)
    await assertFormula(posterize, { levels }, (pixel) => pixel.map((value) => Math.round(value / step) * step), 0.5)
  }
})

test('dithering uses only the levels, and keeps the mean of every tone', async () => {
  for (const grey of [13, 64, 100, 180, 243]) {
    const image = painted(64, 64, () => [grey, 255 - grey, 128])
    const pixels = await runOn(posterize, { image }, { levels: 3, dither: true })
    const sums = [0, 0, 0]
    for (let at = 0; at < pixels.data.length; at += 1) {
      const value = pixels.data[at] ?? -1
      assert.ok([0, 128, 255].includes(value), `${value}`)
      sums[at % 3] = (sums[at % 3] ?? 0) + value
    }
    const means = sums.map((sum) => sum / 4096)
    for (const [i, expected] of [grey, 255 - grey, 128].entries()) {
      assert.ok(Math.abs((means[i] ?? 0) - expected) < 2, `${means} for ${grey}`)
    }
  }
})

test('dithering keeps alpha, and spreads no error from transparent pixels', async () => {
  const hidden = (color: number) => painted(32, 32, (x) => (x < 16 ? [color, color, color, 0] : [128, 128, 128, 200]))
  const [a, b] = [
    await runOn(posterize, { image: hidden(100) }, { levels: 2, dither: true }),
    await runOn(posterize, { image: hidden(20) }, { levels: 2, dither: true }),
  ]
  for (let y = 0; y < 32; y += 1) assert.equal(pixelAt(a, 3, y)[3], 0)
  assertPixels(a, (x, y) => (x >= 16 ? pixelAt(b, x, y) : undefined))
})
