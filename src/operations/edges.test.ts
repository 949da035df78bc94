/** Straight alpha: what is transparent has no colour, and must not show at the edges of what is resized, turned or mixed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { painted, pixelAt } from '../imaging/raster/test-images.ts'
import { disc, runOn, softColors } from '../imaging/raster/test-run.ts'
import type { ImageValue } from '../imaging/types.ts'
import { catalogue } from './index.ts'

const run = (id: string, inputs: Record<string, ImageValue>, values: Record<string, unknown>) =>
  runOn(catalogue.get(id) ?? assert.fail(), inputs, values)

const steps: [string, Record<string, unknown>][] = [
  ['resize', { width: 31 }],
  ['resize', { width: 143 }],
  ['resize', { width: 90, height: 40, fit: 'contain' }],
  ['rotate', { angle: 33 }],
  ['rotate', { angle: 90 }],
  ['blur', { sigma: 4 }],
  ['sharpen', { sigma: 1 }],
  ['sharpen', {}],
  ['extend', { left: 4 }],
  ['flip', {}],
  ['crop', { width: 30, height: 30 }],
  ['grayscale', {}],
  ['adjust', { saturation: 2, hue: 30 }],
  ['round', { radius: 20 }],
]

for (const [id, params] of steps) {
  test(`${id} ${JSON.stringify(params)} keeps soft edges white`, async () => {
    const pixels = await run(id, { image: disc }, params)
    for (const color of softColors(pixels)) assert.ok(Math.min(...color) > 240, `a dark edge: ${color}`)
  })
}

test('rotating an opaque image leaves no dark edge', async () => {
  const white = painted(40, 40, () => [255, 255, 255])
  const pixels = await run('rotate', { image: white }, { angle: 30 })
  for (let at = 0; at < pixels.data.length; at += 4) {
    if ((pixels.data[at + 3] ?? 0) > 24)
      assert.ok((pixels.data[at] ?? 0) > 240, `${[...pixels.data.subarray(at, at + 4)]}`)
  }
})

test('a soft overlay mixes with the image, and keeps an opaque image opaque', async () => {
  const red = painted(60, 60, () => [200, 0, 0])
  const pixels = await run('composite', { image: red, overlay: disc }, {})
  assert.equal(pixels.channels, 3)
  assert.deepEqual(pixelAt(pixels, 30, 30), [255, 255, 255])
  assert.deepEqual(pixelAt(pixels, 1, 1), [200, 0, 0])
})

test('opacity applies to overlays with and without alpha', async () => {
  const black = painted(8, 8, () => [0, 0, 0])
  for (const overlay of [painted(8, 8, () => [200, 200, 200]), painted(8, 8, () => [200, 200, 200, 255])]) {
    const [value = 0] = pixelAt(await run('composite', { image: black, overlay }, { opacity: 0.5 }), 4, 4)
    assert.ok(Math.abs(value - 100) <= 1, `${value}`)
  }
})

test('a small overlay gives the same pixels as one that covers everything', async () => {
  const ground = painted(100, 80, (x, y) => [x * 2, y * 3, 90])
  const patch = painted(20, 20, (x) => [250, 10, 10, x * 12])
  const whole = painted(100, 80, (x, y) => (x < 20 && y < 20 ? [250, 10, 10, x * 12] : [0, 0, 0, 0]))
  for (const blend of [
    'over',
    'multiply',
    'screen',
    'soft-light',
    'difference',
    'color-burn',
    'dest-out',
    'dest-in',
    'xor',
  ]) {
    const small = await run('composite', { image: ground, overlay: patch }, { x: 0, y: 0, blend })
    const large = await run('composite', { image: ground, overlay: whole }, { x: 0, y: 0, blend })
    assert.deepEqual([small.channels, small.data.equals(large.data)], [large.channels, true], blend)
  }
})

test('an overlay outside the image changes nothing, and as a mask it hides everything', async () => {
  const ground = painted(10, 10, () => [9, 9, 9])
  const overlay = painted(5, 5, () => [1, 2, 3])
  const beside = await run('composite', { image: ground, overlay }, { x: 10, y: 0 })
  assert.deepEqual(pixelAt(beside, 9, 9), [9, 9, 9])
  const masked = await run('composite', { image: ground, overlay }, { x: 10, y: 0, blend: 'dest-in' })
  assert.equal(pixelAt(masked, 9, 9)[3], 0)
})

test('crops an overlay that is larger than the image', async () => {
  const ground = painted(10, 10, () => [9, 9, 9])
  const overlay = painted(30, 30, (x, y) => (x === 10 && y === 10 ? [255, 0, 0] : [0, 0, 255]))
  const pixels = await run('composite', { image: ground, overlay }, {})
  assert.deepEqual([pixels.width, pixels.height], [10, 10])
  assert.deepEqual(pixelAt(pixels, 0, 0), [255, 0, 0])
  assert.deepEqual(pixelAt(pixels, 9, 9), [0, 0, 255])
})
