/** Sizes that no picture may have are refused in words before memory is taken, whichever operation would make them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Fault } from '../errors.ts'
import { pixelsOf } from '../imaging/raster/image.ts'
import { isFault } from '../imaging/raster/test-faults.ts'
import { contextFor, noise, painted } from '../imaging/raster/test-images.ts'
import { outputsOf } from '../imaging/raster/test-run.ts'
import type { ImageValue } from '../imaging/types.ts'
import { catalogue } from './index.ts'

const photo = painted(100, 60, (x, y) => [x, y, 0])
const run = (id: string, inputs: Record<string, ImageValue>, values: Record<string, unknown>, context = contextFor()) =>
  outputsOf(catalogue.get(id) ?? assert.fail(), inputs, values, context)
const small = contextFor({ pixelsMax: 10_000 })

const tooLarge: [string, Record<string, unknown>, ImageValue?][] = [
  ['canvas', { width: 101, height: 100 }],
  ['gradient', { width: 101, height: 100, from: 'red', to: 'blue' }],
  ['qr', { text: 'a', size: 101 }],
  ['resize', { width: 200 }],
  ['resize', { width: 101, height: 100, fit: 'contain' }],
  ['resize', { width: 101, height: 100, fit: 'fill' }],
  ['resize', { width: 100, height: 100, fit: 'outside' }],
  ['resize', { width: 5, height: 100 }, painted(150, 60, () => [0, 0, 0])],
  ['rotate', { angle: 45 }],
  ['extend', { left: 100 }],
  ['text', { text: 'a', box: { width: 101, height: 100 } }],
  ['text', { text: 'a'.repeat(40), size: 100 }],
]

for (const [id, params, image = photo] of tooLarge) {
  test(`${id} ${JSON.stringify(params)} is rejected if it would exceed the pixel limit`, async () => {
    const inputs = id === 'text' ? {} : { image }
    await assert.rejects(run(id, inputs, params, small), isFault('limit_exceeded', /pixels/))
  })
}

test('rejects a side that formats cannot store', async () => {
  await assert.rejects(run('extend', { image: photo }, { left: 16_384 }), isFault('limit_exceeded', /16384/))
  await assert.rejects(run('resize', { image: photo }, { height: 16_000 }), isFault('limit_exceeded', /16384/))
})

test('accepts an image exactly at the limit', async () => {
  const { image } = await run('extend', { image: photo }, { top: 20, bottom: 20 }, small)
  assert.deepEqual([image?.width, image?.height], [100, 100])
})

test('rejects a crop that reaches outside, with both sizes', async () => {
  for (const params of [
    { x: 1, width: 100, height: 10 },
    { y: 60, width: 1, height: 1 },
  ]) {
    await assert.rejects(run('crop', { image: photo }, params), isFault('input_invalid', /beyond the image.* 100 x 60/))
  }
  const { image } = await run('crop', { image: photo }, { x: 99, y: 59, width: 1, height: 1 })
  assert.ok(image)
  assert.deepEqual([...(await pixelsOf(image, small)).data], [99, 59, 0])
})

test('contain has no salient position', async () => {
  const params = { width: 10, height: 10, fit: 'contain', position: 'attention' }
  await assert.rejects(run('resize', { image: photo }, params), isFault('input_invalid', /attention/))
})

test('rejects a QR code that is too fine for its size, or too long for any code, with the required size', async () => {
  await assert.rejects(
    run('qr', {}, { text: 'a'.repeat(300), size: 40 }),
    isFault('input_invalid', /minimum is \d+ px/),
  )
  await assert.rejects(
    run('qr', {}, { text: 'ä'.repeat(1_500), size: 400, errorCorrection: 'H' }),
    isFault('input_invalid', /too long/),
  )
})

test('stops immediately when the execution is cancelled, before and during the work', async () => {
  const aborted = AbortSignal.abort()
  await assert.rejects(
    run('blur', { image: photo }, { sigma: 2 }, contextFor({ signal: aborted })),
    isFault('cancelled'),
  )

  const large = await noise(2_000, 2_000)
  const { data, info } = await large.raw().toBuffer({ resolveWithObject: true })
  const image: ImageValue = {
    width: info.width,
    height: info.height,
    hasAlpha: false,
    format: 'raw',
    pixels: { data, width: info.width, height: info.height, channels: 3 },
  }
  const controller = new AbortController()
  const work = run('sharpen', { image }, { sigma: 10 }, contextFor({ signal: controller.signal }))
  const rejection = assert.rejects(work, isFault('timeout', /enough/))
  await turn()
  controller.abort(new Fault('workflow_failed', 'enough', { reason: 'timeout' }))
  await rejection
})
