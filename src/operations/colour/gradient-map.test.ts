import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checker } from '../../domain/validate.ts'
import { painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { runOn } from '../../imaging/raster/test-run.ts'
import { gradientMap } from './gradient-map.ts'

const greys = painted(256, 1, (x) => [x, x, x])

test('maps luma to the colour between the stops, and to the outer colours beyond them', async () => {
  const stops = [
    { at: 0.2, color: 'rgb(0 0 100)' },
    { at: 0.6, color: 'rgb(200 40 0)' },
    { at: 0.8, color: 'white' },
  ]
  const pixels = await runOn(gradientMap, { image: greys }, { stops })
  for (let x = 0; x < 256; x += 1) {
    const [first, second] = [Math.min(1, Math.max(0, x / 102 - 0.5)), Math.min(1, Math.max(0, (x - 153) / 51))]
    const expected = [200 * first + 55 * second, 40 * first + 215 * second, 100 - 100 * first + 255 * second]
    for (const [i, value] of pixelAt(pixels, x, 0).entries()) {
      assert.ok(Math.abs(value - (expected[i] ?? 0)) <= 0.51, `${x}: ${pixelAt(pixels, x, 0)}, not ${expected}`)
    }
  }
})

test('two stops at one position are a hard edge, and the second starts there', async () => {
  const stops = [
    { at: 0, color: 'black' },
    { at: 0.4, color: 'black' },
    { at: 0.4, color: 'red' },
    { at: 1, color: 'red' },
  ]
  const pixels = await runOn(gradientMap, { image: greys }, { stops })
  for (let x = 0; x < 256; x += 1) assert.deepEqual(pixelAt(pixels, x, 0), x < 102 ? [0, 0, 0] : [255, 0, 0])
})

test('a stop keeps its colour towards transparent, and the image is visible through transparent parts', async () => {
  const stops = [
    { at: 0, color: 'rgb(255 0 0)' },
    { at: 1, color: 'rgb(0 0 255 / 0)' },
  ]
  const pixels = await runOn(gradientMap, { image: greys }, { stops })
  assert.deepEqual(pixelAt(pixels, 255, 0), [255, 255, 255])
  for (let x = 0; x < 256; x += 1) {
    const share = 1 - x / 255
    const [r = 0, g = 0, b = 0] = pixelAt(pixels, x, 0)
    assert.ok(Math.abs(r - (255 * share + x * (1 - share))) <= 0.51 && g === b)
  }
})

test('rejects stops that do not ascend with their index, and a single stop when the workflow is saved', async () => {
  const stops = [
    { at: 0.5, color: 'red' },
    { at: 0.4, color: 'blue' },
  ]
  await assert.rejects(runOn(gradientMap, { image: greys }, { stops }), /Stop 1 .* at 0.4, before .* at 0.5/)
  assert.deepEqual(checker(gradientMap.params)({ stops: [stops[0]] })[0], {
    path: 'stops',
    message: 'must have at least 2 items, not 1',
  })
})
