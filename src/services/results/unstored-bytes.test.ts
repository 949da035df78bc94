import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createUnstoredBytes } from './unstored-bytes.ts'

it('results that wait to be stored are limited per account and in total', () => {
  const unstored = createUnstoredBytes({ bytesMax: 100, accountBytesMax: 60 })
  assert.ok(unstored.add('a', 60))
  assert.equal(unstored.add('a', 1), false)
  assert.ok(unstored.add('b', 40))
  assert.equal(unstored.add('c', 1), false)
  unstored.remove('a', 60)
  assert.ok(unstored.add('c', 60))
})
