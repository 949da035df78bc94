import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonical, firstOf, type Identity, type KeyIngredients, keyOf, nothing, outputKeyOf, taskOf } from './key.ts'

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
  'a param less': { params: [{ sigma: 2 }] },
  'a param as text': { params: [{ sigma: '2', edge: 'copy' }] },
  'how often it runs': {
    params: [
      { sigma: 2, edge: 'copy' },
      { sigma: 2, edge: 'copy' },
    ],
  },
  'whether it gives a list': { isList: true },
  'an input': { inputs: { image: [logo], mask: [logo] } },
  'inputs the other way round': { inputs: { image: [logo], mask: [photo] } },
  'the socket of an input': { inputs: { image: [photo], overlay: [logo] } },
  'an input less': { inputs: { image: [photo] } },
  'the order of the wires of one socket': { inputs: { image: [logo, photo] } },
  'a list in place of an image': { inputs: { image: [list], mask: [logo] } },
  'nothing in place of an image': { inputs: { image: [nothing], mask: [logo] } },
  'fonts of the account': { fonts: [{ id: 'font_1', family: 'Acme' }] },
  'a local model': { models: ['isnet 1.0.0'] },
  'what makes pictures here': { fingerprint: 'libvips 9' },
}

for (const [what, change] of Object.entries(changes)) {
  test(`the key of a result changes if ${what} changes`, () => {
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
  const dice: Identity = { key: undefined, task: 'dice' }
  const ingredients = { ...base, inputs: { image: [dice] } }
  assert.equal(keyOf(ingredients), undefined)
  assert.equal(taskOf('a', ingredients), taskOf('a', { ...ingredients }))
  assert.notEqual(taskOf('a', ingredients), taskOf('b', ingredients))
  assert.equal(outputKeyOf(dice, { format: 'png' }, 'x'), undefined)
  assert.equal(firstOf(dice).key, undefined)
})

test('the key of an output changes with the image, the output settings and the machine', () => {
  const keys = [
    outputKeyOf(photo, { format: 'png' }, 'x'),
    outputKeyOf(logo, { format: 'png' }, 'x'),
    outputKeyOf(photo, { format: 'webp' }, 'x'),
    outputKeyOf(photo, { format: 'webp', quality: 80 }, 'x'),
    outputKeyOf(photo, { format: 'png' }, 'y'),
    outputKeyOf(photo, {}, 'x'),
    photo.key,
  ]
  assert.equal(new Set(keys).size, keys.length)
  assert.equal(
    outputKeyOf(photo, { quality: 80, format: 'webp' }, 'x'),
    outputKeyOf(photo, { format: 'webp', quality: 80 }, 'x'),
  )
})

test('similar lists and texts have different serialized values', () => {
  const values = [['a', 'b'], ['a,b'], 'a,b', { a: 'b' }, ['a', ['b']], [null], ['null'], { 0: 'a', 1: 'b' }]
  assert.equal(new Set(values.map(canonical)).size, values.length)
  assert.equal(canonical({ b: { d: 1, c: 2 }, a: [{ f: 1, e: 2 }] }), '{"a":[{"e":2,"f":1}],"b":{"c":2,"d":1}}')
})
