import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertSameHue, luma } from '../../imaging/raster/test-color.ts'
import { painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { assertFormula, runOn } from '../../imaging/raster/test-run.ts'
import { levels } from './levels.ts'

test('levels with gamma 1 are a straight line from black to white', async () => {
  await assertFormula(levels, { black: 51, white: 204 }, (pixel) => pixel.map((value) => ((value - 51) / 153) * 255))
  await assertFormula(levels, { outBlack: 40, outWhite: 90 }, (pixel) => pixel.map((value) => 40 + (value * 50) / 255))
  await assertFormula(levels, {}, (pixel) => pixel, 0)
})

test('applies gamma between the ends, before the output range', async () => {
  const values = { black: 10, white: 250, gamma: 2.2, outBlack: 255, outWhite: 0 }
  const bent = (value: number) => 255 - 255 * Math.max(0, Math.min(1, (value - 10) / 240)) ** (1 / 2.2)
  await assertFormula(levels, values, (pixel) => pixel.map(bent))
})

test('levels of one channel do not change the others', async () => {
  await assertFormula(levels, { channel: 'green', outWhite: 51 }, ([r, g, b]) => [r, g / 5, b])
  await assertFormula(levels, { channel: 'blue', outWhite: 51 }, ([r, g, b]) => [r, g, b / 5])
})

test('levels of luminance set the luma and keep the hue of every pixel', async () => {
  const color = (x: number) => [x, (x * 3) % 256, 255 - x]
  const image = painted(256, 1, color)
  const pixels = await runOn(levels, { image }, { channel: 'luminance', black: 20, white: 230, gamma: 1.6 })
  for (let x = 0; x < 256; x += 1) {
    const [before, after] = [color(x), pixelAt(pixels, x, 0)]
    const expected = 255 * Math.max(0, Math.min(1, (luma(before) - 20) / 210)) ** (1 / 1.6)
    // Between two of 256 lumas the curve is a straight line, which near black it is not.
    assert.ok(
      Math.abs(luma(after) - expected) <= (luma(before) < 30 ? 3 : 0.7),
      `${before} became ${after}, not of luma ${expected}`,
    )
    assertSameHue(before, after)
  }
})

test('rejects a white that is not above black, with both values', async () => {
  const image = painted(1, 1, () => [0, 0, 0])
  await assert.rejects(
    runOn(levels, { image }, { black: 100, white: 100 }),
    /"white" must be greater than "black" \(100\), not 100/,
  )
  await runOn(levels, { image }, { black: 100, white: 101 })
})
