import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalOf, randomOf } from '../../imaging/raster/draw/random.ts'
import { painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { disc, ramps, runOn, softColors } from '../../imaging/raster/test-run.ts'
import type { Pixels } from '../../imaging/types.ts'
import { denoise } from './denoise.ts'

/** Dark on the left, bright on the right, with noise of this many levels in each channel. */
function noisy(levels: number) {
  const random = randomOf(4)
  const rough = (value: number) => Math.max(0, Math.min(255, Math.round(value + levels * normalOf(random))))
  return painted(80, 60, (x) => [0, 1, 2].map(() => rough(x < 40 ? 60 : 190)))
}

test('reduces noise of flat parts to a third or less, and keeps an edge as steep', async () => {
  const image = noisy(8)
  const pixels = await runOn(denoise, { image }, { luma: 0.8, chroma: 0.8 })
  for (const [left, value] of [
    [6, 60],
    [50, 190],
  ] as const) {
    const [before, after] = [deviationIn(image.pixels as Pixels, left, value), deviationIn(pixels, left, value)]
    assert.ok(after < before / 3, `${after} of ${before}`)
  }
  for (let y = 5; y < 55; y += 1) {
    assert.ok((pixelAt(pixels, 39, y)[1] ?? 255) < 90 && (pixelAt(pixels, 40, y)[1] ?? 0) > 160, `at ${y}`)
  }
})

test('changes nothing beyond rounding if both are 0 or there is no noise', async () => {
  const image = noisy(8)
  const same = await runOn(denoise, { image }, { luma: 0, chroma: 0 })
  assertNear(same, image.pixels as Pixels, 1)
  const flat = painted(33, 17, () => [200, 30, 90])
  assertNear(await runOn(denoise, { image: flat }, { luma: 1, chroma: 1, radius: 20 }), flat.pixels as Pixels, 1)
})

test('smooths brightness and colour independently', async () => {
  const image = noisy(8)
  const before = image.pixels as Pixels
  const chroma = await runOn(denoise, { image }, { luma: 0, chroma: 1 })
  const luma = await runOn(denoise, { image }, { luma: 1, chroma: 0 })
  for (let at = 0; at < before.data.length; at += 3) {
    assert.ok(Math.abs(lumaOf(before, at) - lumaOf(chroma, at)) < 1.1)
    const [was, is] = [(before.data[at] ?? 0) - lumaOf(before, at), (luma.data[at] ?? 0) - lumaOf(luma, at)]
    assert.ok(Math.abs(was - is) < 1.6, `${was} became ${is}`)
  }
})

test('keeps alpha, and transparent pixels do not colour their neighbours', async () => {
  const translucent = ramps[1] as (typeof ramps)[0]
  const pixels = await runOn(denoise, { image: translucent }, {})
  for (let at = 3; at < pixels.data.length; at += 4) assert.equal(pixels.data[at], translucent.pixels?.data[at])
  for (const color of softColors(await runOn(denoise, { image: disc }, { luma: 1, chroma: 1 }))) {
    assert.ok(Math.min(...color) > 240, `${color}`)
  }
})

test('a faint black shadow next to a colour stays black', async () => {
  const image = painted(40, 20, (x) => (x < 20 ? [240, 120, 0, 255] : x < 30 ? [0, 0, 0, 60] : [255, 255, 255, 0]))
  const pixels = await runOn(denoise, { image }, { luma: 0.5, chroma: 0.5 })
  for (let x = 22; x < 30; x += 1) {
    const [r = 99, g = 99, b = 99, alpha] = pixelAt(pixels, x, 10)
    assert.ok(Math.max(r, g, b) < 25 && alpha === 60, `${r} ${g} ${b} ${alpha} at ${x}`)
  }
})

test('smooths images that are smaller than the window or have odd sizes', async () => {
  for (const [width, height] of [
    [1, 1],
    [2, 1],
    [1, 7],
    [5, 3],
  ] as const) {
    const image = painted(width, height, (x, y) => [x * 9, y * 9, 40])
    const pixels = await runOn(denoise, { image }, { luma: 1, chroma: 1, radius: 20 })
    assert.deepEqual([pixels.width, pixels.height], [width, height])
    assertNear(pixels, image.pixels as Pixels, 40)
  }
})

function deviationIn(pixels: Pixels, left: number, value: number): number {
  let sum = 0
  for (let y = 6; y < 54; y += 1) {
    for (let x = left; x < left + 24; x += 1) for (const byte of pixelAt(pixels, x, y)) sum += (byte - value) ** 2
  }
  return Math.sqrt(sum / (48 * 24 * 3))
}

function lumaOf({ data }: Pixels, at: number): number {
  return 0.2126 * (data[at] ?? 0) + 0.7152 * (data[at + 1] ?? 0) + 0.0722 * (data[at + 2] ?? 0)
}

function assertNear(a: Pixels, b: Pixels, tolerance: number): void {
  for (let at = 0; at < b.data.length; at += 1) {
    assert.ok(Math.abs((a.data[at] ?? -99) - (b.data[at] ?? 0)) <= tolerance, `${a.data[at]}, not ${b.data[at]}`)
  }
}
