import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checker } from '../../domain/validate.ts'
import { assertSameHue, luma } from '../../imaging/raster/test-color.ts'
import { assertPixels, paint, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { assertFormula, runOn } from '../../imaging/raster/test-run.ts'
import { equalize } from './equalize.ts'

const grey = (value: number, ...alpha: number[]) => [value, value, value, ...alpha]

test('maps luma to the share of darker or equal pixels, without the share of the darkest', async () => {
  // 50, 60, 60, 90, ...: how often each of 4 values is there is what counts, not how far apart they are.
  const values = [50, 60, 60, 90, 90, 90, 200, 200, 200, 200]
  const image = painted(10, 7, (x) => grey(values[x] ?? 0))
  const pixels = await runOn(equalize, { image }, {})
  const expected = new Map([
    [50, 0],
    [60, (255 * 2) / 9],
    [90, (255 * 5) / 9],
    [200, 255],
  ])
  for (const [x, value] of values.entries()) {
    assert.ok(Math.abs((pixelAt(pixels, x, 3)[0] ?? -9) - (expected.get(value) ?? 0)) <= 0.51, `${value}`)
  }
})

test('keeps every hue', async () => {
  const color = (x: number, y: number) => [100 + x, 60 + y * 2, 140 - x]
  for (const params of [{}, { clip: 3, tiles: 3 }]) {
    const pixels = await runOn(equalize, { image: painted(40, 40, color) }, params)
    for (let y = 0; y < 40; y += 1) {
      for (let x = 0; x < 40; x += 1) assertSameHue(color(x, y), pixelAt(pixels, x, y))
    }
  }
})

test('a clip of 1 changes nothing with tiles', async () => {
  await assertFormula(equalize, { clip: 1, tiles: 4 }, (pixel) => pixel)
})

test('a single tile uses its clipped histogram', async () => {
  // Half 100, half 120; a clip of 20 lets each count 20/256 and deals 216/256 out to the other 254.
  const image = painted(16, 16, (x) => grey(x % 2 === 0 ? 100 : 120))
  const pixels = await runOn(equalize, { image }, { clip: 20, tiles: 1 })
  const [added, unchanged] = [216 / 256 / 254, 20 / 256]
  const at = (value: number) => 256 * (value > 100 ? 119 * added + unchanged * 1.5 : 100 * added + unchanged / 2) - 0.5
  assert.ok(Math.abs((pixelAt(pixels, 0, 0)[0] ?? 0) - at(100)) <= 0.51, `${pixelAt(pixels, 0, 0)} ${at(100)}`)
  assert.ok(Math.abs((pixelAt(pixels, 1, 0)[0] ?? 0) - at(120)) <= 0.51, `${pixelAt(pixels, 1, 0)} ${at(120)}`)
})

test('a soft slope shows no edges between tiles', async () => {
  const image = painted(160, 8, (x) => grey(60 + Math.round(x / 2)))
  const pixels = await runOn(equalize, { image }, { clip: 4, tiles: 8 })
  for (let x = 1; x < 160; x += 1) {
    const step = (pixelAt(pixels, x, 4)[0] ?? 0) - (pixelAt(pixels, x - 1, 4)[0] ?? 0)
    assert.ok(Math.abs(step) <= 8, `a step of ${step} at ${x}`)
  }
})

test('increases local contrast where it was low', async () => {
  const image = painted(64, 64, (x, y) => grey((x < 32 ? 40 : 200) + ((x + y) % 4)))
  const pixels = await runOn(equalize, { image }, { clip: 8, tiles: 4 })
  for (const x of [8, 48]) {
    const row = Array.from({ length: 8 }, (_, i) => luma(pixelAt(pixels, x + i, 30)))
    assert.ok(Math.max(...row) - Math.min(...row) > 12, `${row}`)
  }
})

test('ignores transparent pixels, and keeps alpha', async () => {
  const hidden = (value: number) => painted(40, 40, (x, y) => (x < 20 ? grey(value, 0) : grey(80 + y, 200)))
  for (const params of [{}, { clip: 3, tiles: 2 }]) {
    const [a, b] = [
      await runOn(equalize, { image: hidden(0) }, params),
      await runOn(equalize, { image: hidden(255) }, params),
    ]
    for (let y = 0; y < 40; y += 1) assert.equal(pixelAt(a, 5, y)[3], 0)
    assertPixels(a, (x, y) => (x >= 20 ? pixelAt(b, x, y) : undefined))
  }
})

test('accepts an image that is uniform, empty, or smaller than its tiles', async () => {
  for (const pixel of [
    [10, 200, 30],
    [10, 200, 30, 0],
  ]) {
    const image = painted(4, 4, () => pixel)
    assert.deepEqual((await runOn(equalize, { image }, {})).data, paint(4, 4, () => pixel).data)
    assert.equal((await runOn(equalize, { image }, { clip: 2, tiles: 32 })).width, 4)
  }
})

test('an amount of 0 changes nothing, and tiles require clip', async () => {
  await assertFormula(equalize, { amount: 0 }, (pixel) => pixel, 0)
  assert.deepEqual(checker(equalize.params)({ tiles: 4 }), [{ path: 'clip', message: 'is required if "tiles" is set' }])
})
