import assert from 'node:assert/strict'
import { test } from 'node:test'
import { painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { assertFormula, runOn } from '../../imaging/raster/test-run.ts'
import { tint } from './tint.ts'

const luma = ([r, g, b]: number[]) => 0.2126 * Number(r) + 0.7152 * Number(g) + 0.0722 * Number(b)

test('keeps the luma of every pixel for any colour', async () => {
  for (const color of ['red', '#704214', 'rgb(0 0 255)', 'white']) {
    const image = painted(256, 1, (x) => [x, 255 - x, (x * 7) % 256])
    const pixels = await runOn(tint, { image }, { color })
    for (let x = 0; x < 256; x += 1) {
      const [before, after] = [luma([x, 255 - x, (x * 7) % 256]), luma(pixelAt(pixels, x, 0))]
      assert.ok(Math.abs(before - after) <= 1.1, `${color}: ${before} became ${after}`)
    }
  }
})

test('has the hue of its colour: red gives equal green and blue, grey gives grey', async () => {
  const image = painted(256, 1, (x) => [x, x, x])
  const red = await runOn(tint, { image }, { color: 'red' })
  for (let x = 0; x < 256; x += 1) {
    const [r = 0, g = 0, b = 0] = pixelAt(red, x, 0)
    assert.ok(g === b && r >= g, `${r} ${g} ${b}`)
  }
  // As SetLum of "Compositing and Blending" has it: red of luma 0.2126, raised to 0.6 and clipped at its top.
  const [r = 0, g = 0] = pixelAt(red, 153, 0)
  const below = 0.6 - 0.2126 + 0.6 - 0.6
  const expected = 0.6 + ((below - 0.6) * (1 - 0.6)) / (1.3874 - 0.6)
  assert.ok(r === 255 && Math.abs(g - expected * 255) <= 1, `${r} ${g}`)
  await assertFormula(tint, { color: 'gray' }, (pixel) => pixel.map(() => luma(pixel)), 1.01)
})

test('the amount and the alpha of the colour mix with the image', async () => {
  await assertFormula(tint, { color: 'gray', amount: 0.5 }, (pixel) => pixel.map((v) => v / 2 + luma(pixel) / 2), 1.01)
  await assertFormula(tint, { color: 'rgb(128 128 128 / 0)' }, (pixel) => pixel, 0)
})
