import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDeletions, undoMs } from './deletions.ts'

test('undone deletions are not carried out, and the others are', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const removed: string[] = []
  const deletions = createDeletions(
    async (id) => void removed.push(id),
    () => undefined,
  )
  deletions.mark(['a', 'b'])
  assert.deepEqual([...deletions.pending()], ['a', 'b'])
  t.mock.timers.tick(undoMs - 1)
  assert.ok(deletions.canUndo(['a', 'b']))
  deletions.undo(['a'])
  const states: boolean[] = []
  deletions.subscribe(() => states.push(deletions.canUndo(['a', 'b'])))
  t.mock.timers.tick(1)
  assert.deepEqual(removed, ['b'])
  // The button of the notice disappears when the deletion starts.
  assert.equal(states[0], false)
})

test('undone deletions are not carried out, and the others are', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const removed: string[] = []
  const deletions = createDeletions(
    async (id) => void removed.push(id),
    () => undefined,
  )
  deletions.mark(['a'])
  deletions.flush()
  t.mock.timers.tick(undoMs)
  assert.deepEqual(removed, ['a'])
})

test('an image that could not be deleted is shown again with an error', async () => {
  const reported: unknown[] = []
  const deletions = createDeletions(
    async (id) => {
      if (id === 'a') throw new Error('no')
    },
    (failed) => reported.push(...failed.map(({ id }) => id)),
  )
  deletions.mark(['a', 'b'])
  deletions.flush()
  await new Promise((settle) => setImmediate(settle))
  assert.deepEqual(reported, ['a'])
  assert.deepEqual([...deletions.pending()], ['b'])
})
