import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startingAfter } from './skipped-errors.ts'

test('each item has its turn, if every run ends after its first item, in whatever order the items are listed', () => {
  let lastId = ''
  const turns = [1, 2, 3, 4].map(() => {
    lastId = startingAfter(lastId, ['c', 'a', 'b'])[0] ?? ''
    return lastId
  })
  assert.deepEqual(turns, ['a', 'b', 'c', 'a'])
})
