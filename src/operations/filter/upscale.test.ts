import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { type FailureReason, Fault } from '../../errors.ts'
import { imageFromBytes, imageFromPixels, pixelsOf, sharpOf, toPixels } from '../../imaging/raster/image.ts'
import { isFault } from '../../imaging/raster/test-faults.ts'
import { contextFor, paint, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { bare, onlyOf, png, scriptedModel } from '../../imaging/raster/test-model-calls.ts'
import { disc, runOn, softColors } from '../../imaging/raster/test-run.ts'
import type { Pixels } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { esrganSlim } from '../../local-models/esrgan.ts'
import { runModel } from '../../local-models/runner.ts'
import { testWithModels } from '../../local-models/test-models.ts'
import { checkUpscaled, upscale } from './upscale.ts'

const context = contextFor({ secondsLeft: () => 120 })
const photo = await imageFromBytes(
  await readFile(new URL('../../../examples/samples/cat.jpg', import.meta.url)),
  context,
)

testWithModels('restores a reduced photo better than any ordinary resize', async () => {
  const original = await pixelsOf(photo, context)
  const { width, height } = original
  const half = await toPixels(context, (await sharpOf(original)).resize(width / 2, height / 2))
  const ordinary = await toPixels(context, (await sharpOf(half)).resize(width, height, { kernel: 'lanczos3' }))
  const byModel = await runOn(upscale, { image: imageFromPixels(half) }, {}, context)
  assert.deepEqual([byModel.width, byModel.height, byModel.channels], [width, height, 3])
  const gain = psnr(original, byModel) - psnr(original, ordinary)
  assert.ok(gain > 0.5, `${gain} dB`)
})

testWithModels('an image in many tiles equals the image in one, without seams', async () => {
  const strip = await toPixels(context, (await sharpOf(await pixelsOf(photo, context))).resize(400, 40))
  const inTiles = await runOn(upscale, { image: imageFromPixels(strip) }, {}, context)
  const whole = await runModel(esrganSlim, 'x2', strip, context)
  const data = whole.output?.data ?? []
  let worst = 0
  // The edges differ: the whole one sees black beyond them.
  for (let y = 20; y < 60; y += 1) {
    for (let at = (y * 800 + 20) * 3; at < (y * 800 + 780) * 3; at += 1) {
      worst = Math.max(worst, Math.abs((inTiles.data[at] ?? 0) - (data[at] ?? 99)))
    }
  }
  assert.ok(worst <= 2, `differs by ${worst}`)
})

testWithModels('one colour stays that colour, up to the edges and in the corners', async () => {
  const plain = painted(30, 20, () => [90, 140, 200])
  for (const scale of [2, 4]) {
    const larger = await runOn(upscale, { image: plain }, { scale }, context)
    assert.deepEqual([larger.width, larger.height], [30 * scale, 20 * scale])
    for (const [x, y] of [
      [0, 0],
      [30 * scale - 1, 0],
      [15, 10],
      [0, 20 * scale - 1],
    ] as const) {
      for (const [at, value] of [90, 140, 200].entries()) {
        assert.ok(Math.abs((pixelAt(larger, x, y)[at] ?? 0) - value) <= 3, `${pixelAt(larger, x, y)} at ${x}, ${y}`)
      }
    }
  }
})

testWithModels('soft edges take no colour from invisible pixels', async () => {
  const larger = await runOn(upscale, { image: disc }, {}, context)
  assert.equal(larger.channels, 4)
  for (const color of softColors(larger)) assert.ok(Math.min(...color) > 235, `${color}`)
})

testWithModels('enlarges an image of one pixel, and one that is fully transparent', async () => {
  assert.equal((await runOn(upscale, { image: painted(1, 1, () => [9, 9, 9]) }, {}, context)).width, 2)
  const nothing = await runOn(upscale, { image: imageFromPixels(paint(3, 2, () => [0, 0, 0, 0])) }, {}, context)
  assert.ok(nothing.data.every((byte, at) => at % 4 !== 3 || byte === 0))
})

test('rejects work that would take minutes, with both numbers', async () => {
  checkUpscaled(4_000, limits.upscalePixelsMax / 4_000)
  const wide = imageFromPixels({ data: Buffer.alloc(0), width: 2_000, height: 2_001, channels: 3 })
  await assert.rejects(upscale.run({ image: wide }, { scale: 2, model: 'esrgan-slim' }, context), (error) => {
    const reason: FailureReason = 'limit_exceeded'
    return error instanceof Fault && error.details.reason === reason && /16008000.*16000000/.test(error.message)
  })
})

test('sends the factor to a provider, and scales its response to exactly that size', async () => {
  const small = painted(30, 20, () => [90, 140, 200])
  for (const [width, height] of [
    [60, 40],
    [60, 41],
    [120, 80],
  ] as const) {
    const script = scriptedModel(async () => ({ images: [await png(paint(width, height, () => [7, 8, 9]))] }))
    const larger = await runOn(upscale, { image: small }, { model: 'some/model' }, script.context)
    assert.deepEqual([larger.width, larger.height, larger.channels], [60, 40, 3])
    assert.deepEqual(pixelAt(larger, 30, 20), [7, 8, 9])
    const { invocation, request } = onlyOf(script)
    assert.equal(request.scale, 2)
    assert.deepEqual(invocation.requirements, [{ kind: 'scale', path: 'scale', value: 2 }])
  }
})

test('rejects a response that is smaller than requested, or of another shape', async () => {
  const small = painted(30, 20, () => [90, 140, 200])
  for (const [width, height] of [
    [30, 20],
    [58, 39],
    [80, 40],
  ] as const) {
    const script = scriptedModel(async () => ({ images: [await png(paint(width, height, () => [7, 8, 9]))] }))
    const run = runOn(upscale, { image: small }, { model: 'some/model' }, script.context)
    await assert.rejects(run, isFault('provider_unavailable', /60 x 40/))
  }
})

test('extends colours into transparent parts before it sends an image, without the transparency', async () => {
  const script = scriptedModel(async (request) => {
    const [value] = request.images
    const sent = await bare(value?.bytes ?? Buffer.alloc(0))
    assert.equal(sent.channels, 3)
    for (const byte of [pixelAt(sent, 8, 30), pixelAt(sent, 30, 30)].flat()) assert.ok(byte > 235, `${byte}`)
    return { images: [await png(paint(120, 120, () => [255, 255, 255, 128]))] }
  })
  const larger = await runOn(upscale, { image: disc }, { model: 'some/model' }, script.context)
  assert.deepEqual([pixelAt(larger, 2, 2)[3], pixelAt(larger, 60, 60)], [0, [255, 255, 255, 255]])
  for (const color of softColors(larger)) assert.ok(Math.min(...color) > 235, `${color}`)
})

function psnr(a: Pixels, b: Pixels): number {
  let sum = 0
  for (let at = 0; at < a.data.length; at += 1) sum += ((a.data[at] ?? 0) - (b.data[at] ?? 0)) ** 2
  return 10 * Math.log10(255 ** 2 / (sum / a.data.length))
}
