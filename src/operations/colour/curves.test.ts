import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checker } from '../../domain/validate.ts'
import { assertSameHue, luma } from '../../imaging/raster/test-color.ts'
import { painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { assertFormula, runOn } from '../../imaging/raster/test-run.ts'
import { curves } from './curves.ts'

const line = [
  [0, 0],
  [255, 255],
]
const negative = [
  [0, 255],
  [255, 0],
]

test('a curve of two points is a straight line', async () => {
  await assertFormula(curves, { rgb: line }, (pixel) => pixel, 0)
  await assertFormula(curves, { rgb: negative }, (pixel) => pixel.map((value) => 255 - value))
  await assertFormula(
    curves,
    {
      rgb: [
        [51, 0],
        [204, 255],
      ],
    },
    (pixel) => pixel.map((value) => ((value - 51) / 153) * 255),
  )
})

test('applies the curve of a channel before the curve of all channels, to that channel only', async () => {
  const red = [
    [0, 0],
    [255, 100],
  ]
  await assertFormula(curves, { red, rgb: negative }, ([r, g, b]) => [255 - (r * 100) / 255, 255 - g, 255 - b])
  await assertFormula(curves, { green: negative }, ([r, g, b]) => [r, 255 - g, b])
  await assertFormula(curves, { blue: negative }, ([r, g, b]) => [r, g, 255 - b])
})

test('a curve of luminance sets the luma and keeps every hue', async () => {
  const color = (x: number) => [x, (x * 3) % 256, 255 - x]
  const luminance = [
    [0, 51],
    [255, 204],
  ]
  const pixels = await runOn(curves, { image: painted(256, 1, color) }, { luminance })
  for (let x = 0; x < 256; x += 1) {
    const [before, after] = [color(x), pixelAt(pixels, x, 0)]
    assert.ok(Math.abs(luma(after) - (51 + luma(before) * 0.6)) <= 0.6, `${before} became ${after}`)
    assertSameHue(before, after)
  }
})

test('rejects points that do not ascend with their index, and a missing curve when the workflow is saved', async () => {
  const image = painted(1, 1, () => [0, 0, 0])
  const green = [...line, [255, 3]]
  await assert.rejects(
    runOn(curves, { image }, { green }),
    /Point 2 of `green` .* input 255, which must be greater than 255/,
  )
  assert.match(checker(curves.params)({})[0]?.message ?? '', /one of "rgb", "red", "green", "blue", "luminance"/)
  assert.equal(checker(curves.params)({ rgb: [[0, 0]] })[0]?.message, 'must have at least 2 items, not 1')
  assert.equal(
    checker(curves.params)({
      rgb: [
        [0, 0],
        [256, 0],
      ],
    })[0]?.path,
    'rgb.1.0',
  )
})
