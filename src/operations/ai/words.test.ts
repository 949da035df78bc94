/** Operations whose answers are words: describe, write, judge. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checker } from '../../domain/validate.ts'
import { imageFromPixels } from '../../imaging/raster/image.ts'
import { isFault } from '../../imaging/raster/test-faults.ts'
import { painted } from '../../imaging/raster/test-images.ts'
import { bare, onlyOf, scriptedModel } from '../../imaging/raster/test-model-calls.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import type { Operation } from '../define.ts'
import { describe } from './describe.ts'
import { judge } from './judge.ts'
import { write } from './write.ts'

const image = painted(6, 4, (x) => [x * 40, 0, 0])
const others = [1, 2, 3].map((at) => painted(2, 2, () => [at, at, at]))

async function run(
  operation: Operation,
  inputs: Record<string, ImageValue | ImageValue[]>,
  values: Record<string, unknown>,
  text: string,
) {
  const script = scriptedModel(() => ({ text }))
  const params = structuredClone(values)
  assert.deepEqual(checker(operation.params)(params), [])
  return { script, outputs: await operation.run(inputs as never, params as never, script.context) }
}

test('describe requests an alternative text by default, and passes the image on', async () => {
  const { script, outputs } = await run(describe, { image }, {}, ' A red\r\nramp.\u0000 ')
  assert.deepEqual(outputs, { image, text: 'A red\nramp.', result: null, model: 'test/model' })
  const { request } = onlyOf(script)
  assert.match(request.prompt ?? '', /cannot see.*500 characters/s)
  assert.deepEqual([request.charsMax, request.images.length], [1000, 1])
  const described = await run(describe, { image }, { question: 'Which colour?', charsMax: 20 }, 'Red')
  assert.match(onlyOf(described.script).request.prompt ?? '', /^Which colour\?.*20 characters/)
})

test('scales an image that is only looked at to the size that models see', async () => {
  const side = limits.modelInputSidePixelsMax
  const wide = imageFromPixels({
    data: Buffer.alloc((side + 100) * 20 * 3, 90),
    width: side + 100,
    height: 20,
    channels: 3,
  })
  const { script, outputs } = await run(describe, { image: wide }, {}, 'Grey')
  assert.equal(outputs.image, wide)
  const [view] = onlyOf(script).request.images
  assert.deepEqual([view?.width, view?.mediaType], [side, 'image/jpeg'])
  const small = await run(describe, { image }, {}, 'Red')
  assert.equal(onlyOf(small.script).request.images[0]?.mediaType, 'image/jpeg')
  assert.equal((await bare(view?.bytes ?? Buffer.alloc(0))).width, side)
})

test('truncates a text that is too long after a word, and never inside a character', async () => {
  const text = async (value: string, charsMax: number) =>
    (await run(write, {}, { prompt: 'A', charsMax }, value)).outputs.text
  assert.equal(await text('one two three', 13), 'one two three')
  assert.equal(await text('one two three', 12), 'one two…')
  assert.equal(await text('one two three', 8), 'one two…')
  assert.equal(await text('abcdefghij', 5), 'abcd…')
  assert.equal(await text('😀😀😀', 4), '😀…')
  assert.equal(await text('abc', 1), '…')
})

test('write sends its instructions, returns no image, and rejects a response without text', async () => {
  const { script, outputs } = await run(
    write,
    {},
    { prompt: 'A caption', instructions: 'In German', seed: 3 },
    'Kaffee',
  )
  assert.deepEqual(outputs, { text: 'Kaffee', result: null, model: 'test/model' })
  const { request } = onlyOf(script)
  assert.deepEqual(request, {
    prompt: 'A caption',
    instructions: 'In German\nUse at most 1000 characters.',
    images: [],
    charsMax: 2000,
    seed: 3,
  })
  await assert.rejects(run(write, {}, { prompt: 'A' }, ' \u0007\n'), isFault('provider_unavailable', /no text/))
})

const card = {
  type: 'object',
  required: ['headline'],
  additionalProperties: false,
  properties: {
    headline: { type: 'string', maxLength: 10 },
    tone: { type: 'string', enum: ['warm', 'cold'], default: 'warm' },
    tags: { type: 'array', maxItems: 2, items: { type: 'string' } },
  },
}

test('with a schema, the response is a value of the node, with defaults and nil in place of missing fields', async () => {
  for (const text of [
    '{"headline": "Fresh"}',
    '```json\n{"headline": " Fresh\\u0007 "}\n```',
    ' {"headline":"Fresh","tone":"warm"} ',
  ]) {
    const { script, outputs } = await run(write, {}, { prompt: 'A café', schema: card }, text)
    assert.deepEqual(outputs.result, { headline: 'Fresh', tone: 'warm', tags: null })
    assert.deepEqual(JSON.parse(String(outputs.text)), outputs.result)
    const { request } = onlyOf(script)
    assert.deepEqual([request.schema, request.charsMax], [card, limits.textAnswerCharsMax])
    assert.doesNotMatch(`${request.prompt}${request.instructions}`, /characters/)
  }
  const described = await run(describe, { image }, { schema: { type: 'array', items: card } }, '[{"headline":"A"}]')
  assert.deepEqual(described.outputs.result, [{ headline: 'A', tone: 'warm', tags: null }])
  assert.equal(described.outputs.image, image)
  assert.equal(described.script.calls.length, 1)
})

test('a response that does not match the schema is rejected with the difference', async () => {
  for (const [text, difference] of [
    ['{"headline": "Fresh from the oven"}', /headline must have at most 10 characters, not 19/],
    ['{"tone": "hot"}', /headline is required; tone must be one of "warm", "cold", not "hot"/],
    ['{"headline": "A", "more": 1}', /more is not a known field/],
    ['{"headline": "A", "tags": ["a", "b", "c"]}', /tags must have at most 2 items, not 3/],
    ['["Fresh"]', /must be an object, not an array/],
    ['Here you are: {"headline": "A"}', /it is not JSON/],
    [`{"headline": "${'a'.repeat(limits.textAnswerCharsMax)}`, /it has more than 10000 characters/],
    [`${'['.repeat(70)}${']'.repeat(70)}`, /at most 64 nested levels/],
    ['{"headline": "A", "__proto__": {}}', /__proto__/],
  ] as const)
    await assert.rejects(
      run(write, {}, { prompt: 'A', schema: card }, text),
      isFault('provider_unavailable', difference),
      text.slice(0, 60),
    )
})

test('judge passes the chosen image on; the model counts from 1, the output from 0', async () => {
  for (const text of [
    '{"index": 2, "reason": "Sharp."}',
    '```json\n{"index": 2, "reason": "Sharp."}\n```',
    ' ```\n{"reason": "Sharp.", "index": 2, "more": []}``` ',
  ]) {
    const { script, outputs } = await run(judge, { images: others }, { question: 'Which is sharp?' }, text)
    assert.deepEqual(outputs, { image: others[1], index: 1, reason: 'Sharp.', model: 'test/model' })
    const { request, invocation } = onlyOf(script)
    assert.match(request.prompt ?? '', /3 images, numbered 1 to 3.*Which is sharp\?.*"index"/s)
    assert.equal(request.images.length, 3)
    assert.deepEqual(
      invocation.requirements.find(({ kind }) => kind === 'images'),
      { kind: 'images', path: 'images', value: 3 },
    )
  }
})

test('judge rejects a response that does not name one of the images', async () => {
  for (const text of [
    'The second one.',
    '{"index": 0}',
    '{"index": 4}',
    '{"index": "2"}',
    '{"index": 1.5}',
    '[2]',
    'null',
    '{"index": 2, "reason": 7}',
    'Here: {"index": 2}',
    '',
  ]) {
    await assert.rejects(
      run(judge, { images: others }, {}, text),
      isFault('provider_unavailable', /image|JSON|reason/),
      text,
    )
  }
})

test('judge calls no model for a single image', async () => {
  const { script, outputs } = await run(judge, { images: [image] }, {}, '')
  assert.deepEqual([outputs, script.calls.length], [{ image, index: 0, reason: '', model: null }, 0])
  // The cost estimate of an execution depends on it.
  assert.equal(judge.usesModel?.imagesMin, 2)
})
