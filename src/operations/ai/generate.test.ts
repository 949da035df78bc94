import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checker } from '../../domain/validate.ts'
import { isFault } from '../../imaging/raster/test-faults.ts'
import { contextFor, paint } from '../../imaging/raster/test-images.ts'
import { onlyOf, png, scriptedModel } from '../../imaging/raster/test-model-calls.ts'
import { runOn } from '../../imaging/raster/test-run.ts'
import { catalogue } from '../index.ts'
import { generate } from './generate.ts'

const red = (width: number, height: number) => png(paint(width, height, () => [200, 10, 10]))
const sized = { prompt: 'A boat', width: 60, height: 40 }

test('sends the params that are set, and no others', async () => {
  const script = scriptedModel(async () => ({ images: [await red(60, 40)], seed: 12 }))
  const params = { ...sized, seed: 7, model: 'some/model', fallback: ['other/one'] }
  const { image, ...values } = await generate.run(
    {},
    { ...params, transparent: false, onUnknownOutcome: 'retry' },
    script.context,
  )
  assert.deepEqual([image?.width, image?.height], [60, 40])
  assert.deepEqual(values, { model: 'some/model', seed: 12 })
  const { invocation, request } = onlyOf(script)
  assert.deepEqual(request, { prompt: 'A boat', images: [], size: { width: 60, height: 40 }, seed: 7 })
  const { capability, model, fallback, onUnknownOutcome, requirements } = invocation
  assert.deepEqual(
    { capability, model, fallback, onUnknownOutcome },
    { capability: 'generate', model: 'some/model', fallback: ['other/one'], onUnknownOutcome: 'retry' },
  )
  assert.deepEqual(requirements.map(({ kind }) => kind).sort(), ['prompt', 'seed', 'size'])
})

test('uses the bytes of the response as the image if they need no conversion', async () => {
  const bytes = await red(33, 21)
  const script = scriptedModel(() => ({ images: [bytes] }))
  const { image, seed } = await generate.run({}, { prompt: 'A boat', onUnknownOutcome: 'fail' }, script.context)
  assert.ok(image?.encoded?.equals(bytes))
  assert.equal(seed, null)
})

test('scales a response of another size and the same shape to the requested size, and rejects another shape', async () => {
  const larger = scriptedModel(async () => ({ images: [await red(120, 81)] }))
  const pixels = await runOn(generate, {}, sized, larger.context)
  assert.deepEqual([pixels.width, pixels.height, [...pixels.data.subarray(0, 3)]], [60, 40, [200, 10, 10]])
  for (const [width, height] of [
    [60, 42],
    [40, 60],
  ] as const) {
    const other = scriptedModel(async () => ({ images: [await red(width, height)] }))
    await assert.rejects(runOn(generate, {}, sized, other.context), isFault('provider_unavailable', /60 x 40/))
  }
})

test('rejects a response without an image, and an opaque one if a transparent background was requested', async () => {
  await assert.rejects(
    runOn(generate, {}, sized, scriptedModel(() => ({})).context),
    isFault('provider_unavailable', /no image/),
  )
  const opaque = scriptedModel(async () => ({ images: [await red(60, 40)] }))
  const params = { ...sized, transparent: true }
  await assert.rejects(runOn(generate, {}, params, opaque.context), isFault('provider_unavailable', /opaque/))
  assert.equal(onlyOf(opaque).request.transparency, true)
})

test('reports a response with too many pixels as an invalid response, not as a limit of the workflow', async () => {
  const script = scriptedModel(async () => ({ images: [await red(200, 200)] }))
  const context = { ...script.context, pixelsMax: 10_000 }
  await assert.rejects(
    runOn(generate, {}, { prompt: 'A boat' }, context),
    isFault('provider_unavailable', /maximum number of pixels/),
  )
})

test('reports a stored response that is no longer usable as an error of the model', async () => {
  const script = scriptedModel(async () => ({ images: [await red(40, 40)] }), { isStored: true })
  await assert.rejects(
    runOn(generate, {}, sized, script.context),
    isFault('provider_unavailable', /test\/model .* 40 x 40/),
  )
})

test('every operation with a model reports that no provider is configured', async () => {
  const image = {
    width: 1,
    height: 1,
    hasAlpha: false,
    format: 'raw',
    pixels: paint(1, 1, () => [255, 255, 255]),
  } as const
  let calls = 0
  for (const { id, usesModel, inputs, examples, run } of catalogue.values()) {
    if (usesModel === undefined) continue
    const wired = Object.entries(inputs).map(([name, { many }]) => [name, many ? [image, image] : image])
    const params = { ...examples[0]?.params, model: 'openai/gpt-image-1' }
    await assert.rejects(
      run(Object.fromEntries(wired), params, contextFor()),
      isFault('provider_not_configured', /service/),
      id,
    )
    calls += 1
  }
  assert.equal(calls, 8)
})

test('rejects an incomplete size, or two sizes, when the workflow is saved', () => {
  const check = checker(generate.params)
  assert.deepEqual(check({ prompt: 'A', width: 4 })[0]?.path, 'height')
  assert.match(check({ prompt: 'A', width: 4, height: 4, aspectRatio: '1:1' })[0]?.message ?? '', /not both/)
  assert.match(check({ prompt: 'A', aspectRatio: 'wide' })[0]?.message ?? '', /16:9/)
  assert.deepEqual(check({ prompt: 'A', aspectRatio: '16:9' }), [])
})

test('a result without a seed is generated each time', () => {
  for (const id of ['generate', 'edit', 'inpaint', 'write']) {
    const { deterministic } = catalogue.get(id) ?? assert.fail(id)
    assert.ok(typeof deterministic === 'function', id)
    assert.deepEqual([deterministic({}), deterministic({ seed: 0 })], [false, true], id)
  }
})
