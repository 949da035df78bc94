import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moving } from '../../imaging/raster/test-animations.ts'
import { contextFor, painted } from '../../imaging/raster/test-images.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { info } from './info.ts'

test('returns size, mean luma, its deviation and the mean colour, and passes the image on', async () => {
  const image = painted(4, 2, (x) => (x < 2 ? [255, 255, 255] : [0, 0, 0]))
  const { image: same, ...values } = await run(image)
  assert.equal(same, image)
  assert.deepEqual(values, {
    aspectRatio: 2,
    orientation: 'landscape',
    megapixels: 0,
    hasAlpha: false,
    opacity: 1,
    brightness: 0.5,
    contrast: 0.5,
    color: '#808080',
    frames: 1,
    duration: 0,
    loop: 1,
  })
})

test('returns frames, duration and plays of an animation, and passes all of it on', async () => {
  const image = moving(4, 2, [40, 50, 60], (_x, _y, frame) => [frame, 0, 0], 3)
  const { image: same, ...values } = await run(image)
  assert.equal(same, image)
  assert.deepEqual([values.frames, values.duration, values.loop], [3, 150, 3])
})

test('luma has the weights of Rec. 709', async () => {
  for (const [pixel, brightness] of [
    [[255, 0, 0], 0.2126],
    [[0, 255, 0], 0.7152],
    [[0, 0, 255], 0.0722],
  ] as const) {
    const values = await run(painted(3, 5, () => [...pixel]))
    assert.deepEqual([values.brightness, values.contrast, values.orientation], [brightness, 0, 'portrait'])
  }
})

test('ignores transparent pixels in colour and brightness', async () => {
  const image = painted(3, 3, (x) => [x === 0 ? 240 : 0, 0, x === 1 ? 240 : 0, x === 0 ? 255 : x === 1 ? 51 : 0])
  const values = await run(image)
  // Weights 1, 0.2 and 0: red 240 / 1.2, blue 240 * 0.2 / 1.2.
  assert.deepEqual([values.color, values.opacity, values.hasAlpha], ['#c80028', 0.4, true])
  const nothing = await run(painted(2, 2, () => [200, 100, 50, 0]))
  assert.deepEqual([nothing.color, nothing.brightness, nothing.opacity], ['#000000', 0, 0])
})

async function run(image: ImageValue): Promise<Record<string, unknown>> {
  return { ...(await info.run({ image }, {}, contextFor())) }
}
