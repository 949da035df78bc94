import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cursorSearch, cursorsBefore, withCursor } from './cursors.ts'

test('the pages before a page are those that were visited on the way to it', () => {
  assert.deepEqual(cursorsBefore([], undefined), [])
  assert.deepEqual(cursorsBefore(['a'], 'b'), ['a'])
  // Back, also with the button of the browser.
  assert.deepEqual(cursorsBefore(['a', 'b'], 'b'), ['a'])
  assert.deepEqual(cursorsBefore(['a', 'b'], 'a'), [])
  // Another filter starts at the first page.
  assert.deepEqual(cursorsBefore(['a', 'b'], undefined), [])
  // A page that was opened by its URL.
  assert.deepEqual(cursorsBefore([], 'c'), [])
})

test('the first page has no cursor in the URL', () => {
  assert.deepEqual(withCursor({ status: 'failed', cursor: 'a' }, undefined), { status: 'failed' })
  assert.deepEqual(withCursor<{ cursor?: string }>({}, 'b'), { cursor: 'b' })
  assert.deepEqual([cursorSearch(''), cursorSearch(2), cursorSearch('a')], [{}, {}, { cursor: 'a' }])
})
