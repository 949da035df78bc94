import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstOf, hashOf, type Identity, type KeyIngredients, keyOf, nothing, outputKeyOf, taskOf } from './key.ts'

const photo: Identity = { key: 'photo', task: 'load photo' }
const logo: Identity = { key: 'logo', task: 'load logo' }
const list: Identity = { ...photo, list: { items: [1], origins: new Set(['a']) } }

const base: KeyIngredients = {
  operation: 'blur',
  version: 1,
  params: [{ sigma: 2, edge: 'copy' }],
  isList: false,
  inputs: { image: [photo], mask: [logo] },
  fonts: undefined,
  models: [],
  fingerprint: 'libvips 8',
}

const changes: Record<string, Partial<KeyIngredients>> = {
  'the operation': { operation: 'sharpen' },
  'its version': { version: 2 },
  'a param': { params: [{ sigma: 3, edge: 'copy' }] },
  'a removed param': { params: [{ sigma: 2 }] },
  'a param as text': { params: [{ sigma: '2', edge: 'copy' }] },
  'the number of runs': {
    params: [
      { sigma: 2, edge: 'copy' },
      { sigma: 2, edge: 'copy' },
    ],
  },
  'a list as the result': { isList: true },
  'an input': { inputs: { image: [logo], mask: [logo] } },
  'the order of two inputs': { inputs: { image: [logo], mask: [photo] } },
  'the socket of an input': { inputs: { image: [photo], overlay: [logo] } },
  'a removed input': { inputs: { image: [photo] } },
  'the order of the wires of one socket': { inputs: { image: [logo, photo] } },
  'a list in place of an image': { inputs: { image: [list], mask: [logo] } },
  'nothing in place of an image': { inputs: { image: [nothing], mask: [logo] } },
  'fonts of the account': { fonts: [{ id: 'font_1', family: 'Acme' }] },
  'a local model': { models: ['isnet 1.0.0'] },
  'the fingerprint of the machine': { fingerprint: 'libvips 9' },
}

for (const [difference, change] of Object.entries(changes)) {
  test(`the key of a result changes if ${difference} changes`, () => {
    const changed = { ...base, ...change }
    assert.notEqual(keyOf(changed), keyOf(base))
    const { fingerprint: _, ...ingredients } = changed
    if (change.fingerprint === undefined) assert.notEqual(taskOf('a', ingredients), taskOf('a', base))
  })
}

test('no two of these changes have the same key', () => {
  const keys = Object.values(changes).map((change) => keyOf({ ...base, ...change }))
  assert.equal(new Set(keys).size, keys.length)
})

test('the key of a result does not depend on the order of params and sockets, or on undefined values', () => {
  const turned: KeyIngredients = {
    ...base,
    params: [{ edge: 'copy', sigma: 2, tint: undefined }],
    inputs: { mask: [logo], image: [photo] },
  }
  assert.equal(keyOf(turned), keyOf(base))
})

test('a step after a unique result has no key, but its task can be recognized again', () => {
  const random: Identity = { key: undefined, task: 'dice' }
  const ingredients = { ...base, inputs: { image: [random] } }
  assert.equal(keyOf(ingredients), undefined)
  assert.equal(taskOf('a', ingredients), taskOf('a', { ...ingredients }))
  assert.notEqual(taskOf('a', ingredients), taskOf('b', ingredients))
  assert.equal(outputKeyOf(random, { format: 'png' }, { fingerprint: 'x' }), undefined)
  assert.equal(firstOf(random).key, undefined)
})

test('the key of an output changes with the image, the output settings and the machine', () => {
  const keys = [
    outputKeyOf(photo, { format: 'png' }, { fingerprint: 'x' }),
    outputKeyOf(logo, { format: 'png' }, { fingerprint: 'x' }),
    outputKeyOf(photo, { format: 'webp' }, { fingerprint: 'x' }),
    outputKeyOf(photo, { format: 'webp', quality: 80 }, { fingerprint: 'x' }),
    outputKeyOf(photo, { format: 'png' }, { fingerprint: 'y' }),
    outputKeyOf(photo, { format: 'png' }, { fingerprint: 'x', signing: 'a' }),
    outputKeyOf(photo, { format: 'png' }, { fingerprint: 'x', signing: 'b' }),
    outputKeyOf(photo, {}, { fingerprint: 'x' }),
    photo.key,
  ]
  assert.equal(new Set(keys).size, keys.length)
  assert.equal(
    outputKeyOf(photo, { quality: 80, format: 'webp' }, { fingerprint: 'x' }),
    outputKeyOf(photo, { format: 'webp', quality: 80 }, { fingerprint: 'x' }),
  )
})

test('similar lists and texts have different serialized values', () => {
  const values = [['a', 'b'], ['a,b'], 'a,b', { a: 'b' }, ['a', ['b']], [null], ['null'], { 0: 'a', 1: 'b' }]
  assert.equal(new Set(values.map(hashOf)).size, values.length)
  assert.equal(hashOf({ b: { d: 1, c: 2 }, a: [{ f: 1, e: 2 }] }), hashOf({ a: [{ e: 2, f: 1 }], b: { c: 2, d: 1 } }))
  assert.notEqual(hashOf([{ f: 1, e: 2 }, 1]), hashOf([1, { e: 2, f: 1 }]))
})

test('keys are the same in every version of the service, so an update keeps the cache and the checkpoints', () => {
  const params = [{ text: 'Zoë "\u2028" \ud800', box: { y: 2.5, x: -0, width: undefined }, é: true }, null]
  const inputs = { over: [{ key: 'b', task: 'd' }], image: [{ key: 'a', task: 'c' }] }
  const models = ['openai/gpt-image-1']
  const ingredients = { ...{ operation: 'text', version: 3, isList: true, fonts: [], fingerprint: 'sharp 0.35' } }
  assert.deepEqual(
    [
      keyOf({ ...ingredients, params, inputs, models }),
      taskOf('title', { ...ingredients, params, inputs, models }),
      outputKeyOf({ key: 'a', task: 'c' }, { quality: 80, format: 'webp' }, { fingerprint: 'x' }),
    ],
    [
      '95b76169910a8e60b1009b3565155b364c3129964539ac1dd68e3abdb582a1ad',
      '13951ce51210d2c88be1c33e4df700b568c477d4e569b3048a379468d55856b9',
      '3c05ca62326bef01aad2bd77d653147fac9ef85061164161451623d767a3911d',
    ],
  )
})
