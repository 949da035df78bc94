import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBatchSweep } from './batch-sweep.ts'

const clock = { now: () => 1 }
const lost = new Error('a statement took too long')

/** Batches with this number of rows to remove, 1,000 at a time. */
function openSetup(rows: Record<string, number>, stuck: ReadonlySet<string> = new Set()) {
  const left = new Map(Object.entries(rows))
  const sweep = createBatchSweep({
    clock,
    batches: {
      expire: async () => 0,
      nextLeftover: async (afterId) => [...left.keys()].sort().find((id) => id > afterId),
      async sweep(id, rowsMax) {
        if (stuck.has(id)) throw lost
        const before = left.get(id)
        if (before === undefined) return undefined
        const count = Math.min(before, rowsMax)
        if (before === 0) left.delete(id)
        else left.set(id, before - count)
        return count
      },
    },
  })
  return { sweep, left: () => Object.fromEntries(left) }
}

test('a batch whose rows cannot be removed keeps the others neither in a run nor in the next ones', async () => {
  const ids = Array.from({ length: 25 }, (_, i) => `batch_${String(i).padStart(2, '0')}`)
  const one = openSetup(Object.fromEntries(ids.map((id) => [id, 1])), new Set(['batch_03']))
  await assert.rejects(one.sweep(100), lost)
  assert.deepEqual(one.left(), { batch_03: 1 })

  const stuck = ids.slice(0, 21)
  const many = openSetup(Object.fromEntries(ids.map((id) => [id, 1])), new Set(stuck))
  for (let run = 0; run < 3; run += 1) await many.sweep(100).catch((error) => assert.equal(error, lost))
  assert.deepEqual(Object.keys(many.left()), stuck)
})

test('a run removes at most the given number of rows, and the next one continues', async () => {
  const { sweep, left } = openSetup({ a: 1_500, b: 2_500, c: 0 })
  assert.equal(await sweep(2_000), 2_500)
  assert.deepEqual(left(), { b: 1_500, c: 0 })
  assert.equal(await sweep(9_000), 1_500)
  assert.deepEqual(left(), {})
})

test('a batch that cannot be hidden does not keep rows from being removed', async () => {
  const swept: string[] = []
  const sweep = createBatchSweep({
    clock,
    batches: {
      expire: async () => assert.fail('no'),
      nextLeftover: async (afterId) => (afterId === '' ? 'a' : undefined),
      sweep: async (id) => void swept.push(id),
    },
  })
  await assert.rejects(sweep(10), /no/)
  assert.deepEqual(swept, ['a'])
})

test('a run that is stopped removes nothing more', async () => {
  const { sweep, left } = openSetup({ a: 1 })
  assert.equal(await sweep(10, AbortSignal.abort()), 0)
  assert.deepEqual(left(), { a: 1 })
})
