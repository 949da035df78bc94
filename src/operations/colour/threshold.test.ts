import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checker } from '../../domain/validate.ts'
import { luma } from '../../imaging/raster/test-color.ts'
import { painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { assertFormula, runOn } from '../../imaging/raster/test-run.ts'
import { threshold } from './threshold.ts'

test('pixels with at least the luma of the threshold are white, and all others black', async () => {
  for (const at of [0, 1, 128, 200, 255]) {
    await assertFormula(threshold, { at }, (pixel) => pixel.map(() => (Math.round(luma(pixel)) >= at ? 255 : 0)), 0)
  }
  await assertFormula(threshold, {}, (pixel) => pixel.map(() => (Math.round(luma(pixel)) >= 128 ? 255 : 0)), 0)
})

test('both sides can have a colour, and a transparent one keeps the image', async () => {
  await assertFormula(
    threshold,
    { below: 'rgb(9 8 7)', above: 'transparent' },
    (pixel) => (Math.round(luma(pixel)) < 128 ? [9, 8, 7] : pixel),
    0,
  )
})

test("Otsu's method finds the value between two clusters, wherever they are", async () => {
  for (const [dark, bright] of [
    [10, 60],
    [90, 110],
    [180, 250],
  ] as const) {
    const grey = (x: number) => (x % 3 === 0 ? bright : dark) + ((x * 7) % 5)
    const pixels = await runOn(
      threshold,
      { image: painted(90, 1, (x) => [0, 0, 0].map(() => grey(x))) },
      { otsu: true },
    )
    for (let x = 0; x < 90; x += 1) assert.equal(pixelAt(pixels, x, 0)[0], x % 3 === 0 ? 255 : 0, `${grey(x)}`)
  }
})

test("Otsu's method ignores transparent pixels", async () => {
  // 40 and 80 are seen; 250 is there, much of it, and is not.
  const values = [40, 80, 250, 250, 250, 250]
  const image = painted(60, 1, (x) => [...Array(3).fill(values[x % 6]), x % 6 < 2 ? 255 : 0])
  const pixels = await runOn(threshold, { image }, { otsu: true })
  assert.deepEqual(
    [pixelAt(pixels, 0, 0), pixelAt(pixels, 1, 0)],
    [
      [0, 0, 0, 255],
      [255, 255, 255, 255],
    ],
  )
})

test('rejects a value together with automatic selection', () => {
  assert.deepEqual(checker(threshold.params)({ at: 3, otsu: true }), [
    { path: '', message: 'accepts "at" or "otsu", not both' },
  ])
})
