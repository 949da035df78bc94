import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { ModelInvocation } from '../../domain/models/model.ts'
import { imageFromBytes, pixelsOf } from '../../imaging/raster/image.ts'
import { isFault } from '../../imaging/raster/test-faults.ts'
import { contextFor, paint, pixelAt } from '../../imaging/raster/test-images.ts'
import { bare, onlyOf, png, scriptedModel } from '../../imaging/raster/test-model-calls.ts'
import { runOn } from '../../imaging/raster/test-run.ts'
import type { Pixels } from '../../imaging/types.ts'
import { guidedFilter } from '../../local-models/guided-filter.ts'
import { cutOut, shapeMatte } from '../../local-models/matte.ts'
import { testWithModels } from '../../local-models/test-models.ts'
import { removeBackground } from './remove-background.ts'

const context = contextFor({ secondsLeft: () => 120 })
const image = await imageFromBytes(
  await readFile(new URL('../../../examples/samples/portrait.jpg', import.meta.url)),
  context,
)
const person = await pixelsOf(image, context)

testWithModels('keeps a person to the pixel, and removes the background', async () => {
  const cut = await runOn(removeBackground, { image }, { model: 'selfie' }, context)
  assert.deepEqual([cut.width, cut.height, cut.channels], [200, 200, 4])
  for (const [x, y] of [
    [95, 60],
    [60, 150],
    [100, 190],
  ] as const) {
    assert.deepEqual(pixelAt(cut, x, y), [...pixelAt(person, x, y), 255], `${x}, ${y}`)
  }
  for (const [x, y] of [
    [3, 3],
    [196, 3],
    [160, 40],
  ] as const) {
    assert.ok((pixelAt(cut, x, y)[3] ?? 255) < 8, `${pixelAt(cut, x, y)} at ${x}, ${y}`)
  }
})

testWithModels('the mask is opaque and grey, and hard on request', async () => {
  const mask = await runOn(removeBackground, { image }, { model: 'selfie', mode: 'mask', hardness: 1 }, context)
  assert.equal(mask.channels, 3)
  const found = new Set(mask.data)
  assert.deepEqual([...found].sort(), [0, 255])
})

testWithModels('transparent parts stay transparent', async () => {
  const left = paint(200, 200, (x, y) => [...pixelAt(person, x, y), x < 100 ? 0 : 255])
  const half = { width: 200, height: 200, hasAlpha: true, format: 'raw', pixels: left } as const
  const cut = await runOn(removeBackground, { image: half }, { model: 'selfie' }, context)
  for (let y = 0; y < 200; y += 1) assert.equal(pixelAt(cut, 50, y)[3], 0)
})

test('removes the background colour from a soft edge between two colours', async () => {
  // Red in front of blue, mixed over 8 pixels.
  const part = (x: number) => Math.max(0, Math.min(1, (x - 26) / 8))
  const mixed = paint(60, 20, (x) => [Math.round(240 * part(x)), 20, Math.round(240 * (1 - part(x)))])
  const matte = paint(60, 20, (x) => [0, 1, 2].map(() => Math.round(255 * part(x))))
  const cut = await cutOut(mixed, matte, context)
  for (let x = 30; x < 60; x += 1) {
    const [red = 0, , blue = 255, alpha] = pixelAt(cut, x, 10)
    assert.equal(alpha, Math.round(255 * part(x)))
    assert.ok(red > 200 && blue < 40, `${pixelAt(cut, x, 10)} at ${x}`)
  }
})

test('aligns a coarse matte with the edge of its image', async () => {
  const coarse = paint(16, 16, (x) => (x < 8 ? [20, 20, 20] : [220, 220, 220]))
  const full = paint(160, 160, (x) => (x < 80 ? [20, 20, 20] : [220, 220, 220]))
  const soft = paint(16, 16, (x) => [0, 1, 2].map(() => [0, 60, 195, 255][Math.max(0, Math.min(3, x - 6))] ?? 0))
  const fine = await guidedFilter(soft, coarse, full, context)
  const jump = (pixelAt(fine, 80, 80)[0] ?? 0) - (pixelAt(fine, 79, 80)[0] ?? 0)
  assert.ok(jump > 120, `${jump}`)
  assert.deepEqual([pixelAt(fine, 5, 80)[0], pixelAt(fine, 155, 80)[0]], [0, 255])
})

test('hardness cuts both ends equally', async () => {
  const ramp = paint(256, 1, (x) => [x, x, x])
  const cut = await shapeMatte(ramp, { hardness: 0.5, feather: 0 }, context)
  assert.deepEqual(
    [63, 64, 128, 191, 192].map((x) => pixelAt(cut, x, 0)[0]),
    [0, 0, 129, 255, 255],
  )
})

/** Left of the middle is the subject, with one column of doubt. */
const cut = (width: number, height: number) =>
  paint(width, height, (x) => [1, 2, 3, x < width / 2 - 1 ? 255 : x < width / 2 ? 100 : 0])

test("takes only the transparency of a provider's response, at the size of the image", async () => {
  for (const response of [cut(200, 200), cut(100, 101)]) {
    const script = scriptedModel(async () => ({ images: [await png(response)] }))
    const pixels = await runOn(removeBackground, { image }, { model: 'some/model' }, script.context)
    assert.deepEqual([pixels.width, pixels.height], [200, 200])
    assert.deepEqual(pixelAt(pixels, 20, 60), [...pixelAt(person, 20, 60), 255])
    assert.equal(pixelAt(pixels, 160, 60)[3], 0)
    const { invocation, request } = onlyOf(script)
    assert.deepEqual(
      [invocation.capability, invocation.requirements, request.images.length],
      ['remove-background', [], 1],
    )
  }
})

test('mode, hardness and feather apply to the response of a provider', async () => {
  const script = scriptedModel(async () => ({ images: [await png(cut(200, 200))] }))
  const values = { model: 'some/model', mode: 'mask' }
  const soft = await runOn(removeBackground, { image }, values, script.context)
  assert.deepEqual([soft.channels, pixelAt(soft, 99, 5)], [3, [100, 100, 100]])
  const hard = await runOn(removeBackground, { image }, { ...values, hardness: 1 }, script.context)
  assert.deepEqual([...new Set(hard.data)].sort(), [0, 255])
  const blurred = await runOn(removeBackground, { image }, { ...values, feather: 3 }, script.context)
  assert.ok((pixelAt(blurred, 104, 5)[0] ?? 0) > 0)
})

test('rejects a response with an unchanged background, or of another shape', async () => {
  const run = (response: Pixels) => {
    const script = scriptedModel(async () => ({ images: [await png(response)] }))
    return runOn(removeBackground, { image }, { model: 'some/model' }, script.context)
  }
  await assert.rejects(run(paint(200, 200, () => [1, 2, 3])), isFault('provider_unavailable', /opaque/))
  await assert.rejects(run(paint(200, 200, () => [1, 2, 3, 255])), isFault('provider_unavailable', /opaque/))
  await assert.rejects(run(cut(200, 100)), isFault('provider_unavailable', /200 x 100.*200 x 200/))
})

test('sends transparent parts as white, and applies the response once', async () => {
  const half = paint(200, 200, (x, y) => [...pixelAt(person, x, y), 128])
  const script = scriptedModel(async () => ({ images: [await png(cut(200, 200))] }))
  const value = { width: 200, height: 200, hasAlpha: true, format: 'raw', pixels: half } as const
  const pixels = await runOn(removeBackground, { image: value }, { model: 'some/model' }, script.context)
  assert.equal(pixelAt(pixels, 20, 60)[3], 128)
  const [sent] = onlyOf(script).request.images
  assert.ok(sent)
  const [red = 0] = pixelAt(await bare(sent.bytes), 20, 60)
  assert.ok(Math.abs(red - ((pixelAt(half, 20, 60)[0] ?? 0) * 128 + 255 * 127) / 255) <= 2, `${red}`)
})

testWithModels('runs the selected local model, by either of its names, and reports its name', async () => {
  const context = {
    ...contextFor({ secondsLeft: () => 120 }),
    async invocation(invocation: ModelInvocation) {
      await invocation.local?.('local/selfie')
      return { model: 'local/selfie', images: [] }
    },
  }
  const here = contextFor({ secondsLeft: () => 120 })
  const params = { mode: 'cutout', hardness: 0, feather: 0, onUnknownOutcome: 'fail' }
  const generated = await removeBackground.run(
    { image },
    { ...params, model: 'some/model', fallback: ['selfie'] },
    context,
  )
  const named = await removeBackground.run({ image }, { ...params, model: 'local/selfie' }, here)
  const fallen = await removeBackground.run({ image }, { ...params, model: 'some/model', fallback: ['selfie'] }, here)
  const bare = await removeBackground.run({ image }, { ...params, model: 'selfie' }, here)
  const [first, ...others] = await Promise.all(
    [generated, named, fallen, bare].map(async (result) => {
      assert.equal(result.model, 'local/selfie')
      return (await pixelsOf(result.image ?? assert.fail(), here)).data
    }),
  )
  for (const other of others) assert.ok(first && other.equals(first))
})

test('rejects an unknown local model, with the available ones', async () => {
  await assert.rejects(
    runOn(removeBackground, { image }, { model: 'esrgan-slim' }, context),
    isFault('provider_not_configured', /"esrgan-slim" is not installed.*Models: isnet, selfie/),
  )
})

test('cache keys depend on the local models that may run, both if the caller and if the operator selects them', () => {
  const read = (params: Record<string, unknown>, chain: string[] = []) =>
    (removeBackground.reads?.models?.(params as never, chain) ?? []).map((name) => name.split(' ')[0])
  assert.deepEqual(read({}, ['fal/x', 'local/selfie']), ['selfie'])
  assert.deepEqual(read({}, ['fal/isnet']), [])
  assert.deepEqual(read({ model: 'selfie' }), ['selfie'])
  assert.deepEqual(read({ model: 'fal/x', fallback: ['local/isnet'] }), ['isnet'])
  assert.deepEqual(read({}), ['isnet'])
})
