import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StepCheckpointRecord, StepResult } from '../../src/domain/executions/step-result.ts'
import type { Database } from '../../src/storage/database/open.ts'
import { tenant } from './records.ts'
import { countedTotals, storedTotals } from './totals.ts'

type OpenDatabase = (t: { after(work: () => Promise<void>): void }) => Promise<Database>

let count = 0

function result(accountId: string, changes: Partial<StepResult> = {}): StepResult {
  count += 1
  const key = `key${count}`
  return {
    accountId,
    key,
    blobKey: `step_${key}`,
    size: 100,
    facts: '{"a":[1]}',
    createdAt: 1_000,
    usedAt: 1_000,
    ...changes,
  }
}

function checkpoint(accountId: string, changes: Partial<StepCheckpointRecord> = {}): StepCheckpointRecord {
  const { usedAt: _, ...same } = result(accountId)
  return { ...same, executionId: 'exec_1', task: `task of ${same.key}`, ...changes }
}

const byKey = (a: { key: string | null }, b: { key: string | null }) => ((a.key ?? '') < (b.key ?? '') ? -1 : 1)

export function stepResultsContract(name: string, openDatabase: OpenDatabase): void {
  const open = async (t: Parameters<OpenDatabase>[0]) => (await openDatabase(t)).stores
  describe(`step results on ${name}`, () => {
    test('results are returned as they were added, to their account only', async (t) => {
      const stores = await open(t)
      const [{ account: owner }, { account: other }] = [await tenant(stores), await tenant(stores)]
      const results = [result(owner.id), result(owner.id, { blobKey: null, size: 5_000_000_000 }), result(other.id)]
      const keys = results.map(({ key }) => key)
      assert.deepEqual(await stores.stepResults.add(results), results)
      const found = await stores.stepResults.find(owner.id, [...keys, 'unknown'])
      assert.deepEqual(found.sort(byKey), results.slice(0, 2).sort(byKey))
      assert.deepEqual(await stores.stepResults.find(owner.id, []), [])
      assert.equal(await stores.stepResults.bytesOf(owner.id), 5_000_000_100)
      assert.equal(await stores.stepResults.bytesOf('acct_none'), 0)
    })

    test('of concurrent adds of one key one is written, and its result stays', async (t) => {
      const { stepResults, ...stores } = await open(t)
      const [{ account: owner }, { account: other }] = [
        await tenant({ stepResults, ...stores }),
        await tenant({ stepResults, ...stores }),
      ]
      const tries = Array.from({ length: 5 }, (_, i) => result(owner.id, { key: 'same', blobKey: `step_${i}` }))
      const written = await Promise.all(tries.map((each) => stepResults.add([each, result(owner.id)])))
      const winners = tries.filter((_, i) => written[i]?.some(({ key }) => key === 'same'))
      assert.equal(winners.length, 1)
      assert.deepEqual(await stepResults.find(owner.id, ['same']), winners)
      assert.ok(written.every((each) => each.length === (each.some(({ key }) => key === 'same') ? 2 : 1)))
      // The same content has the same key in every account.
      const foreign = result(other.id, { key: 'same' })
      assert.deepEqual(await stepResults.add([tries[0] ?? assert.fail(), foreign]), [foreign])
    })

    test('the least recently used results are evicted, as many as necessary, and their blobs are recorded for removal', async (t) => {
      const stores = await open(t)
      const { account } = await tenant(stores)
      const { account: other } = await tenant(stores)
      const results = [1, 2, 3, 4].map((usedAt) => result(account.id, { usedAt }))
      const foreign = result(other.id, { usedAt: 0 })
      await stores.stepResults.add([...results, foreign])
      const [first = '', second = '', third = '', fourth = ''] = results.map(({ key }) => key)
      await stores.stepResults.touch(account.id, [first], 9)
      const { blobKeys: removed, ...counts } = await stores.stepResults.evict(account.id, 250, 77)
      assert.deepEqual(counts, { rows: 2, bytesLeft: 200 })
      assert.deepEqual(removed.sort(), [`step_${second}`, `step_${third}`].sort())
      const left = await stores.stepResults.find(account.id, [first, second, third, fourth])
      assert.deepEqual(left.map(({ key }) => key).sort(), [first, fourth].sort())
      const noted = await stores.blobRemovals.list(9)
      assert.deepEqual(noted.map(({ key, dueAt }) => [key, dueAt]).sort(), removed.map((key) => [key, 77]).sort())
      assert.deepEqual(await stores.stepResults.evict(account.id, 250, 78), { rows: 0, bytesLeft: 200, blobKeys: [] })
      assert.equal((await stores.stepResults.find(other.id, [foreign.key])).length, 1)
    })

    test('a removed result is gone, and its blob is recorded', async (t) => {
      const stores = await open(t)
      const { account } = await tenant(stores)
      const [deleted, remaining] = [result(account.id), result(account.id)]
      await stores.stepResults.add([deleted, remaining])
      await stores.stepResults.remove(account.id, deleted.key, 5)
      await stores.stepResults.remove(account.id, 'unknown', 5)
      assert.deepEqual(await stores.stepResults.find(account.id, [deleted.key, remaining.key]), [remaining])
      assert.deepEqual(
        (await stores.blobRemovals.list(9)).map(({ key }) => key),
        [deleted.blobKey],
      )
    })

    test('results of a failed execution are stored by task, and expire', async (t) => {
      const stores = await open(t)
      const { account } = await tenant(stores)
      const { account: other } = await tenant(stores)
      const old = [checkpoint(account.id), checkpoint(account.id, { key: null, blobKey: null })]
      const young = checkpoint(account.id, { executionId: 'exec_2', createdAt: 2_000 })
      assert.equal((await stores.stepResults.saveCheckpoints([...old, young])).size, 3)
      const again = { ...young, blobKey: 'step_other' }
      assert.deepEqual(await stores.stepResults.saveCheckpoints([again]), new Set())
      const found = await stores.stepResults.findCheckpoints(account.id, ['exec_1', 'exec_2'])
      assert.deepEqual(found.sort(byKey), [...old, young].sort(byKey))
      assert.deepEqual(await stores.stepResults.findCheckpoints(other.id, ['exec_1']), [])
      assert.equal(await stores.stepResults.checkpointBytesOf(account.id), 300)
      assert.equal(await stores.stepResults.sweepCheckpoints(2_000, 1, 5), 1)
      assert.equal(await stores.stepResults.sweepCheckpoints(2_000, 10, 5), 1)
      assert.equal(await stores.stepResults.sweepCheckpoints(2_000, 10, 5), 0)
      assert.deepEqual(await stores.stepResults.findCheckpoints(account.id, ['exec_1', 'exec_2']), [young])
      assert.deepEqual(
        (await stores.blobRemovals.list(9)).map(({ key }) => key),
        [old[0]?.blobKey],
      )
    })

    test('over the limit the oldest checkpoints of the account are removed first', async (t) => {
      const stores = await open(t)
      const [{ account: owner }, { account: other }] = [await tenant(stores), await tenant(stores)]
      const results = [1_000, 2_000, 3_000].map((createdAt) =>
        checkpoint(owner.id, { executionId: `exec_${createdAt}`, createdAt, size: 100 }),
      )
      const others = checkpoint(other.id, { executionId: 'exec_other', createdAt: 1, size: 1_000 })
      await stores.stepResults.saveCheckpoints([...results, others])
      const left = async () =>
        (await stores.stepResults.findCheckpoints(owner.id, ['exec_1000', 'exec_2000', 'exec_3000'])).map(
          ({ createdAt }) => createdAt,
        )
      for (const [bytesMax, expected] of [
        [300, [1_000, 2_000, 3_000]],
        [299, [2_000, 3_000]],
        [100, [3_000]],
        [0, []],
      ] as const) {
        await stores.stepResults.evictCheckpoints(owner.id, bytesMax, 5)
        assert.deepEqual((await left()).sort(), expected)
      }
      assert.equal(await stores.stepResults.checkpointBytesOf(other.id), 1_000)
      assert.equal((await stores.blobRemovals.list(9)).length, 3)
    })

    test('the bytes of an account equal the sums of its rows, through all concurrent additions and removals', async (t) => {
      const { stores, kysely } = await openDatabase(t)
      const { stepResults } = stores
      const owners = [(await tenant(stores)).account.id, (await tenant(stores)).account.id]
      await Promise.all(
        Array.from({ length: 30 }, async (_, i) => {
          const owner = owners[i % 2] ?? ''
          const executionId = `exec_${i % 10}`
          const size = 1_000 + i
          const results = [result(owner, { key: `k${i % 7}`, size }), result(owner, { size, usedAt: i })]
          await stepResults.add(results)
          await stepResults.add([...results, result(owners[(i + 1) % 2] ?? '', { size })])
          const checkpoints = ['one', 'two', `of ${i}`].map((task) => checkpoint(owner, { executionId, task, size }))
          await stepResults.saveCheckpoints(checkpoints)
          await stepResults.touch(owner, [`k${i % 7}`], 100 + i)
          if (i % 3 === 0) await stepResults.remove(owner, `k${i % 7}`, 1)
          if (i % 5 === 0) await stepResults.evict(owner, 4_000, 1)
          if (i % 4 === 0) await stepResults.evictCheckpoints(owner, 5_000, 1)
          if (i % 8 === 0) await stepResults.sweepCheckpoints(2_000, 2, 1)
        }),
      )
      const sums = await countedTotals(kysely)
      assert.deepEqual(await storedTotals(kysely), sums)
      for (const owner of owners) {
        assert.ok((await stepResults.bytesOf(owner)) > 0)
        assert.equal(await stepResults.bytesOf(owner), sums.get(`${owner} step_result_bytes `))
        assert.equal(await stepResults.checkpointBytesOf(owner), sums.get(`${owner} step_checkpoint_bytes `) ?? 0)
      }
      const undone = kysely.transaction().execute(async (trx) => {
        await trx.deleteFrom('step_results').execute()
        await trx.deleteFrom('step_checkpoints').execute()
        throw new Error('undone')
      })
      await assert.rejects(undone, /undone/)
      assert.deepEqual(await storedTotals(kysely), sums)
    })

    test('evictions and the retention remove rows in parts', async (t) => {
      const { stepResults, ...stores } = await open(t)
      const { account } = await tenant({ stepResults, ...stores })
      const times = Array.from({ length: 250 }, (_, i) => i)
      await stepResults.add(times.map((usedAt) => result(account.id, { usedAt, size: 1_000 })))
      await stepResults.saveCheckpoints(times.map((createdAt) => checkpoint(account.id, { createdAt, size: 1_000 })))
      for (const [rows, bytesLeft] of [
        [100, 150_000],
        [100, 50_000],
        [40, 10_000],
        [0, 10_000],
      ]) {
        const { blobKeys, ...evicted } = await stepResults.evict(account.id, 10_999, 1)
        assert.deepEqual(evicted, { rows, bytesLeft })
        assert.equal(blobKeys.length, rows)
        assert.equal(await stepResults.bytesOf(account.id), bytesLeft)
      }
      assert.deepEqual(await stepResults.evictCheckpoints(account.id, 10_999, 1), { rows: 100, bytesLeft: 150_000 })
      assert.equal(await stepResults.checkpointBytesOf(account.id), 150_000)
      for (const swept of [100, 40, 0]) assert.equal(await stepResults.sweepCheckpoints(240, 1_000, 1), swept)
      assert.deepEqual(await stepResults.evictCheckpoints(account.id, 0, 1), { rows: 10, bytesLeft: 0 })
      assert.deepEqual(await stepResults.evictCheckpoints(account.id, -1, 1), { rows: 0, bytesLeft: 0 })
    })

    test('blobs with and without a row can be distinguished', async (t) => {
      const stores = await open(t)
      const { account } = await tenant(stores)
      const [one, other] = [result(account.id), checkpoint(account.id)]
      await stores.stepResults.add([one])
      await stores.stepResults.saveCheckpoints([other])
      const names = [one.blobKey ?? '', other.blobKey ?? '', 'step_nobody']
      assert.deepEqual(await stores.stepResults.existing(names), new Set(names.slice(0, 2)))
      assert.deepEqual(await stores.stepResults.existing([]), new Set())
    })
  })
}
