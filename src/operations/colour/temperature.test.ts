import assert from 'node:assert/strict'
import { test } from 'node:test'
import { luma } from '../../imaging/raster/test-color.ts'
import { painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { assertFormula, runOn } from '../../imaging/raster/test-run.ts'
import { lightAt } from '../../imaging/raster/tone/light.ts'
import { temperature } from './temperature.ts'

const color = (x: number) => [x, (x * 7) % 256, 255 - x]

test('keeps the luma of every pixel for any light', async () => {
  const image = painted(256, 1, color)
  for (const params of [{ warmth: 100 }, { warmth: -100 }, { tint: 100 }, { warmth: 40, tint: -100 }]) {
    const pixels = await runOn(temperature, { image }, params)
    for (let x = 0; x < 256; x += 1) {
      const [before, after] = [color(x), pixelAt(pixels, x, 0)]
      assert.ok(Math.abs(luma(before) - luma(after)) <= 0.6, `${before} became ${after}`)
    }
  }
})

test('grey gets the colour of the light: orange, blue, magenta, green; black and white stay', async () => {
  const image = painted(3, 1, (x) => Array(3).fill([0, 128, 255][x]))
  const grey = async (params: Record<string, number>) => {
    const pixels = await runOn(temperature, { image }, params)
    assert.deepEqual(
      [pixelAt(pixels, 0, 0), pixelAt(pixels, 2, 0)],
      [
        [0, 0, 0],
        [255, 255, 255],
      ],
    )
    const [r = 0, g = 0, b = 0] = pixelAt(pixels, 1, 0)
    return { r, g, b }
  }
  const warm = await grey({ warmth: 50 })
  assert.ok(warm.r > warm.g && warm.g > warm.b, JSON.stringify(warm))
  const cool = await grey({ warmth: -50 })
  assert.ok(cool.r < cool.g && cool.g < cool.b, JSON.stringify(cool))
  const magenta = await grey({ tint: 50 })
  assert.ok(magenta.r > magenta.g + 5 && magenta.b > magenta.g + 5, JSON.stringify(magenta))
  const green = await grey({ tint: -50 })
  assert.ok(green.r < green.g - 5 && green.b < green.g - 5, JSON.stringify(green))
})

test('changes nothing without warmth and tint', async () => {
  await assertFormula(temperature, {}, (pixel) => pixel, 0)
})

test('the light of 2856 K is illuminant A next to daylight of 5500 K', () => {
  const [r, g, b] = lightAt(1e6 / 2856 - 1e6 / 5500, 0)
  // Illuminant A: x 0.44757, y 0.40745 (CIE 15); a black body of 5500 K: x 0.3325, y 0.3411 (Wyszecki and Stiles, table I).
  const [a, daylight] = [linear(0.44757, 0.40745), linear(0.3325, 0.3411)]
  for (const [i, value] of [r, g, b].entries()) {
    const expected = (a[i] ?? 0) / (daylight[i] ?? 1)
    assert.ok(Math.abs(value - expected) < 0.01, `${i}: ${value}, not ${expected}`)
  }
})

function linear(x: number, y: number): number[] {
  const [X, Z] = [x / y, (1 - x - y) / y]
  return [
    3.2404542 * X - 1.5371385 - 0.4985314 * Z,
    -0.969266 * X + 1.8760108 + 0.041556 * Z,
    0.0556434 * X - 0.2040259 + 1.0572252 * Z,
  ]
}
