import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dayMs } from '../../src/domain/accounts/activity.ts'
import type { Execution } from '../../src/domain/executions/execution.ts'
import type { Budgets, CallEnd } from '../../src/domain/models/provider-call.ts'
import type { Database, Stores } from '../../src/storage/database/open.ts'
import { batch } from './batches.ts'
import { call } from './provider-calls.ts'
import { execution, firstPage, ids, lost, success, tenant } from './records.ts'
import { countedTotals, storedTotals } from './totals.ts'

type OpenDatabase = (t: { after(work: () => Promise<void>): void }) => Promise<Database>

const day = Date.parse('2026-03-05')
const noBudgets: Budgets = { executionMicros: null, accountMonthMicros: null }
const done: CallEnd = { state: 'done', response: { blobKeys: [] }, costMicros: 70, costSource: 'reported' }

export function executionRetentionContract(name: string, open: OpenDatabase): void {
  describe(`the removal of old executions on ${name}`, () => {
    test('those that ended before a time are removed in parts, with all that belongs to them', async (t) => {
      const { stores, kysely } = await open(t)
      const owner = await tenant(stores)
      const other = await tenant(stores)
      const completed: Execution[] = []
      // Some end at the same time.
      for (const at of [1, 2, 2, 2, 3, 4]) completed.push(await end(stores, execution(owner.workflow), day + at))
      const failed = await end(stores, execution(owner.workflow), day + 1, 'failed')
      const kept = await end(stores, execution(owner.workflow), day + 5)
      const ofOther = await end(stores, execution(other.workflow), day + 1)
      const waiting = execution(owner.workflow)
      await stores.executions.create(waiting)
      const range = { accountId: owner.account.id, status: 'completed', before: day + 5 } as const
      const parts: number[] = []
      for (let from: number | undefined = 0; from !== undefined; ) {
        const swept = await stores.executionRetention.sweepEnded({ ...range, from }, 2)
        parts.push(swept.removed)
        assert.ok(swept.next === undefined || swept.next > from)
        from = swept.next
      }
      assert.equal(
        parts.reduce((sum, count) => sum + count),
        completed.length,
      )
      assert.ok(parts.length > 2, `${parts}`)
      const left = await stores.executions.list(owner.account.id, firstPage, {})
      assert.deepEqual(ids(left.items).toSorted(), ids([failed, kept, waiting]).toSorted())
      assert.equal((await stores.executions.list(other.account.id, firstPage, {})).items[0]?.id, ofOther.id)
      const failures = { ...range, status: 'failed', from: 0 } as const
      assert.deepEqual(await stores.executionRetention.sweepEnded(failures, 2), { removed: 1, next: undefined })
      assert.deepEqual(await storedTotals(kysely), await countedTotals(kysely))
      const { rows } = { rows: await kysely.selectFrom('execution_events').select('execution_id').execute() }
      assert.deepEqual(
        [...new Set(rows.map(({ execution_id }) => execution_id))].toSorted(),
        ids([kept, ofOther, waiting]).toSorted(),
      )
      // Their output images stay.
      const images = await kysely.selectFrom('images').select('id').where('account_id', '=', owner.account.id).execute()
      assert.equal(images.length, completed.length + 1)
    })

    test('those with a call of an AI provider, or of a batch, are removed after the call and the batch', async (t) => {
      const { stores, kysely } = await open(t)
      const { account, workflow } = await tenant(stores)
      const created = batch(workflow)
      await stores.batches.create(created, 10)
      await end(stores, execution(workflow, { batchId: created.id }), day + 1)
      const paid = execution(workflow)
      await stores.executions.create(paid)
      const running = (await stores.executions.claimNext(day)) ?? assert.fail('nothing to claim')
      const paidCall = call(running, {})
      assert.equal(await stores.providerCalls.begin(paidCall, 1, noBudgets), 'started')
      assert.equal(await stores.providerCalls.end(paidCall.id, done, day), true)
      await stores.executions.complete(running.id, running.attempt, { ...success(running), completedAt: day + 2 })
      const sweep = () =>
        stores.executionRetention.sweepEnded(
          { accountId: account.id, status: 'completed', from: 0, before: day + 9 },
          100,
        )
      assert.deepEqual(await sweep(), { removed: 0, next: undefined })
      assert.equal(await stores.providerCalls.sweep(day + 9, 10, day + 9), 1)
      assert.deepEqual(await sweep(), { removed: 1, next: undefined })
      assert.deepEqual(await kysely.selectFrom('budgets').selectAll().where('scope', '=', running.id).execute(), [])
      await kysely.deleteFrom('batches').execute()
      assert.deepEqual(await sweep(), { removed: 1, next: undefined })
      assert.deepEqual((await stores.executions.list(account.id, firstPage, {})).items, [])
    })

    test('usage still counts the executions of closed days', async (t) => {
      const { stores } = await open(t)
      const { account, workflow } = await tenant(stores)
      const { activity, executionRetention } = stores
      await end(stores, execution(workflow), day + 1)
      assert.equal(await executionRetention.lastClosedDay(account.id), undefined)
      assert.equal(await activity.closeNextDay(account.id, '2026-03-06'), '2026-03-05')
      assert.equal(await executionRetention.lastClosedDay(account.id), '2026-03-05')
      const range = { from: '2026-03-01', to: '2026-03-09' }
      const before = await activity.executionsOf(account.id, range)
      const swept = { accountId: account.id, status: 'completed', from: 0, before: day + dayMs } as const
      assert.equal((await executionRetention.sweepEnded(swept, 100)).removed, 1)
      assert.deepEqual(await activity.executionsOf(account.id, range), before)
      assert.equal(before.length, 1)
    })
  })
}

async function end(
  { executions }: Stores,
  created: Execution,
  completedAt: number,
  status: 'completed' | 'failed' = 'completed',
): Promise<Execution> {
  await executions.create(created)
  const running = await executions.claimNext(day)
  assert.equal(running?.id, created.id)
  const written =
    status === 'completed'
      ? await executions.complete(running.id, running.attempt, { ...success(running), completedAt })
      : await executions.fail(running.id, running.attempt, { error: lost, steps: [], completedAt })
  assert.ok(written)
  return running
}
