/** The events that a store appends with each change of an execution, and how it reads and removes them. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import type { Execution, Step, StoredEvent } from '../../src/domain/executions/execution.ts'
import type { Database } from '../../src/storage/database/open.ts'
import { execution, lost, refused, step, success, tenant } from './records.ts'

type OpenDatabase = (t: TestContext) => Promise<Database>

export function executionEventsContract(name: string, open: OpenDatabase): void {
  async function openSetup(t: TestContext) {
    const { stores, kysely } = await open(t)
    const { executions } = stores
    const owner = await tenant(stores)
    const created = execution(owner.workflow, { createdAt: 10 })
    await executions.create(created)
    const eventsOf = async ({ id, accountId }: Execution): Promise<StoredEvent[]> => {
      const { events, eventCount } = (await executions.readEvents(accountId, id, 0)) ?? assert.fail()
      assert.equal(events.length, eventCount)
      return events
    }
    return { executions, kysely, owner, created, eventsOf, events: () => eventsOf(created) }
  }

  const bounds = { attemptsMax: 3, error: lost }
  const open1 = step({ node: 'a', status: 'running', durationMs: null })
  const done1 = step({ node: 'a' })
  const open2 = step({ node: 'b', status: 'pending', startedAt: null, durationMs: null })

  describe(`events of executions on ${name}`, () => {
    test('every change of an execution appends its events, and earlier events stay', async (t) => {
      const { executions, created } = await openSetup(t)
      const expected: StoredEvent[] = []
      const assertAppended = async (...more: StoredEvent[]) => {
        expected.push(...more)
        for (let after = 0; after <= expected.length; after++) {
          const page = (await executions.readEvents(created.accountId, created.id, after)) ?? assert.fail()
          assert.deepEqual([page.events, page.eventCount], [expected.slice(after), expected.length])
        }
      }
      await assertAppended({ status: 'pending', at: 10 })
      await executions.claimNext(20)
      await assertAppended({ status: 'running', at: 20 })
      await executions.saveSteps(created.id, 1, [open1, open2])
      await assertAppended({ step: open1 }, { step: open2 })
      await executions.saveSteps(created.id, 1, [done1, open2], [done1])
      await assertAppended({ step: done1 })
      await executions.saveSteps(created.id, 1, [done1, open2], [])
      await assertAppended()
      await executions.release(created.id, 1, 30)
      await assertAppended({ status: 'pending', at: 30 })
      await executions.claim(created.id, 40, bounds)
      await assertAppended({ status: 'running', at: 40 })
      await executions.claim(created.id, 50, bounds)
      await assertAppended({ status: 'running', at: 50 })
      await executions.recover({ ...bounds, now: 60 })
      await assertAppended({ status: 'pending', at: 60 })
      const { attempt } = (await executions.claimNext(70, { except: ['acct_other'] })) as Execution
      await assertAppended({ status: 'running', at: 70 })
      const result = { ...success(created), steps: [done1, step({ node: 'b' })], changed: [step({ node: 'b' })] }
      await executions.complete(created.id, attempt, result)
      await assertAppended({ step: step({ node: 'b' }) }, { status: 'completed', at: result.completedAt })
      assert.equal(await executions.complete(created.id, attempt, result), true)
      await assertAppended()
    })

    test('a failure appends its last steps and then its end, once', async (t) => {
      const { executions, owner, created, events, eventsOf } = await openSetup(t)
      await executions.claimNext(20)
      const failed = step({ node: 'a', status: 'failed' })
      await executions.fail(created.id, 1, { error: refused, steps: [failed], completedAt: 30 })
      await executions.fail(created.id, 1, { error: refused, steps: [failed], completedAt: 31 })
      assert.deepEqual((await events()).slice(2), [{ step: failed }, { status: 'failed', at: 30 }])

      const second = execution(owner.workflow)
      await executions.create(second)
      await executions.claimNext(20)
      await executions.saveSteps(second.id, 1, [done1, open2])
      const end = { error: refused, completedAt: 40 }
      assert.equal(await executions.cancel(second.id, end), true)
      assert.equal(await executions.cancel(second.id, end), false)
      const cancelled: Step = { ...open2, status: 'cancelled' }
      assert.deepEqual((await eventsOf(second)).slice(4), [{ step: cancelled }, { status: 'failed', at: 40 }])
      assert.deepEqual(await executions.listSteps(second.id), [done1, cancelled])
    })

    test('an execution that was tried too often gets the event of its failure from the process that finds out', async (t) => {
      const { executions, owner, created, events, eventsOf } = await openSetup(t)
      const once = { attemptsMax: 1, error: lost }
      await executions.claimNext(20)
      await executions.saveSteps(created.id, 1, [open1])
      await executions.recover({ ...once, now: 30 })
      const cancelled: Step = { ...open1, status: 'cancelled' }
      assert.deepEqual((await events()).slice(3), [{ step: cancelled }, { status: 'failed', at: 30 }])
      const second = execution(owner.workflow)
      await executions.create(second)
      await executions.claimNext(20)
      await executions.claim(second.id, 50, once)
      assert.deepEqual((await eventsOf(second)).at(-1), { status: 'failed', at: 50 })
    })

    test('a recovery of many executions appends an event to each', async (t) => {
      const { executions, owner, created, events, eventsOf } = await openSetup(t)
      const others = [execution(owner.workflow), execution(owner.workflow)]
      for (const each of others) await executions.create(each)
      for (let i = 0; i < 3; i++) await executions.claimNext(20)
      const [first] = others
      const only = { executionId: first?.id ?? '', attempt: 1 }
      assert.deepEqual(await executions.recover({ ...bounds, now: 30, only }), { requeued: 1, failed: 0 })
      assert.equal((await events()).length, 2)
      assert.deepEqual(await executions.recover({ ...bounds, now: 40 }), { requeued: 2, failed: 0 })
      const last = await Promise.all([created, ...others].map(async (each) => (await eventsOf(each)).at(-1)))
      assert.deepEqual(
        last,
        [40, 30, 40].map((at) => ({ status: 'pending', at })),
      )
    })

    test('an attempt that has lost its lease appends nothing', async (t) => {
      const { executions, created, events } = await openSetup(t)
      await executions.claimNext(20)
      await executions.claim(created.id, 30, bounds)
      const before = await events()
      await executions.saveSteps(created.id, 1, [open1])
      await executions.complete(created.id, 1, success(created))
      await executions.fail(created.id, 1, { error: refused, steps: [open1], completedAt: 40 })
      await executions.release(created.id, 1, 40)
      assert.deepEqual(await events(), before)
    })

    test('events past a number are read in their order, whatever characters are in them', async (t) => {
      const { executions, created, events } = await openSetup(t)
      const texts = ['plain', 'Grüße', '\u{1f389} \ud800 \u0000 \u2028 \n "\\', '漢字'.repeat(50)]
      let { eventCount } = (await executions.findSnapshot(created.accountId, created.id)) ?? assert.fail()
      await executions.claimNext(20)
      const read: StoredEvent[] = (await events()).slice(0, 1)
      for (const message of texts) {
        await executions.saveSteps(created.id, 1, [step({ status: 'failed', error: { message, details: {} } })])
        const page = (await executions.readEvents(created.accountId, created.id, eventCount)) ?? assert.fail()
        assert.equal(page.status, 'running')
        read.push(...page.events)
        eventCount = page.eventCount
      }
      assert.deepEqual(read, await events())
      assert.deepEqual(
        read.flatMap((event) => ('step' in event ? [event.step.error?.message] : [])),
        texts,
      )
      const nothing = { status: 'running', eventCount, events: [] }
      assert.deepEqual(await executions.readEvents(created.accountId, created.id, eventCount), nothing)
    })

    test('an execution, its steps and its number of events are as of one moment, for its account only', async (t) => {
      const { executions, owner, created } = await openSetup(t)
      await executions.claimNext(20)
      await executions.saveSteps(created.id, 1, [open1])
      const found = (await executions.findSnapshot(created.accountId, created.id)) ?? assert.fail()
      assert.deepEqual(found.execution, await executions.find(created.accountId, created.id))
      assert.deepEqual([found.steps, found.eventCount], [[open1], 3])
      const otherAccountId = `${owner.account.id}x`
      for (const [accountId, id] of [
        [otherAccountId, created.id] as const,
        [created.accountId, 'exec_unknown'] as const,
      ]) {
        assert.equal(await executions.findSnapshot(accountId, id), undefined)
        assert.equal(await executions.readEvents(accountId, id, 0), undefined)
      }
    })

    test('the events of an execution are removed with it', async (t) => {
      const { kysely, created } = await openSetup(t)
      await kysely.deleteFrom('executions').where('id', '=', created.id).execute()
      assert.deepEqual((await sql`select * from execution_events`.execute(kysely)).rows, [])
    })
  })
}
