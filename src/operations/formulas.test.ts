/** The numbers in the reference are true for pixels. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from 'uqr'
import { parseColor } from '../imaging/raster/color.ts'
import { pixelsOf } from '../imaging/raster/image.ts'
import { contextFor, painted, pixelAt } from '../imaging/raster/test-images.ts'
import { runOn } from '../imaging/raster/test-run.ts'
import type { ImageValue } from '../imaging/types.ts'
import { catalogue } from './index.ts'

const context = contextFor()
const ramp = painted(16, 16, (x, y) => [x * 16, y * 16, 255 - x * 16])

const run = (id: string, inputs: Record<string, ImageValue>, values: Record<string, unknown>) =>
  runOn(catalogue.get(id) ?? assert.fail(), inputs, values)

const clamp = (value: number) => Math.max(0, Math.min(255, value))
const luma = ([r = 0, g = 0, b = 0]: number[]) => 0.2126 * r + 0.7152 * g + 0.0722 * b

const formulas: [string, Record<string, unknown>, (pixel: number[]) => number[]][] = [
  ['adjust', { brightness: 1.5 }, (pixel) => pixel.map((value) => value * 1.5)],
  ['adjust', { lightness: -20 }, (pixel) => pixel.map((value) => value - 51)],
  ['adjust', { contrast: 2 }, (pixel) => pixel.map((value) => 127.5 + (value - 127.5) * 2)],
  ['adjust', { gamma: 2 }, (pixel) => pixel.map((value) => 255 * (value / 255) ** 0.5)],
  ['adjust', { gamma: 0.5 }, (pixel) => pixel.map((value) => 255 * (value / 255) ** 2)],
  ['adjust', { saturation: 0 }, (pixel) => pixel.map(() => luma(pixel))],
  ['adjust', { saturation: 1.6 }, (pixel) => pixel.map((value) => luma(pixel) + (value - luma(pixel)) * 1.6)],
  ['adjust', { hue: 360 }, (pixel) => pixel],
  [
    'adjust',
    { gamma: 2, saturation: 0.5, brightness: 1.2, contrast: 0.8, lightness: 4 },
    (pixel) => {
      const bright = pixel.map((value) => 255 * (value / 255) ** 0.5)
      const pale = bright.map((value) => luma(bright) + (value - luma(bright)) * 0.5)
      return pale.map((value) => (value * 1.2 - 127.5) * 0.8 + 127.5 + 10.2)
    },
  ],
  ['grayscale', {}, (pixel) => pixel.map(() => luma(pixel))],
]

for (const [id, params, formula] of formulas) {
  test(`${id} ${JSON.stringify(params)} matches its formula, and keeps alpha`, async () => {
    const translucent = painted(16, 16, (x, y) => [x * 16, y * 16, 255 - x * 16, 7 + x * 8])
    for (const image of [ramp, translucent]) {
      const [before, after] = [await pixelsOf(image, context), await run(id, { image }, params)]
      assert.equal(after.channels, before.channels)
      for (const [x, y] of [
        [0, 0],
        [3, 12],
        [8, 8],
        [15, 1],
      ] as const) {
        const [from, to] = [pixelAt(before, x, y), pixelAt(after, x, y)]
        const expected = formula(from.slice(0, 3)).map(clamp)
        for (const [at, value] of expected.entries()) {
          assert.ok(Math.abs(value - (to[at] ?? -99)) <= 2, `${from} became ${to}, not ${expected}`)
        }
        assert.equal(to[3], from[3])
      }
    }
  })
}

test('hue-rotate keeps grey and rotates a third of the wheel as CSS does', async () => {
  const image = painted(2, 1, (x) => (x === 0 ? [90, 90, 90] : [255, 0, 0]))
  const pixels = await run('adjust', { image }, { hue: 120 })
  assert.ok(pixelAt(pixels, 0, 0).every((value) => Math.abs(value - 90) <= 1))
  // https://www.w3.org/TR/filter-effects-1/#feColorMatrixElement, for 120 degrees of pure red.
  const [r = 0, g = 0, b = 0] = pixelAt(pixels, 1, 0)
  assert.ok(r === 0 && Math.abs(g - 113) <= 2 && b === 0, `${r} ${g} ${b}`)
})

test('a gradient starts and ends with its colours, follows its angle, and has no grey towards transparent', async () => {
  const size = { width: 101, height: 51 }
  const right = await run('gradient', {}, { ...size, from: '#ff0000', to: '#0000ff', angle: 90 })
  assert.ok((pixelAt(right, 0, 20)[0] ?? 0) > 250 && (pixelAt(right, 100, 20)[2] ?? 0) > 250)
  assert.deepEqual(pixelAt(right, 50, 0), pixelAt(right, 50, 50))
  assert.deepEqual(pixelAt(right, 50, 25), [128, 0, 128])

  const slanted = await run('gradient', {}, { ...size, from: 'white', to: 'black', angle: 135 })
  assert.ok((pixelAt(slanted, 0, 0)[0] ?? 0) > 250 && (pixelAt(slanted, 100, 50)[0] ?? 9) < 5)
  const [middle = 0] = pixelAt(slanted, 50, 25)
  assert.ok(Math.abs(middle - 128) <= 1)

  const fading = await run('gradient', {}, { ...size, from: 'red', to: 'transparent' })
  const [r, g, b, alpha = 0] = pixelAt(fading, 50, 25)
  assert.deepEqual([r, g, b], [255, 0, 0])
  assert.ok(Math.abs(alpha - 128) <= 2)
})

test('a QR code has modules of whole pixels, and its margin around it', async () => {
  const params = { text: 'https://example.com', size: 137, margin: 4 }
  const modules = encode(params.text, { ecc: 'M', border: 0, boostEcc: false }).data
  const scale = Math.floor(137 / (modules.length + 8))
  const start = Math.floor((137 - modules.length * scale) / 2)
  const pixels = await run('qr', {}, params)
  assert.deepEqual([pixels.width, pixels.height], [137, 137])
  assert.ok(start >= 4 * scale)
  for (let y = 0; y < 137; y += 1) {
    for (let x = 0; x < 137; x += 1) {
      const isDark = modules[Math.floor((y - start) / scale)]?.[Math.floor((x - start) / scale)] === true
      assert.equal(pixelAt(pixels, x, y)[0], isDark ? 0 : 255, `at ${x}, ${y}`)
    }
  }
})

test('quarter turns move every pixel unchanged', async () => {
  for (const angle of [90, -270]) {
    const pixels = await run('rotate', { image: ramp }, { angle })
    assert.deepEqual(pixelAt(pixels, 15, 0), pixelAt(await pixelsOf(ramp, context), 0, 0))
  }
})

test('round hides the corners, and crops the circle of a wide image from its middle', async () => {
  const wide = painted(40, 20, (x) => [x * 6, 0, 0])
  const pixels = await run('round', { image: wide }, { topRight: 10 })
  assert.deepEqual([pixelAt(pixels, 39, 0)[3], pixelAt(pixels, 0, 0)[3], pixelAt(pixels, 20, 10)[3]], [0, 255, 255])
  const circle = await run('round', { image: wide }, { circle: true })
  assert.deepEqual([circle.width, circle.height], [20, 20])
  assert.deepEqual(pixelAt(circle, 10, 10), [120, 0, 0, 255])
  const hidden = [0, 19].flatMap((x) => [0, 19].map((y) => pixelAt(circle, x, y)[3]))
  assert.deepEqual(hidden, [0, 0, 0, 0])
})

test('all notations of a colour are equivalent', () => {
  const expected = { r: 0, g: 170, b: 255, alpha: 1 }
  for (const text of ['#0af', '#00aaff', '#00AAFFFF', 'rgb(0, 170, 255)', 'rgb(0 170 255)', 'hsl(200, 100%, 50%)']) {
    assert.deepEqual(parseColor(text), expected, text)
  }
  assert.deepEqual(parseColor('transparent'), { r: 0, g: 0, b: 0, alpha: 0 })
  assert.equal(parseColor('rgb(0 170 255 / 50%)').alpha, 0.5)
  assert.deepEqual(parseColor('hwb(0 100% 0%)'), { r: 255, g: 255, b: 255, alpha: 1 })
})
