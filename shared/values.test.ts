import assert from 'node:assert/strict'
import { it } from 'node:test'
import { convert, convertedTypesOf, typesOf } from './values.ts'

it('converts text to a type of the schema only if the entire text is such a value', () => {
  assert.equal(convert(' 12.5 ', ['number']), 12.5)
  assert.equal(convert('1e3', ['integer']), 1000)
  assert.equal(convert('12px', ['number']), '12px')
  assert.equal(convert('true', ['boolean']), true)
  assert.equal(convert('true', ['string']), 'true')
  assert.equal(convert(5, ['string']), '5')
  assert.equal(convert(5, ['number']), 5)
  assert.equal(convert(null, ['string']), undefined)
})

it('compares a long text of digits with a number in linear time: quadratic time would take hours', () => {
  const text = `${'1'.repeat(1_000_000)}x`
  assert.equal(convert(text, ['number']), text)
})

it('finds the types of options, constants and alternatives', () => {
  assert.deepEqual(typesOf({ type: ['integer', 'null'] }), ['integer', 'null'])
  assert.deepEqual(typesOf({ enum: [3, 5, 'auto'] }), ['number', 'string'])
  assert.deepEqual(typesOf({ anyOf: [{ const: 'auto' }, { oneOf: [{ type: 'number' }, { enum: ['a'] }] }] }), [
    'string',
    'number',
  ])
  assert.deepEqual(typesOf({ type: 'object', anyOf: [{}, {}] }), ['object'])
  assert.deepEqual(typesOf({}), [])
})

it('converts text to a number next to texts that the schema names, and keeps it where any text is allowed', () => {
  const quality = { anyOf: [{ type: 'integer' }, { const: 'auto' }] }
  assert.deepEqual(
    ['70', 'auto'].map((text) => convert(text, convertedTypesOf(quality))),
    [70, 'auto'],
  )
  assert.deepEqual(convertedTypesOf({ anyOf: [{ type: 'integer' }, { type: 'string' }] }), ['integer', 'string'])
  assert.deepEqual(convertedTypesOf({ enum: ['1', '2'] }), ['string'])
  assert.deepEqual(convertedTypesOf({}), [])
})
