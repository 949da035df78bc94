import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { Execution } from '../../src/domain/executions/execution.ts'
import { newId } from '../../src/domain/ids.ts'
import {
  type Budgets,
  type CallEnd,
  callBlobKey,
  callIdOfBlob,
  type ProviderCall,
} from '../../src/domain/models/provider-call.ts'
import type { Stores } from '../../src/storage/database/open.ts'
import { signingKey } from './delivery.ts'
import { execution, ids, key, lost, type OpenStores, refused, success, tenant } from './records.ts'

/** 2026-11-21T10:00:00Z */
const now = Date.UTC(2026, 10, 21, 10)
const month = '2026-11'
const dayMs = 24 * 3_600_000
const noBudgets: Budgets = { executionMicros: null, accountMonthMicros: null }
const done: CallEnd = { state: 'done', response: { blobKeys: [] }, costMicros: 70, costSource: 'reported' }
const site = { node: 'card', item: -1, ordinal: 0 }

export function providerCallsContract(name: string, open: OpenStores): void {
  /** An account with an execution whose attempt 1 runs. */
  async function openSetup(t: TestContext) {
    const stores = await open(t)
    const owner = await tenant(stores)
    const calls = stores.providerCalls
    const running = await newRunning(stores, owner.workflow)
    const newCall = (fields: Partial<ProviderCall> = {}) => call(running, fields)
    return {
      stores,
      calls,
      owner,
      running,
      call: newCall,
      /** A call in its first state. */
      async beginCall(fields: Partial<ProviderCall> = {}, budgets = noBudgets) {
        const created = newCall(fields)
        assert.equal(await calls.begin(created, 1, budgets), 'started')
        return created
      },
      find: async (of: ProviderCall) => (await calls.at([of.executionId], of)).find(({ id }) => id === of.id),
      ofAccount: () => calls.spentOf(owner.account.id, month),
      ofExecution: () => calls.spentOf(running.id, ''),
      all: { from: '2000-01-01', to: '2100-01-01' },
    }
  }

  describe(`provider calls on ${name}`, () => {
    test('the ended calls of an execution are in the order of items and ordinals', async (t) => {
      const { calls, beginCall, running, owner, stores } = await openSetup(t)
      const [last, first, second] = [
        await beginCall({ item: 1, ordinal: 0 }),
        await beginCall({ item: 0, ordinal: 0 }),
        await beginCall({ item: 0, ordinal: 1 }),
      ]
      await beginCall({ item: 2 })
      const other = call(await newRunning(stores, owner.workflow), {})
      await calls.begin(other, 1, noBudgets)
      for (const { id } of [last, other, second, first]) assert.equal(await calls.end(id, done, now), true)
      assert.deepEqual(ids(await calls.endedOf(running.id)), ids([first, second, last]))
    })

    test('the calls of all executions of a batch share its budget, and their costs are those of the batch', async (t) => {
      const { stores, calls, owner } = await openSetup(t)
      const of = { batchId: `batch_${owner.account.id}` }
      const [one, two] = [
        await newRunning(stores, owner.workflow, of),
        await newRunning(stores, owner.workflow, of),
      ] as const
      const budgets: Budgets = { ...noBudgets, batch: { id: of.batchId, micros: 100 } }
      const first = call(one, { reservedMicros: 60 })
      assert.equal(await calls.begin(first, 1, budgets), 'started')
      const refusal = await calls.begin(call(two, { reservedMicros: 60 }), 1, budgets)
      assert.deepEqual(refusal, { over: 'batch', budgetMicros: 100, spentMicros: 60 })
      await calls.end(first.id, { ...done, costMicros: 30 }, now)
      assert.equal(await calls.begin(call(two, { reservedMicros: 60 }), 1, budgets), 'started')
      assert.deepEqual(await calls.spentOf(of.batchId, ''), { spentMicros: 30, reservedMicros: 60 })
    })

    test('a call is returned as it was recorded, accepted, updated and ended', async (t) => {
      const { calls, beginCall, find } = await openSetup(t)
      const record = await beginCall({ keyId: 'key_1', item: 3, ordinal: 2, sequence: 1 })
      assert.deepEqual(await find(record), record)
      assert.equal(await calls.accept(record.id, { job: 'a "b"' }, 'req_1', now + 1), true)
      const accepted = {
        ...record,
        state: 'accepted',
        handle: { job: 'a "b"' },
        requestId: 'req_1',
        updatedAt: now + 1,
      }
      assert.deepEqual(await find(record), accepted)
      assert.equal(await calls.update(record.id, { job: 'c', polls: 3 }, now + 2), true)
      assert.deepEqual(await find(record), { ...accepted, handle: { job: 'c', polls: 3 }, updatedAt: now + 2 })
      const response = { blobKeys: [callBlobKey(record.id, 0, 'png')], text: 'Zoë', seed: 7 }
      assert.equal(await calls.end(record.id, { ...done, response }, now + 3), true)
      assert.deepEqual(await find(record), {
        ...accepted,
        handle: { job: 'c', polls: 3 },
        state: 'done',
        response,
        costMicros: 70,
        costSource: 'reported',
        updatedAt: now + 3,
      })
    })

    for (const by of ['recover', 'claim'] as const) {
      test(`an execution that ends because its worker was lost reports calls with unknown outcomes (${by})`, async (t) => {
        const { stores, calls, beginCall, find, running, owner, ofExecution, ofAccount, all } = await openSetup(t)
        const unknown = await beginCall({ node: 'card', reservedMicros: 40 })
        const second = await beginCall({ node: 'card', item: 1, reservedMicros: 0 })
        const job = await beginCall({ node: 'cut', reservedMicros: 7 })
        await calls.accept(job.id, { job: 1 }, 'r1', now)
        const bounds = { attemptsMax: 1, error: lost }
        if (by === 'claim') assert.equal(await stores.executions.claim(running.id, now + 5, bounds), undefined)
        else assert.equal((await stores.executions.recover({ ...bounds, now: now + 5 })).failed, 1)

        const ended = await stores.executions.find(owner.account.id, running.id)
        const { node, provider, model, problem, billed, reason } = ended?.error?.details ?? {}
        assert.deepEqual(
          { node, provider, model, problem, billed, reason },
          {
            node: 'card',
            provider: 'fal',
            model: 'fal/flux/dev',
            problem: 'outcome_unknown',
            billed: 'unknown',
            reason: lost.details.reason,
          },
        )
        assert.match(ended?.error?.message ?? '', /node card to fal\/flux\/dev and 1 more may have been carried out/)
        assert.equal((await find(unknown))?.state, 'unknown')
        assert.equal((await find(unknown))?.costSource, 'assumed')
        assert.equal((await find(second))?.costMicros, null)
        const steps = await stores.executions.listSteps(running.id)
        assert.deepEqual(
          steps.map((each) => [each.node, each.operation, each.status]),
          [['card', 'generate', 'cancelled']],
        )
        // The execution that resumes this one continues the job.
        assert.equal((await find(job))?.state, 'accepted')
        assert.deepEqual(ended?.cost, { costMicros: 40, unknownCosts: 2 })
        assert.deepEqual(await ofExecution(), { spentMicros: 40, reservedMicros: 7 })
        assert.deepEqual(await ofAccount(), { spentMicros: 40, reservedMicros: 7 })
        const [usage] = await calls.usage(owner.account.id, all)
        assert.deepEqual([usage?.failures, usage?.costMicros, usage?.unknownCosts], [2, 40, 2])
        assert.equal(await calls.accept(unknown.id, { job: 2 }, null, now + 6), false)
      })
    }

    test('a call that was not accepted ends with its problem and the id of its request', async (t) => {
      const { calls, beginCall, find } = await openSetup(t)
      const record = await beginCall()
      const problem = { kind: 'refused', message: 'No.', status: 400 }
      const end: CallEnd = { state: 'failed', problem, costMicros: 0, costSource: 'reported', requestId: 'req_9' }
      assert.equal(await calls.end(record.id, end, now + 1), true)
      const expected = { ...record, ...end, updatedAt: now + 1 }
      assert.deepEqual(await find(record), expected)
    })

    for (const state of ['done', 'failed', 'unknown', 'cancelled'] as const) {
      test(`a call that is ${state} never changes again, and its cost is booked once`, async (t) => {
        const { calls, beginCall, find, ofAccount, owner, all } = await openSetup(t)
        const record = await beginCall()
        await calls.accept(record.id, { job: 1 }, null, now)
        assert.equal(await calls.end(record.id, { state, costMicros: 5, costSource: 'computed' }, now + 1), true)
        const ended = await find(record)
        const spent = await ofAccount()
        const usage = await calls.usage(owner.account.id, all)
        assert.equal(ended?.state, state)
        assert.deepEqual(spent, { spentMicros: 5, reservedMicros: 0 })
        assert.equal(await calls.end(record.id, done, now + 2), false)
        assert.equal(await calls.accept(record.id, { job: 2 }, 'r', now + 2), false)
        assert.equal(await calls.update(record.id, { job: 2 }, now + 2), false)
        assert.deepEqual(await find(record), ended)
        assert.deepEqual(await ofAccount(), spent)
        assert.deepEqual(await calls.usage(owner.account.id, all), usage)
      })
    }

    test('only submitting calls can be accepted, only accepted ones updated, and no unknown ones', async (t) => {
      const { calls, beginCall, find } = await openSetup(t)
      const record = await beginCall()
      assert.equal(await calls.update(record.id, { job: 1 }, now + 1), false)
      assert.deepEqual(await find(record), record)
      assert.equal(await calls.accept(record.id, { job: 1 }, null, now + 1), true)
      assert.equal(await calls.accept(record.id, { job: 2 }, null, now + 2), false)
      assert.deepEqual((await find(record))?.handle, { job: 1 })
      assert.equal(await calls.accept('call_unknown', {}, null, now), false)
      assert.equal(await calls.update('call_unknown', {}, now), false)
      assert.equal(await calls.end('call_unknown', done, now), false)
    })

    test('of concurrent ends of a call one succeeds, and its cost counts once', async (t) => {
      const { calls, beginCall, ofAccount, ofExecution } = await openSetup(t)
      const record = await beginCall({ reservedMicros: 100 })
      const ends = await Promise.all(Array.from({ length: 20 }, () => calls.end(record.id, done, now)))
      assert.equal(ends.filter((each) => each).length, 1)
      assert.deepEqual(await ofAccount(), { spentMicros: 70, reservedMicros: 0 })
      assert.deepEqual(await ofExecution(), { spentMicros: 70, reservedMicros: 0 })
    })

    test('an attempt that lost its lease records no call and reserves no budget', async (t) => {
      const { stores, calls, call, running, ofAccount } = await openSetup(t)
      const { executions } = stores
      const bounds = { attemptsMax: 9, error: lost }
      const isRefused = async (executionId: string, attempt: number) => {
        const record = { ...call(), executionId }
        assert.equal(await calls.begin(record, attempt, noBudgets), 'lease_lost')
        assert.deepEqual(await calls.at([executionId], record), [])
      }
      await isRefused('exec_unknown', 1)
      await isRefused(running.id, 0)
      await isRefused(running.id, 2)
      await executions.release(running.id, 1, 25)
      await isRefused(running.id, 1)
      await executions.claim(running.id, now, bounds)
      await isRefused(running.id, 1)
      assert.equal(await calls.begin(call(), 2, noBudgets), 'started')
      await executions.cancel(running.id, { error: refused, completedAt: now })
      assert.equal(await calls.begin(call({ sequence: 1 }), 2, noBudgets), 'lease_lost')
      assert.deepEqual(await ofAccount(), { spentMicros: 0, reservedMicros: 100 })
    })

    test('a call is recorded before its execution is cancelled or not at all', async (t) => {
      const { stores, calls, owner } = await openSetup(t)
      for (let i = 0; i < 10; i++) {
        const other = await newRunning(stores, owner.workflow)
        const record = call(other)
        const [first] = await Promise.all([
          calls.begin(record, 1, noBudgets),
          stores.executions.cancel(other.id, { error: refused, completedAt: now }),
        ])
        assert.equal((await calls.at([other.id], record)).length, first === 'started' ? 1 : 0)
      }
    })

    test('recording an existing place and sequence fails and keeps the first call', async (t) => {
      const { calls, call, beginCall, find, ofAccount } = await openSetup(t)
      const first = await beginCall()
      assert.equal(await calls.begin(call({ model: 'other' }), 1, noBudgets), 'taken')
      assert.deepEqual(await find(first), first)
      assert.deepEqual(await ofAccount(), { spentMicros: 0, reservedMicros: 100 })
      for (const other of [{ node: 'b' }, { item: 0 }, { ordinal: 1 }, { sequence: 1 }])
        assert.equal(await calls.begin(call(other), 1, noBudgets), 'started')
    })

    test('of concurrent calls at one place one is recorded', async (t) => {
      const { calls, call, ofAccount } = await openSetup(t)
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => calls.begin(call(), 1, noBudgets)))
      assert.deepEqual(outcomes.toSorted(), ['started', ...Array.from({ length: 19 }, () => 'taken')])
      assert.deepEqual(await ofAccount(), { spentMicros: 0, reservedMicros: 100 })
    })

    test('a record that is sent again because the response was lost is written once, unless the call was sent meanwhile', async (t) => {
      const { calls, beginCall, ofAccount } = await openSetup(t)
      const record = await beginCall()
      assert.equal(await calls.begin(record, 1, { executionMicros: 100, accountMonthMicros: 100 }), 'started')
      assert.deepEqual(await ofAccount(), { spentMicros: 0, reservedMicros: 100 })
      await calls.accept(record.id, { job: 1 }, null, now)
      assert.equal(await calls.begin(record, 1, noBudgets), 'taken')
      await calls.end(record.id, done, now)
      assert.equal(await calls.begin(record, 1, noBudgets), 'taken')
    })

    for (const over of ['execution', 'account'] as const) {
      test(`of 100 concurrent calls with a budget of the ${over} for 10, exactly 10 are recorded`, async (t) => {
        const { calls, call, ofAccount, ofExecution } = await openSetup(t)
        const budget = 1_050
        const budgets = { ...noBudgets, [over === 'execution' ? 'executionMicros' : 'accountMonthMicros']: budget }
        const all = Array.from({ length: 100 }, (_, item) => call({ item }))
        const outcomes = await Promise.all(all.map((each) => calls.begin(each, 1, budgets)))
        assert.equal(outcomes.filter((each) => each === 'started').length, 10)
        const others = outcomes.filter((each) => each !== 'started')
        assert.ok(
          others.every((each) => typeof each === 'object'),
          JSON.stringify(others),
        )
        for (const each of others) assert.deepEqual(each, { over, budgetMicros: budget, spentMicros: 1_000 })
        assert.deepEqual(await ofAccount(), { spentMicros: 0, reservedMicros: 1_000 })
        assert.deepEqual(await ofExecution(), { spentMicros: 0, reservedMicros: 1_000 })
        const there = await Promise.all(all.map((each) => calls.at([each.executionId], each)))
        assert.equal(there.flat().length, 10)
      })
    }

    test('of 100 concurrent calls in several executions of an account, exactly as many are recorded as its budget allows', async (t) => {
      const { stores, calls, owner, running, ofAccount } = await openSetup(t)
      const executions = [running]
      for (let i = 0; i < 4; i++) executions.push(await newRunning(stores, owner.workflow))
      const budgets = { executionMicros: 300, accountMonthMicros: 1_000 }
      const all = Array.from({ length: 100 }, (_, item) => call(executions[item % 5] ?? running, { item }))
      const outcomes = await Promise.all(all.map((each) => calls.begin(each, 1, budgets)))
      assert.equal(outcomes.filter((each) => each === 'started').length, 10)
      assert.deepEqual(await ofAccount(), { spentMicros: 0, reservedMicros: 1_000 })
      const spent = await Promise.all(executions.map(({ id }) => calls.spentOf(id, '')))
      assert.ok(spent.every(({ reservedMicros }) => reservedMicros <= 300))
      assert.equal(
        spent.reduce((sum, { reservedMicros }) => sum + reservedMicros, 0),
        1_000,
      )
    })

    test('a call that the second budget rejects reserves nothing of the first', async (t) => {
      const { calls, call, ofExecution, ofAccount, find } = await openSetup(t)
      const record = call()
      const refusal = await calls.begin(record, 1, { executionMicros: 1_000, accountMonthMicros: 99 })
      assert.deepEqual(refusal, { over: 'account', budgetMicros: 99, spentMicros: 0 })
      assert.deepEqual(await ofExecution(), { spentMicros: 0, reservedMicros: 0 })
      assert.deepEqual(await ofAccount(), { spentMicros: 0, reservedMicros: 0 })
      assert.equal(await find(record), undefined)
    })

    test('a budget can be spent completely, and the unused part of a reservation is available to the next call', async (t) => {
      const { calls, call, beginCall, ofAccount } = await openSetup(t)
      const budgets = { executionMicros: 100, accountMonthMicros: 100 }
      const first = await beginCall({}, budgets)
      const second = call({ sequence: 1, reservedMicros: 30 })
      assert.deepEqual(await calls.begin(second, 1, budgets), {
        over: 'execution',
        budgetMicros: 100,
        spentMicros: 100,
      })
      await calls.end(first.id, done, now)
      assert.equal(await calls.begin(second, 1, budgets), 'started')
      assert.deepEqual(await ofAccount(), { spentMicros: 70, reservedMicros: 30 })
    })

    test('costs without a budget count when there is one', async (t) => {
      const { calls, call, beginCall } = await openSetup(t)
      const first = await beginCall()
      await calls.end(first.id, done, now)
      await beginCall({ sequence: 1, reservedMicros: 20 })
      const refusal = await calls.begin(call({ sequence: 2 }), 1, { executionMicros: null, accountMonthMicros: 189 })
      assert.deepEqual(refusal, { over: 'account', budgetMicros: 189, spentMicros: 90 })
    })

    test('a signing key and those that replace it share one monthly budget', async (t) => {
      const { stores, calls, beginCall, call, owner } = await openSetup(t)
      const first = signingKey(owner.account.id)
      const second = signingKey(owner.account.id, { budgetId: first.budgetId })
      for (const each of [first, second]) await stores.signingKeys.create(each, {})
      const budgets = { ...noBudgets, signingKeyMonthMicros: 150 }
      const started = await beginCall({ keyId: first.id, reservedMicros: 100 }, budgets)
      const refusal = await calls.begin(call({ keyId: second.id, sequence: 1, reservedMicros: 100 }), 1, budgets)
      assert.deepEqual(refusal, { over: 'signing key', budgetMicros: 150, spentMicros: 100 })
      assert.equal(await calls.end(started.id, { ...done, costMicros: 40 }, now), true)
      assert.deepEqual(await calls.spentOf(first.budgetId, month), { spentMicros: 40, reservedMicros: 0 })
      assert.equal(
        await calls.begin(call({ keyId: second.id, sequence: 2, reservedMicros: 100 }), 1, budgets),
        'started',
      )
    })

    test('the budget of a removed signing key limits the calls of its executions', async (t) => {
      const { calls, call } = await openSetup(t)
      const budgets = { ...noBudgets, signingKeyMonthMicros: 0 }
      const refusal = await calls.begin(call({ keyId: 'skey_removed', reservedMicros: 1 }), 1, budgets)
      assert.deepEqual(refusal, { over: 'signing key', budgetMicros: 0, spentMicros: 0 })
    })

    test('of 100 concurrent calls of an API key and its successor, exactly as many are recorded as its budgets allow', async (t) => {
      const { stores, calls, owner, running, ofAccount } = await openSetup(t)
      const first = key({ accountId: owner.account.id })
      const second = key({ accountId: owner.account.id, budgetId: first.budgetId })
      for (const each of [first, second]) await stores.keys.create(each)
      const executions = [running]
      for (let i = 0; i < 4; i++) executions.push(await newRunning(stores, owner.workflow))
      const beginAll = (createdAt: number, budgets: Budgets) =>
        Promise.all(
          Array.from({ length: 100 }, (_, item) => {
            const keyId = (item % 2 === 0 ? first : second).id
            return calls.begin(
              call(executions[item % 5] ?? running, {
                item,
                keyId,
                createdAt,
                sequence: createdAt === now ? 0 : 1 === now ? 0 : 1,
              }),
              1,
              budgets,
            )
          }),
        )
      const started = (outcomes: unknown[]) => outcomes.filter((each) => each === 'started').length
      const budgets = { ...noBudgets, keyDayMicros: 700, keyMonthMicros: 1_000 }
      const today = await beginAll(now, budgets)
      assert.equal(started(today), 7)
      assert.deepEqual(
        today.find((each) => each !== 'started'),
        { over: 'key day', budgetMicros: 700, spentMicros: 700 },
      )
      const tomorrow = await beginAll(now + dayMs, budgets)
      assert.equal(started(tomorrow), 3)
      assert.deepEqual(
        tomorrow.find((each) => each !== 'started'),
        { over: 'key month', budgetMicros: 1_000, spentMicros: 1_000 },
      )
      const spent = (period: string) => calls.spentOf(first.budgetId, period)
      assert.deepEqual(await spent('2026-11-21'), { spentMicros: 0, reservedMicros: 700 })
      assert.deepEqual(await spent('2026-11-22'), { spentMicros: 0, reservedMicros: 300 })
      assert.deepEqual(await spent(month), { spentMicros: 0, reservedMicros: 1_000 })
      assert.deepEqual(await ofAccount(), { spentMicros: 0, reservedMicros: 1_000 })
    })

    test('a call of an API key that ends the next day counts on the day on which it began', async (t) => {
      const { stores, calls, beginCall, owner } = await openSetup(t)
      const owned = key({ accountId: owner.account.id })
      await stores.keys.create(owned)
      const { id } = await beginCall({ keyId: owned.id })
      assert.equal(await calls.end(id, done, now + dayMs), true)
      assert.deepEqual(await calls.spentOf(owned.id, '2026-11-21'), { spentMicros: 70, reservedMicros: 0 })
      assert.deepEqual(await calls.spentOf(owned.id, '2026-11-22'), { spentMicros: 0, reservedMicros: 0 })
      assert.deepEqual(await calls.spentOf(owned.id, month), { spentMicros: 70, reservedMicros: 0 })
    })

    test('the days of an API key are removed after a week, and its months and those of other keys stay', async (t) => {
      const { stores, calls, beginCall, owner } = await openSetup(t)
      const [one, other] = [key({ accountId: owner.account.id }), key({ accountId: owner.account.id })]
      for (const each of [one, other]) await stores.keys.create(each)
      for (const { id } of [one, other])
        await calls.end((await beginCall({ keyId: id, item: id === one.id ? 0 : 1 })).id, done, now)
      await beginCall({ keyId: one.id, createdAt: now + 8 * dayMs, sequence: 1 })
      const spent = async (id: string, period: string) => (await calls.spentOf(id, period)).spentMicros
      assert.deepEqual([await spent(one.id, '2026-11-21'), await spent(one.id, month)], [0, 70])
      assert.deepEqual([await spent(other.id, '2026-11-21'), await spent(other.id, month)], [70, 70])
    })

    test('a call without cost is accepted even if the budget is exceeded', async (t) => {
      const { calls, beginCall, call } = await openSetup(t)
      const first = await beginCall()
      await calls.end(first.id, { ...done, costMicros: 500 }, now)
      const budgets = { executionMicros: 100, accountMonthMicros: 0 }
      assert.equal(await calls.begin(call({ sequence: 1, reservedMicros: 0 }), 1, budgets), 'started')
      assert.deepEqual(await calls.begin(call({ sequence: 2, reservedMicros: 1 }), 1, budgets), {
        over: 'execution',
        budgetMicros: 100,
        spentMicros: 500,
      })
    })

    test('the cost of a call with unknown outcome is its reservation, if it may have been carried out', async (t) => {
      const { calls, beginCall, ofAccount, owner, all } = await openSetup(t)
      const unknownCost = { costMicros: null, costSource: null }
      const cases = [
        { state: 'done', spent: 100 },
        { state: 'unknown', spent: 200 },
        { state: 'failed', spent: 200 },
        { state: 'cancelled', spent: 200 },
      ] as const
      for (const [sequence, { state, spent }] of cases.entries()) {
        const record = await beginCall({ sequence })
        await calls.end(record.id, { state, ...unknownCost }, now)
        assert.deepEqual(await ofAccount(), { spentMicros: spent, reservedMicros: 0 })
      }
      const [row] = await calls.usage(owner.account.id, all)
      assert.deepEqual([row?.calls, row?.failures, row?.costMicros, row?.unknownCosts], [1, 3, 200, 4])
    })

    test('an execution has the cost of its calls, after the first one, wherever it is read', async (t) => {
      const { stores, calls, owner, beginCall, running } = await openSetup(t)
      const { executions } = stores
      const look = async () => {
        const found = await executions.find(owner.account.id, running.id)
        const { items } = await executions.list(owner.account.id, { limit: 9, offset: 0 }, {})
        assert.deepEqual(items, [found])
        return found?.cost
      }
      assert.equal(await look(), undefined)
      const [known, unknown] = [await beginCall(), await beginCall({ sequence: 1 })]
      assert.deepEqual(await look(), { costMicros: 0, unknownCosts: 0 })
      await calls.end(known.id, done, now)
      await calls.end(unknown.id, { state: 'unknown', costMicros: null, costSource: null }, now)
      assert.deepEqual(await look(), { costMicros: 170, unknownCosts: 1 })
    })

    test('an assumed cost counts as unknown, a cost of 0 does not', async (t) => {
      const { calls, beginCall, owner, all } = await openSetup(t)
      const [assumed, refused] = [await beginCall(), await beginCall({ sequence: 1 })]
      await calls.end(assumed.id, { state: 'unknown', costMicros: 100, costSource: 'assumed' }, now)
      await calls.end(refused.id, { state: 'failed', costMicros: 0, costSource: 'reported' }, now)
      const [row] = await calls.usage(owner.account.id, all)
      assert.deepEqual([row?.calls, row?.failures, row?.costMicros, row?.unknownCosts], [0, 2, 100, 1])
    })

    test('a call counts in the month of its start, and in the usage of the day of its end', async (t) => {
      const { calls, beginCall, owner, all } = await openSetup(t)
      const lastMoment = Date.UTC(2026, 11, 1) - 1
      const record = await beginCall({ createdAt: lastMoment })
      assert.deepEqual(await calls.spentOf(owner.account.id, '2026-11'), { spentMicros: 0, reservedMicros: 100 })
      await calls.end(record.id, done, lastMoment + 1)
      assert.deepEqual(await calls.spentOf(owner.account.id, '2026-11'), { spentMicros: 70, reservedMicros: 0 })
      assert.deepEqual(await calls.spentOf(owner.account.id, '2026-12'), { spentMicros: 0, reservedMicros: 0 })
      assert.deepEqual(
        (await calls.usage(owner.account.id, all)).map(({ day }) => day),
        ['2026-12-01'],
      )
      // The new month has its entire budget.
      await beginCall({ sequence: 1, createdAt: lastMoment + 1 }, { executionMicros: null, accountMonthMicros: 100 })
    })

    test('usage is summed up by day, workflow, key, model and capability, and agrees with the budgets', async (t) => {
      const { stores, calls, owner, beginCall, ofAccount, all } = await openSetup(t)
      const other = await tenant(stores)
      const foreign = call(await newRunning(stores, other.workflow))
      await calls.begin(foreign, 1, noBudgets)
      await calls.end(foreign.id, done, now)
      const kinds: [Partial<ProviderCall>, number, Partial<CallEnd>?][] = [
        [{}, now],
        [{}, now],
        [{}, now, { state: 'failed', costMicros: 3 }],
        [{}, now + dayMs],
        [{ keyId: 'key_1' }, now],
        [{ model: 'b/c' }, now],
        [{ workflowId: 'wf_other' }, now],
        [{ capability: 'edit' }, now],
      ]
      await Promise.all(
        kinds.map(async ([fields, at, end], item) => {
          const record = await beginCall({ item, ...fields })
          await calls.end(record.id, { ...done, ...end }, at)
        }),
      )
      const usual = {
        day: '2026-11-21',
        workflowId: owner.workflow.id,
        keyId: null,
        model: 'fal/flux/dev',
        capability: 'generate' as const,
        calls: 1,
        failures: 0,
        costMicros: 70,
        unknownCosts: 0,
      }
      const expected = [
        { ...usual, calls: 2, failures: 1, costMicros: 143 },
        { ...usual, day: '2026-11-22' },
        { ...usual, keyId: 'key_1' },
        { ...usual, model: 'fal/b/c' },
        { ...usual, workflowId: 'wf_other' },
        { ...usual, capability: 'edit' as const },
      ]
      const rows = await calls.usage(owner.account.id, all)
      const sorted = (list: unknown[]) => list.map((each) => JSON.stringify(each)).toSorted()
      assert.deepEqual(sorted(rows), sorted(expected))
      assert.equal((await ofAccount()).spentMicros, 70 * 7 + 3)
      assert.equal(
        rows.reduce((sum, { costMicros }) => sum + costMicros, 0),
        70 * 7 + 3,
      )
      const days = async (filter: Partial<Parameters<typeof calls.usage>[1]>) =>
        (await calls.usage(owner.account.id, { ...all, ...filter })).length
      assert.equal(await days({ from: '2026-11-22' }), 1)
      assert.equal(await days({ to: '2026-11-21' }), 5)
      assert.equal(await days({ from: '2026-11-21', to: '2026-11-21', workflowId: 'wf_other' }), 1)
      assert.equal(await days({ keyId: 'key_1' }), 1)
      assert.equal(await days({ keyId: 'key_2' }), 0)
      assert.equal(await days({ workflowId: owner.workflow.id, keyId: 'key_1' }), 1)
    })

    test('concurrent ends of calls are all in the usage of their day', async (t) => {
      const { calls, beginCall, owner, all, ofAccount } = await openSetup(t)
      const record: ProviderCall[] = []
      for (let item = 0; item < 30; item++) record.push(await beginCall({ item }))
      await Promise.all(record.map(({ id }) => calls.end(id, done, now)))
      const [row, ...more] = await calls.usage(owner.account.id, all)
      assert.deepEqual([row?.calls, row?.costMicros, more], [30, 2_100, []])
      assert.deepEqual(await ofAccount(), { spentMicros: 2_100, reservedMicros: 0 })
    })

    test('concurrent starts and ends leave no reservation', async (t) => {
      const { stores, calls, owner, running, ofAccount } = await openSetup(t)
      const executions = [running]
      for (let i = 0; i < 3; i++) executions.push(await newRunning(stores, owner.workflow))
      await Promise.all(
        Array.from({ length: 60 }, async (_, item) => {
          const record = call(executions[item % 4] ?? running, { item })
          assert.equal(await calls.begin(record, 1, { executionMicros: 99_999, accountMonthMicros: 99_999 }), 'started')
          if (item % 2 === 0) await calls.accept(record.id, {}, null, now)
          assert.equal(await calls.end(record.id, done, now), true)
        }),
      )
      assert.deepEqual(await ofAccount(), { spentMicros: 4_200, reservedMicros: 0 })
      for (const { id } of executions)
        assert.deepEqual(await calls.spentOf(id, ''), { spentMicros: 1_050, reservedMicros: 0 })
    })

    test('the calls at a place are those of the given executions, oldest first', async (t) => {
      const { stores, calls, owner, beginCall, running } = await openSetup(t)
      const second = await beginCall({ sequence: 1, createdAt: now + 5 })
      const first = await beginCall({ sequence: 0, createdAt: now })
      await beginCall({ item: 0 })
      await beginCall({ ordinal: 1 })
      await beginCall({ node: 'b' })
      const former = await newRunning(stores, owner.workflow)
      const old = call(former, { createdAt: now - 5 })
      await calls.begin(old, 1, noBudgets)
      assert.deepEqual(ids(await calls.at([running.id], site)), [first.id, second.id])
      assert.deepEqual(ids(await calls.at([running.id, former.id], site)), [old.id, first.id, second.id])
      assert.deepEqual(await calls.at([], site), [])
      assert.deepEqual(await calls.at(['exec_unknown'], site), [])
    })

    test('orphaned calls are open calls whose execution has ended and that have not changed for the given time, oldest first', async (t) => {
      const { stores, calls, owner, beginCall } = await openSetup(t)
      const ended = await newRunning(stores, owner.workflow)
      const completed = await newRunning(stores, owner.workflow)
      const orphaned = call(ended, { createdAt: now + 50, updatedAt: now + 50 })
      const endedCall = call(ended, { sequence: 1 })
      const forgotten = call(completed, { updatedAt: now + 60 })
      for (const record of [orphaned, endedCall, forgotten])
        assert.equal(await calls.begin(record, 1, noBudgets), 'started')
      await calls.end(endedCall.id, done, now)
      await calls.accept(orphaned.id, { job: 1 }, null, now + 55)
      // Of any age: their execution continues with them.
      for (const sequence of [0, 1, 2]) await beginCall({ sequence, updatedAt: now - dayMs })
      assert.deepEqual(await calls.listOrphaned(now + 99, 9), [])
      await stores.executions.cancel(ended.id, { error: refused, completedAt: now })
      await stores.executions.complete(completed.id, 1, success(completed))
      const found = await calls.listOrphaned(now + 61, 2)
      assert.deepEqual(ids(found), [orphaned.id, forgotten.id])
      assert.deepEqual(found[0]?.handle, { job: 1 })
      assert.deepEqual(ids(await calls.listOrphaned(now + 60, 9)), [orphaned.id])
      assert.deepEqual(ids(await calls.listOrphaned(now + 61, 1)), [orphaned.id])
      assert.deepEqual(await calls.listOrphaned(now + 55, 9), [])
    })

    test('a blob is in use if a call names it, or its call has not ended', async (t) => {
      const { calls, beginCall } = await openSetup(t)
      const [ended, open] = [await beginCall(), await beginCall({ sequence: 1 })]
      const named = callBlobKey(ended.id, 0, 'png')
      await calls.end(ended.id, { ...done, response: { blobKeys: [named] } }, now)
      const ofOpen = callBlobKey(open.id, 4, 'webp')
      assert.equal(callIdOfBlob(ofOpen), open.id)
      const blobKeys = [named, callBlobKey(ended.id, 1, 'png'), ofOpen, 'call_unknown_0.png', 'call_', 'call']
      assert.deepEqual(await calls.existing(blobKeys), new Set([named, ofOpen]))
      assert.deepEqual(await calls.existing([]), new Set())
    })
  })
}

async function newRunning(
  stores: Stores,
  workflow: Parameters<typeof execution>[0],
  fields: Partial<Execution> = {},
): Promise<Execution> {
  const record = execution(workflow, fields)
  await stores.executions.create(record)
  const running = await stores.executions.claim(record.id, now, { attemptsMax: 3, error: lost })
  assert.equal(running?.attempt, 1)
  return record
}

export function call(
  of: Pick<Execution, 'id' | 'accountId' | 'workflowId'>,
  fields: Partial<ProviderCall> = {},
): ProviderCall {
  return {
    id: newId('call', now),
    accountId: of.accountId,
    executionId: of.id,
    workflowId: of.workflowId,
    keyId: null,
    ...site,
    sequence: 0,
    capability: 'generate',
    provider: 'fal',
    model: 'flux/dev',
    requestHash: 'abc',
    state: 'submitting',
    handle: null,
    response: null,
    problem: null,
    reservedMicros: 100,
    costMicros: null,
    costSource: null,
    requestId: null,
    createdAt: now,
    updatedAt: now,
    ...fields,
  }
}
