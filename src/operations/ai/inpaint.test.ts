import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pixelsOf } from '../../imaging/raster/image.ts'
import { isFault } from '../../imaging/raster/test-faults.ts'
import { assertPixels, contextFor, paint, painted, pixelAt } from '../../imaging/raster/test-images.ts'
import { bare, onlyOf, png, scriptedModel } from '../../imaging/raster/test-model-calls.ts'
import { runOn } from '../../imaging/raster/test-run.ts'
import type { ImageValue, Pixels } from '../../imaging/types.ts'
import { inpaint } from './inpaint.ts'

const params = { prompt: 'Blue' }
const image = painted(40, 20, (x, y) => [x * 6, y * 12, 90])
/** Black, grey in the middle, white. */
const mask = painted(40, 20, (x) => Array(3).fill(x < 10 ? 0 : x < 20 ? 128 : 255))
const blue = (width: number, height: number) => paint(width, height, () => [0, 0, 255])

async function result(response: Pixels, inputs: Record<string, ImageValue> = { image, mask }) {
  const script = scriptedModel(async () => ({ images: [await png(response)] }))
  return { pixels: await runOn(inpaint, inputs, params, script.context), script }
}

test('a black mask keeps the pixels of the image, a white mask takes those of the model, and grey mixes them', async () => {
  const before = await pixelsOf(image, contextFor())
  // Of the image's size, and larger.
  for (const response of [blue(40, 20), blue(80, 40)]) {
    const { pixels } = await result(response)
    assert.deepEqual([pixels.width, pixels.height, pixels.channels], [40, 20, 3])
    assertPixels(pixels, (x, y) => (x < 10 ? pixelAt(before, x, y) : x >= 20 ? [0, 0, 255] : undefined))
    const [red = 0, , blueness = 0] = pixelAt(pixels, 15, 10)
    assert.ok(Math.abs(red - 45) <= 1 && Math.abs(blueness - 173) <= 1, `${pixelAt(pixels, 15, 10)}`)
  }
})

test('keeps the bytes of transparent pixels outside of the mask, and fills those inside', async () => {
  const clear = painted(40, 20, () => [9, 8, 7, 0])
  const { pixels } = await result(blue(40, 20), { image: clear, mask })
  assert.deepEqual(
    [pixelAt(pixels, 2, 2), pixelAt(pixels, 30, 2)],
    [
      [9, 8, 7, 0],
      [0, 0, 255, 255],
    ],
  )
  // Of the colour of nothing, nothing is mixed in.
  assert.deepEqual(pixelAt(pixels, 15, 2), [0, 0, 255, 128])
})

test('accepts the mask in each form, with the size of the image', async () => {
  const soft = painted(40, 20, (x) => [255, 255, 255, x < 10 ? 0 : x < 20 ? 128 : 255])
  for (const value of [mask, soft]) {
    const { script } = await result(blue(40, 20), { image, mask: value })
    const { request, invocation } = onlyOf(script)
    assert.ok(request.mask)
    const [white, black, clear] = await Promise.all(
      [request.mask.white(), request.mask.black(), request.mask.transparent()].map(async (bytes) => bare(await bytes)),
    )
    assert.ok(white && black && clear)
    const at = (pixels: Pixels, x: number) => pixelAt(pixels, x, 5)
    assert.deepEqual([white.width, white.height, white.format], [40, 20, 'png'])
    assert.deepEqual(
      [0, 15, 30].map((x) => at(white, x)[0]),
      [0, 128, 255],
    )
    assert.deepEqual(
      [0, 15, 30].map((x) => at(black, x)[0]),
      [255, 127, 0],
    )
    assert.deepEqual(
      [0, 15, 30].map((x) => at(clear, x)[3]),
      [255, 127, 0],
    )
    assert.deepEqual(
      request.images.map(({ width, height }) => [width, height]),
      [[40, 20]],
    )
    assert.equal(invocation.capability, 'inpaint')
  }
})

test('rejects a mask of another size, or entirely black, before it calls a model', async () => {
  const script = scriptedModel(() => ({}))
  const refused = (value: ImageValue) => runOn(inpaint, { image, mask: value }, params, script.context)
  await assert.rejects(refused(painted(20, 20, () => [255, 255, 255])), isFault('input_invalid', /20 x 20.*40 x 20/))
  await assert.rejects(refused(painted(40, 20, () => [0, 0, 0])), isFault('input_invalid', /completely black/))
  await assert.rejects(refused(painted(40, 20, () => [255, 255, 255, 0])), isFault('input_invalid', /completely black/))
  assert.equal(script.calls.length, 0)
})

test('rejects a response of another shape', async () => {
  await assert.rejects(result(blue(40, 24)), isFault('provider_unavailable', /40 x 24.*40 x 20/))
})
