import assert from 'node:assert/strict'
import { test } from 'node:test'
import { painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { ramps, runOn } from '../../imaging/raster/test-run.ts'
import type { Pixels } from '../../imaging/types.ts'
import { grain } from './grain.ts'

const flat = (value: number) => painted(200, 200, () => [value, value, value])

for (const [size, value] of [
  [1, 128],
  [1.5, 128],
  [4, 128],
  [12, 128],
  [1.5, 40],
] as const) {
  test(`grain of size ${size} on ${value} has the requested deviation, and keeps the mean`, async () => {
    const pixels = await runOn(grain, { image: flat(value) }, { amount: 0.3, size })
    const expected = 0.3 * 64 * 4 * (value / 255) * (1 - value / 255)
    const { mean, deviation } = statistics(pixels)
    assert.ok(Math.abs(mean - value) < 0.06 * expected * size, `mean ${mean}`)
    assert.ok(Math.abs(deviation - expected) < 0.12 * expected, `deviation ${deviation}, not ${expected}`)
  })
}

test('larger grain is correlated over more pixels', async () => {
  const likeness = async (size: number) => {
    const pixels = await runOn(grain, { image: flat(128) }, { amount: 0.3, size })
    let sum = 0
    for (let y = 0; y < 200; y += 1) {
      for (let x = 0; x < 198; x += 1) {
        sum += ((pixelAt(pixels, x, y)[0] ?? 0) - 128) * ((pixelAt(pixels, x + 2, y)[0] ?? 0) - 128)
      }
    }
    return sum / (200 * 198) / statistics(pixels).deviation ** 2
  }
  const [fine, medium, coarse] = [await likeness(1), await likeness(3), await likeness(8)]
  assert.ok(Math.abs(fine) < 0.05 && medium > 0.2 && coarse > medium + 0.3, `${fine} ${medium} ${coarse}`)
})

test('black, white and alpha stay, and monochrome grain changes no hue', async () => {
  for (const value of [0, 255]) {
    const pixels = await runOn(grain, { image: flat(value) }, { amount: 1 })
    assert.ok(pixels.data.every((byte) => byte === value))
  }
  for (const image of ramps) {
    const pixels = await runOn(grain, { image }, { amount: 0.5 })
    const before = image.pixels as Pixels
    assert.equal(pixels.channels, before.channels)
    if (before.channels === 4)
      for (let at = 3; at < before.data.length; at += 4) assert.equal(pixels.data[at], before.data[at])
  }
  const grey = await runOn(grain, { image: flat(100) }, {})
  for (let at = 0; at < grey.data.length; at += 3) assert.equal(grey.data[at], grey.data[at + 2])
  const coloured = await runOn(grain, { image: flat(100) }, { monochrome: false })
  assert.ok(
    statistics(coloured).deviation > 5 &&
      coloured.data.some((byte, at) => at % 3 === 0 && byte !== coloured.data[at + 2]),
  )
})

test('the same seed gives the same grain, another seed gives another, and an amount of 0 none', async () => {
  const [image, context] = [flat(90), {}]
  const run = async (params: Record<string, unknown>) => (await runOn(grain, { image }, { ...context, ...params })).data
  assert.deepEqual(await run({ seed: 3 }), await run({ seed: 3 }))
  assert.notDeepEqual(await run({ seed: 3 }), await run({ seed: 4 }))
  assert.deepEqual(await run({ amount: 0 }), image.pixels?.data)
})

function statistics({ data }: Pixels): { mean: number; deviation: number } {
  const mean = data.reduce((a, b) => a + b, 0) / data.length
  return { mean, deviation: Math.sqrt(data.reduce((sum, value) => sum + (value - mean) ** 2, 0) / data.length) }
}
