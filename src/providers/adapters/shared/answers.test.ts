import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idOf, numberOf } from './answers.ts'

test('an id that would become another path, or no end, is none', () => {
  for (const id of ['5f0e-4a.1', 'a:b~c', 'x'.repeat(200)]) assert.equal(idOf(id), id)
  for (const id of ['', '.', '..', 'a/b', 'a?b', 'a#b', 'a%2fb', 'a\n', 'a b', 'x'.repeat(201), 7, null, {}, ['a']])
    assert.equal(idOf(id), undefined, JSON.stringify(id))
})

test('what is written as a number is one only where it is one', () => {
  assert.deepEqual([0, -1.5].map(numberOf), [0, -1.5])
  for (const value of ['1', '', null, Number.NaN, Number.POSITIVE_INFINITY, [1], {}])
    assert.equal(numberOf(value), undefined)
})
