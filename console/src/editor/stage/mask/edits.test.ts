import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brushSizes, noEdits, redone, resized, undone, withEdit } from './edits.ts'

const invert = { kind: 'invert' } as const
const clear = { kind: 'clear' } as const

test('undo and redo move the last edit, and a new edit ends redo', () => {
  const both = withEdit(withEdit(noEdits, invert), clear)
  const one = undone(both)
  assert.deepEqual(one, { done: [invert], undone: [clear] })
  assert.deepEqual(redone(one), both)
  assert.deepEqual(redone(redone(undone(undone(both)))), both)
  assert.deepEqual(withEdit(one, invert), { done: [invert, invert], undone: [] })
  assert.equal(undone(noEdits), noEdits)
  assert.equal(redone(both), both)
})

test('a key changes the size of the brush by a tenth, at least a pixel, and within its limits', () => {
  assert.equal(resized(100, 1, 200), 110)
  assert.equal(resized(100, -1, 200), 90)
  assert.equal(resized(1, 1, 200), 2)
  assert.equal(resized(1, -1, 200), 1)
  assert.equal(resized(199, 1, 200), 200)
})

test('the first brush fits the image', () => {
  assert.deepEqual(brushSizes({ width: 1200, height: 630 }), { start: 53, max: 600 })
  assert.deepEqual(brushSizes({ width: 20, height: 20 }), { start: 4, max: 64 })
})
