import assert from 'node:assert/strict'
import { test } from 'node:test'
import { painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { assertFormula, runOn } from '../../imaging/raster/test-run.ts'
import { vignette } from './vignette.ts'

test('darkens by a smooth step of the distance, in the ramp of each colour, and keeps alpha', async () => {
  for (const shape of ['ellipse', 'circle']) {
    const params = { amount: 0.8, radius: 0.2, softness: 0.7, color: '#405060', shape }
    await assertFormula(
      vignette,
      params,
      (pixel, x, y) => {
        // Both shapes are one in a square.
        const distance = Math.hypot(x - 7.5, y - 7.5) / Math.hypot(8, 8)
        const t = Math.max(0, Math.min(1, (distance - 0.2) / 0.7))
        const share = 0.8 * t * t * (3 - 2 * t)
        return pixel.map((value, at) => value * (1 - share) + ([0x40, 0x50, 0x60][at] ?? 0) * share)
      },
      0.6,
    )
  }
})

test('the ellipse has the proportions of the image, the circle does not', async () => {
  const image = painted(200, 100, () => [255, 255, 255])
  const params = { amount: 1, radius: 0.5, softness: 0.4 }
  const ellipse = await runOn(vignette, { image }, params)
  const circle = await runOn(vignette, { image }, { ...params, shape: 'circle' })
  // As dark half way up as half way to the side; and a circle is as dark at equal distances.
  assert.ok(Math.abs((pixelAt(ellipse, 5, 50)[0] ?? 0) - (pixelAt(ellipse, 100, 2)[0] ?? 0)) <= 4)
  assert.deepEqual(pixelAt(circle, 100, 2), pixelAt(circle, 100 - 48, 50))
  assert.ok((pixelAt(circle, 5, 50)[0] ?? 255) < (pixelAt(circle, 100, 2)[0] ?? 0))
})

test('treats all corners equally, keeps the middle, and does nothing at 0', async () => {
  const image = painted(64, 40, () => [200, 150, 100])
  const pixels = await runOn(vignette, { image }, {})
  const corners = [0, 63].flatMap((x) => [0, 39].map((y) => pixelAt(pixels, x, y)))
  for (const corner of corners) assert.deepEqual(corner, corners[0])
  assert.deepEqual(pixelAt(pixels, 32, 20), [200, 150, 100])
  for (const params of [{ amount: 0 }, { color: 'transparent' }, { radius: 1 }]) {
    const same = await runOn(vignette, { image }, params)
    assert.deepEqual(same.data, image.pixels?.data)
  }
})
