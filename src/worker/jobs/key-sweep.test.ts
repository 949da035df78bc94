import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EndedKeyStore } from '../../domain/accounts/key.ts'
import { limits } from '../../limits.ts'
import { createKeySweep } from './key-sweep.ts'

const clock = { now: () => 1_795_000_100_000 }
const kept = limits.keysEndedMax
const lost = new Error('a statement took too long')

/** Ended keys of each account by their number, and keys that ended long ago. */
function storeOf(ended: Record<string, number>, { old = 0, stuck = '' } = {}) {
  const parts: number[] = []
  const left = { old }
  const calls: string[] = []
  const part = (count: number) => {
    if (count === 0) return 0
    parts.push(count)
    return count
  }
  const store: EndedKeyStore = {
    async sweepOld(endedBefore, rowsMax) {
      assert.equal(endedBefore, clock.now() - limits.keyEndedSeconds * 1_000)
      const count = Math.min(left.old, rowsMax)
      left.old -= count
      return part(count)
    },
    nextAccount: async (afterId) =>
      Object.keys(ended)
        .sort()
        .find((id) => id > afterId),
    async findExcess(accountId, now, keptMax) {
      assert.deepEqual([now, keptMax], [clock.now(), kept])
      if (accountId === stuck) throw lost
      calls.push(accountId)
      return (ended[accountId] ?? 0) > keptMax ? { endedAt: 1, id: 'key_1' } : undefined
    },
    async sweepUpTo(accountId, newest, rowsMax) {
      assert.deepEqual(newest, { endedAt: 1, id: 'key_1' })
      const before = ended[accountId] ?? 0
      const count = Math.min(rowsMax, before - kept)
      ended[accountId] = before - count
      return part(count)
    },
  }
  return { store, parts, left, calls }
}

test('old keys and those above the number of an account are removed in parts', async () => {
  const ended = { a: kept + 250, b: kept, c: kept + 1 }
  const keys = storeOf(ended, { old: 201 })
  const signingKeys = storeOf({}, { old: 1 })
  const sweep = createKeySweep({ stores: [keys.store, signingKeys.store], clock })
  assert.equal(await sweep(200_000), 201 + 251 + 1)
  assert.deepEqual(ended, { a: kept, b: kept, c: kept })
  assert.deepEqual([keys.left.old, signingKeys.left.old], [0, 0])
  assert.deepEqual(keys.calls, ['a', 'b', 'c'])
  assert.ok(Math.max(...keys.parts) <= 100, `${Math.max(...keys.parts)} keys at a time`)
})

test('a run removes at most its number of keys, and the next one continues', async () => {
  const ended = { a: kept + 150, b: kept + 150 }
  const sweep = createKeySweep({ stores: [storeOf(ended).store], clock })
  assert.equal(await sweep(180), 180)
  assert.deepEqual(ended, { a: kept, b: kept + 120 })
  assert.equal(await sweep(180), 120)
})

test('an account whose keys cannot be removed does not keep the others', async () => {
  const ended = { a: kept + 1, b: kept + 1, c: kept + 1 }
  const sweep = createKeySweep({ stores: [storeOf(ended, { stuck: 'b' }).store], clock })
  await assert.rejects(sweep(100), lost)
  assert.deepEqual(ended, { a: kept, b: kept + 1, c: kept })
})

test('a run that is stopped removes nothing more', async () => {
  const { store, left } = storeOf({ a: kept + 1 }, { old: 1 })
  assert.equal(await createKeySweep({ stores: [store], clock })(10, AbortSignal.abort()), 0)
  assert.equal(left.old, 1)
})
