import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { type Manifest, manifestIssues } from './manifest.ts'
import { manifestModel, manifestVersionKey } from './manifest-model.ts'
import { readRecipes } from './recipes.ts'

const mask = { name: 'mine', task: 'mask', license: 'MIT', file: './mine.onnx', input: { size: 64 } }
const upscale = { ...mask, task: 'upscale', scale: 2, input: {} }
const detect = { ...mask, task: 'detect' }

function problems(value: unknown): string[] {
  return manifestIssues(structuredClone(value)).map(({ path, message }) => `${path} ${message}`)
}

test('accepts the shortest manifest of each task, and fills in its defaults', () => {
  const complete = structuredClone(mask)
  assert.deepEqual(manifestIssues(complete), [])
  assert.deepEqual(complete, {
    ...mask,
    input: {
      size: 64,
      layout: 'NCHW',
      channels: 'RGB',
      mean: [0, 0, 0],
      std: [1, 1, 1],
      fit: 'stretch',
      position: 'center',
      padding: '#000000',
    },
    output: { channel: 0, activation: 'none' },
  })
  for (const value of [upscale, detect]) assert.deepEqual(problems(value), [])
})

test('names each problem with its path and what is expected', () => {
  const wrong: [object | null | string, RegExp][] = [
    [null, /^task must be one of mask, upscale, detect/],
    ['mask', /^task must be one of/],
    [{ ...mask, task: 'text' }, /^task must be one of mask, upscale, detect/],
    [{ ...mask, task: 'constructor' }, /^task must be one of mask/],
    [{ ...mask, name: '../mine' }, /^name must be at most 64 lower-case letters/],
    [{ ...mask, name: '.hidden' }, /^name must be/],
    [{ ...mask, license: '' }, /^license must be an SPDX identifier/],
    [{ ...mask, sha256: 'abc' }, /^sha256 must be the SHA-256 of the file as 64 hexadecimal digits/],
    [{ ...mask, sise: 64 }, /^sise .*(unknown|not a|doesn't)/],
    [{ ...mask, input: { size: 64, layout: 'CHW' } }, /^input\.layout must be .*NCHW/],
    [{ ...mask, input: { size: 0 } }, /^input\.size must be at least 1/],
    [{ ...mask, input: { size: 100_000 } }, /^input\.size must be at most 4096/],
    [{ ...mask, input: { size: '64' } }, /^input\.size must be/],
    [{ ...mask, input: {} }, /^input requires either "size", or "width" and "height"/],
    [{ ...mask, input: { size: 64, width: 64, height: 64 } }, /^input requires either/],
    [{ ...mask, input: { width: 64 } }, /^input requires "width" and "height" together/],
    [{ ...mask, input: { multipleOf: 32 } }, /^input requires "multipleOf" and "sideMax" together/],
    [{ ...mask, input: { multipleOf: 32, sideMax: 16 } }, /^input\.sideMax must be at least "multipleOf", 32, not 16/],
    [{ ...mask, input: { size: 64, std: [0, 1, 1] } }, /^input\.std\.0 must be/],
    [{ ...mask, input: { size: 64, mean: [0.5] } }, /^input\.mean must/],
    [{ ...mask, input: { size: 64, range: [1, 0] } }, /^input\.range must have the value of black/],
    [{ ...upscale, scale: 3 }, /^scale must be 2 or 4|^scale must be one of 2/],
    [{ ...upscale, input: { size: 32 }, tile: { overlap: 16 } }, /^tile\.overlap leaves less than 8 pixels/],
    [{ ...upscale, tile: { size: 100 }, input: { multipleOf: 32 } }, /^tile\.size must be a multiple of .*32, not 100/],
    [{ ...detect, output: { format: 'separate' } }, /^output\.boxes is required with "format: separate"/],
    [{ ...detect, labels: ['cat'], use: ['dog'] }, /^use\.0 must be one of "labels"/],
    [{ ...detect, output: { nms: 0 } }, /^output\.nms must be/],
  ]
  for (const [value, expected] of wrong) {
    assert.match(problems(value)[0] ?? 'no problem', expected, JSON.stringify(value))
  }
})

test('the recipes are valid, permissive, and pinned by their hash', () => {
  const recipes = readRecipes().map(({ manifest, bytes }) => manifestModel(manifest, undefined, bytes))
  assert.deepEqual(
    recipes.map(({ name }) => name),
    ['birefnet-lite', 'birefnet', 'ben2', 'isnet-general'],
  )
  for (const { permissive, operation, bytes, manifest } of recipes) {
    assert.deepEqual([permissive, operation], [true, 'remove-background'])
    assert.ok((bytes ?? 0) > 100_000_000)
    assert.match(manifest.file, /^https:/)
    assert.match(manifest.sha256 ?? '', /^[0-9a-f]{64}$/)
  }
})

test('the key for the cache changes with the file and with each field that affects the result, and with no other', () => {
  const keyOf = (change: object, sha256 = 'aa') => {
    const value = { ...structuredClone(mask), ...change }
    assert.deepEqual(manifestIssues(value), [])
    return manifestVersionKey(manifestModel(value as unknown as Manifest, { path: '/x', sha256, bytes: 1 }))
  }
  const key = keyOf({})
  assert.match(key ?? '', /^mine sha256:aa [0-9a-f]{64}$/)
  for (const same of [
    { summary: 'text' },
    { license: 'ISC' },
    { file: './other.onnx' },
    { input: { layout: 'NCHW', size: 64 } },
  ]) {
    assert.equal(keyOf(same), key)
  }
  const others = [keyOf({}, 'bb'), keyOf({ input: { size: 32 } }), keyOf({ output: { activation: 'sigmoid' } })]
  assert.equal(new Set([key, ...others]).size, 4)
  assert.equal(manifestVersionKey(manifestModel(mask as unknown as Manifest, undefined)), undefined)
})

test('each manifest of the guide is valid, and the guide names each field', () => {
  const guide = readFileSync(new URL('../../../docs/guide/onnx-models.md', import.meta.url), 'utf8')
  const manifests = [...guide.matchAll(/```yaml\n(task:[\s\S]*?)```/g)].map(([, text = '']) => parse(text) as Manifest)
  assert.deepEqual(
    manifests.map(({ task }) => task),
    ['mask', 'upscale', 'detect'],
  )
  for (const manifest of manifests) {
    assert.deepEqual(manifestIssues(manifest), [])
    const fields = [manifest, manifest.input, manifest.output].flatMap((each) => Object.keys(each))
    for (const field of fields) assert.ok(guide.includes(`\`${field}\``) || guide.includes(`${field}: `), field)
  }
})
