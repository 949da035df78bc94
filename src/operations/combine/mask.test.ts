import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '../../errors.ts'
import { pixelsOf } from '../../imaging/raster/image.ts'
import { contextFor, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { runOn } from '../../imaging/raster/test-run.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { mask } from './mask.ts'

const context = contextFor()
const run = (inputs: Record<string, ImageValue>, values: Record<string, unknown>) => runOn(mask, inputs, values)
const photo = painted(16, 8, (x, y) => [x * 16, y * 30, 77])
const soft = painted(16, 8, (x, y) => [x * 16, y * 30, 77, 255 - x * 15])
const greys = painted(16, 8, (x, y) => [x * 17, y * 36, 128])
const shape = painted(16, 8, (x, y) => [255 - x * 3, 200, y * 20, x * 17])

const luma = ([r = 0, g = 0, b = 0]: number[]) => 0.2126 * r + 0.7152 * g + 0.0722 * b

const formulas: [string, Record<string, unknown>, (pixel: number[]) => number][] = [
  ['luminance', {}, (pixel) => (luma(pixel) * (pixel[3] ?? 255)) / 255],
  ['luminance, inverted', { invert: true }, (pixel) => 255 - (luma(pixel) * (pixel[3] ?? 255)) / 255],
  ['alpha', { by: 'alpha' }, (pixel) => pixel[3] ?? 255],
  ['alpha, inverted', { by: 'alpha', invert: true }, (pixel) => 255 - (pixel[3] ?? 255)],
]

for (const [name, params, expectedAlpha] of formulas) {
  test(`a mask by ${name} multiplies alpha, and keeps every colour`, async () => {
    for (const image of [photo, soft]) {
      for (const other of [greys, shape]) {
        const [pixels, before, show] = [
          await run({ image, mask: other }, params),
          await pixelsOf(image, context),
          await pixelsOf(other, context),
        ]
        for (let at = 0; at < 128; at += 1) {
          const [x, y] = [at % 16, Math.floor(at / 16)]
          const [r, g, b, alpha = 255] = pixelAt(before, x, y)
          const expected = Math.round((alpha * expectedAlpha(pixelAt(show, x, y))) / 255)
          assert.deepEqual(pixelAt(pixels, x, y).slice(0, 3), [r, g, b])
          assert.ok(Math.abs((pixelAt(pixels, x, y)[3] ?? -9) - expected) <= 1, `at ${x}, ${y}`)
        }
      }
    }
  })
}

test('a mask of another size is stretched, cropped or rejected according to `fit`', async () => {
  // Left half white; twice as wide as the image is.
  const wide = painted(32, 8, (x) => (x < 16 ? [255, 255, 255] : [0, 0, 0]))
  const square = painted(8, 8, () => [9, 9, 9])
  const stretched = await run({ image: square, mask: wide }, {})
  assert.deepEqual([pixelAt(stretched, 0, 4)[3], pixelAt(stretched, 7, 4)[3]], [255, 0])
  const centred = painted(32, 8, (x) => (x >= 12 && x < 20 ? [255, 255, 255] : [0, 0, 0]))
  const covered = await run({ image: square, mask: centred }, { fit: 'cover' })
  assert.deepEqual([pixelAt(covered, 0, 4)[3], pixelAt(covered, 7, 4)[3]], [255, 255])
  await assert.rejects(run({ image: square, mask: wide }, { fit: 'exact' }), (error) => {
    assert.ok(error instanceof Fault && error.details.reason === 'input_invalid')
    assert.match(error.message, /32 x 8.*8 x 8/)
    return true
  })
})
