import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numbersOf, problemOf, valueOfEmptyText } from './value.ts'

test('problems of values are worded as in the API', () => {
  assert.equal(problemOf(0, { type: 'integer', minimum: 1 }), 'must be at least 1, not 0')
  assert.equal(problemOf(1.5, { type: 'integer' }), 'must be a whole number, not 1.5')
  assert.equal(problemOf('x', { enum: ['a', 'b'] }), 'must be one of "a", "b", not "x"')
  assert.equal(problemOf('', { type: 'string', minLength: 1 }), 'must have at least 1 character, not 0')
  assert.equal(
    problemOf('16/9', { type: 'string', pattern: '^\\d+:\\d+$', 'x-expected': 'two numbers' }),
    'must be two numbers',
  )
  assert.equal(problemOf(450, { type: 'integer', multipleOf: 100 }), 'must be a multiple of 100')
  assert.equal(problemOf(400, { type: 'integer', multipleOf: 100 }), undefined)
})

test('numbers can be separated by commas, spaces and lines, and everything else is not a number', () => {
  assert.deepEqual(numbersOf('1, 2.5;3\n-4'), [1, 2.5, 3, -4])
  assert.deepEqual(numbersOf(''), [])
  assert.equal(numbersOf('1, two'), undefined)
})

test('text with a default can be empty, and without a default an empty field has no value', () => {
  assert.equal(valueOfEmptyText({ type: 'string', default: 'PROOF' }), '')
  assert.equal(valueOfEmptyText({ type: 'string' }), undefined)
  assert.equal(valueOfEmptyText({ type: 'string', default: 'Inter', minLength: 1 }), undefined)
})
