import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExecutionRetentionStore } from '../../domain/executions/execution-retention.ts'
import { createExecutionSweep } from './execution-retention.ts'

const now = Date.parse('2026-03-20T12:00:00Z')
const clock = { now: () => now }

/** Ends of completed executions, by account. */
function storeOf(ends: Record<string, number[]>, closedDay: string | null = '2026-03-19') {
  const calls: string[] = []
  const executions: ExecutionRetentionStore = {
    lastClosedDay: async () => closedDay ?? undefined,
    async sweepEnded({ accountId, status, from, before }, rowsMax) {
      if (accountId === 'broken') throw new Error('broken')
      calls.push(`${accountId} ${status}`)
      const all = status === 'completed' ? (ends[accountId] ?? []) : []
      const found = all.filter((at) => at >= from && at < before).slice(0, rowsMax)
      if (status === 'completed') ends[accountId] = all.filter((at) => !found.includes(at))
      return { removed: found.length, next: found.length === rowsMax ? (found.at(-1) ?? 0) + 1 : undefined }
    },
  }
  const accounts = { list: async () => Object.keys(ends).map((id) => ({ id })) as never }
  return { executions, accounts, calls }
}

const ending = (count: number, day: string) => Array.from({ length: count }, (_, i) => Date.parse(day) + i)

test('executions are removed some days after their end, and later ones stay', async () => {
  const ends = { a: [...ending(450, '2026-03-01'), ...ending(3, '2026-03-14')], b: ending(1, '2026-03-13') }
  const sweep = createExecutionSweep({ ...storeOf(ends), keptDays: 7, clock })
  assert.equal(await sweep(200_000), 451)
  assert.deepEqual(ends, { a: ending(3, '2026-03-14'), b: [] })
})

test('executions of a day that usage has not added up are not removed', async () => {
  const ends = { a: [...ending(1, '2026-03-01'), ...ending(1, '2026-03-02')] }
  const store = storeOf(ends, '2026-03-01')
  assert.equal(await createExecutionSweep({ ...store, keptDays: 7, clock })(200_000), 1)
  assert.deepEqual(ends.a, ending(1, '2026-03-02'))
  assert.equal(await createExecutionSweep({ ...storeOf(ends, null), keptDays: 7, clock })(200_000), 0)
})

test('a run removes about its number, and the next one begins with the other accounts', async () => {
  const ends = { a: ending(500, '2026-03-01'), b: ending(500, '2026-03-01') }
  const store = storeOf(ends)
  const sweep = createExecutionSweep({ ...store, keptDays: 7, clock })
  assert.equal(await sweep(250), 300)
  assert.deepEqual(store.calls, ['a completed', 'a completed', 'a completed'])
  store.calls.length = 0
  assert.equal(await sweep(250), 300)
  assert.deepEqual(store.calls, ['b completed', 'b completed', 'b completed'])
})

test('an error of one account is thrown after the others had their turn', async () => {
  const ends = { broken: [], intact: ending(2, '2026-03-01') }
  await assert.rejects(createExecutionSweep({ ...storeOf(ends), keptDays: 7, clock })(300), /broken/)
  assert.deepEqual(ends.intact, [])
})
