import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idOf, numberOf } from './responses.ts'

test('rejects an id that would become another path, or is too long', () => {
  for (const id of ['5f0e-4a.1', 'a:b~c', 'x'.repeat(200)]) assert.equal(idOf(id), id)
  for (const id of ['', '.', '..', 'a/b', 'a?b', 'a#b', 'a%2fb', 'a\n', 'a b', 'x'.repeat(201), 7, null, {}, ['a']])
    assert.equal(idOf(id), undefined, JSON.stringify(id))
})

test('a number as text counts only if the entire text is a number', () => {
  assert.deepEqual([0, -1.5].map(numberOf), [0, -1.5])
  for (const value of ['1', '', null, Number.NaN, Number.POSITIVE_INFINITY, [1], {}])
    assert.equal(numberOf(value), undefined)
})
