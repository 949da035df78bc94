import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StepCheckpointRecord, StepResult } from '../../src/domain/executions/step-result.ts'
import { limits } from '../../src/limits.ts'
import type { Database } from '../../src/storage/database/open.ts'
import { retentionOf } from '../harness/retention.ts'
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
    })

    test('the result of an account that is gone is not added, and those of others are', async (t) => {
      const { stepResults, ...stores } = await open(t)
      const { account } = await tenant({ stepResults, ...stores })
      const results = [result('acct_gone'), result(account.id)]
      assert.deepEqual(await stepResults.add(results), results.slice(1))
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

    test('results of a failed execution are stored by task', async (t) => {
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
    })

    test('the bytes of an account equal the sums of its rows, through all concurrent additions and removals', async (t) => {
      const database = await openDatabase(t)
      const { stores, kysely } = database
      const { stepResults } = stores
      const retention = retentionOf({ ...database, clock: { now: () => 2_000 + limits.checkpointSeconds * 1_000 } })
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
          if (i % 5 === 0) await retention.makeRoom('step-results', owner, { bytesMax: 4_000 })
          if (i % 4 === 0) await retention.makeRoom('step-checkpoints', owner, { bytesMax: 5_000 })
          if (i % 8 === 0) await retention.sweep('step-checkpoints', { rowsMax: 2 })
        }),
      )
      // Concurrent removals can leave nothing.
      await stepResults.add(owners.map((owner) => result(owner)))
      const sums = await countedTotals(kysely)
      assert.deepEqual(await storedTotals(kysely), sums)
      for (const owner of owners) {
        assert.ok((await retention.bytesOf('step-results', owner)) > 0)
        assert.equal(await retention.bytesOf('step-results', owner), sums.get(`${owner} step_result_bytes `))
        assert.equal(
          await retention.bytesOf('step-checkpoints', owner),
          sums.get(`${owner} step_checkpoint_bytes `) ?? 0,
        )
      }
      const undone = kysely.transaction().execute(async (trx) => {
        await trx.deleteFrom('step_results').execute()
        await trx.deleteFrom('step_checkpoints').execute()
        throw new Error('undone')
      })
      await assert.rejects(undone, /undone/)
      assert.deepEqual(await storedTotals(kysely), sums)
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
