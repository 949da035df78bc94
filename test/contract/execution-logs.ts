/** The log of an execution: what a store appends to it, and that it reads it back from any position. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { Execution, LoggedEvent, Step } from '../../src/domain/execution.ts'
import { execution, lost, type OpenStores, refused, step, success, tenant } from './records.ts'

export function executionLogsContract(name: string, open: OpenStores): void {
  async function begin(t: TestContext) {
    const stores = await open(t)
    const mine = await tenant(stores)
    const made = execution(mine.workflow, { createdAt: 10 })
    await stores.executions.create(made)
    const log = async (): Promise<LoggedEvent[]> =>
      (await stores.executions.findLogged(made.accountId, made.id))?.log.events ?? []
    return { executions: stores.executions, mine, made, log }
  }

  const bounds = { attemptsMax: 3, error: lost }
  const open1 = step({ node: 'a', status: 'running', durationMs: null })
  const done1 = step({ node: 'a' })
  const open2 = step({ node: 'b', status: 'pending', startedAt: null, durationMs: null })

  describe(`logs of executions on ${name}`, () => {
    test('every change of an execution is appended to its log, and what was there stays', async (t) => {
      const { executions, made, log } = await begin(t)
      const expected: LoggedEvent[] = []
      const assertAppended = async (...more: LoggedEvent[]) => {
        expected.push(...more)
        assert.deepEqual(await log(), expected)
      }
      await assertAppended({ status: 'pending', at: 10 })
      await executions.claimNext(20)
      await assertAppended({ status: 'running', at: 20 })
      await executions.saveSteps(made.id, 1, [open1, open2])
      await assertAppended({ step: open1 }, { step: open2 })
      await executions.saveSteps(made.id, 1, [done1, open2], [done1])
      await assertAppended({ step: done1 })
      await executions.release(made.id, 1, 30)
      await assertAppended({ status: 'pending', at: 30 })
      await executions.claim(made.id, 40, bounds)
      await assertAppended({ status: 'running', at: 40 })
      await executions.claim(made.id, 50, bounds)
      await assertAppended({ status: 'running', at: 50 })
      await executions.recover({ ...bounds, now: 60 })
      await assertAppended({ status: 'pending', at: 60 })
      const { attempt } = (await executions.claimNext(70)) as Execution
      await assertAppended({ status: 'running', at: 70 })
      const result = { ...success(made), steps: [done1, step({ node: 'b' })], changed: [step({ node: 'b' })] }
      await executions.complete(made.id, attempt, result)
      await assertAppended({ step: step({ node: 'b' }) }, { status: 'completed', at: result.completedAt })
      assert.equal(await executions.complete(made.id, attempt, result), true)
      await assertAppended()
    })

    test('what ends badly is logged with its last steps first and its end last, once', async (t) => {
      const { executions, mine, made, log } = await begin(t)
      await executions.claimNext(20)
      const failed = step({ node: 'a', status: 'failed' })
      await executions.fail(made.id, 1, { error: refused, steps: [failed], completedAt: 30 })
      await executions.fail(made.id, 1, { error: refused, steps: [failed], completedAt: 31 })
      assert.deepEqual((await log()).slice(2), [{ step: failed }, { status: 'failed', at: 30 }])

      const second = execution(mine.workflow)
      await executions.create(second)
      await executions.claimNext(20)
      await executions.saveSteps(second.id, 1, [done1, open2])
      const end = { error: refused, completedAt: 40 }
      assert.equal(await executions.cancel(second.id, end), true)
      assert.equal(await executions.cancel(second.id, end), false)
      const { log: of, steps } = (await executions.findLogged(second.accountId, second.id)) ?? assert.fail()
      const cancelled: Step = { ...open2, status: 'cancelled' }
      assert.deepEqual(of.events.slice(4), [{ step: cancelled }, { status: 'failed', at: 40 }])
      assert.deepEqual(steps, [done1, cancelled])
    })

    test('one that was tried too often is logged as failed by whoever finds out', async (t) => {
      const { executions, mine, made, log } = await begin(t)
      const once = { attemptsMax: 1, error: lost }
      await executions.claimNext(20)
      await executions.saveSteps(made.id, 1, [open1])
      await executions.recover({ ...once, now: 30 })
      const cancelled: Step = { ...open1, status: 'cancelled' }
      assert.deepEqual((await log()).slice(3), [{ step: cancelled }, { status: 'failed', at: 30 }])
      const second = execution(mine.workflow)
      await executions.create(second)
      await executions.claimNext(20)
      await executions.claim(second.id, 50, once)
      const { log: of } = (await executions.findLogged(second.accountId, second.id)) ?? assert.fail()
      assert.deepEqual(of.events.at(-1), { status: 'failed', at: 50 })
    })

    test('an attempt that has lost its right adds nothing to the log', async (t) => {
      const { executions, made, log } = await begin(t)
      await executions.claimNext(20)
      await executions.claim(made.id, 30, bounds)
      const before = await log()
      await executions.saveSteps(made.id, 1, [open1])
      await executions.complete(made.id, 1, success(made))
      await executions.fail(made.id, 1, { error: refused, steps: [open1], completedAt: 40 })
      await executions.release(made.id, 1, 40)
      assert.deepEqual(await log(), before)
    })

    test('a log is read on from where it ended, whatever characters are in it', async (t) => {
      const { executions, made, log } = await begin(t)
      const texts = ['plain', 'Grüße', '\u{1f389} \ud800 \u0000 \u2028 \n "', '漢字'.repeat(50)]
      let { end } = (await executions.findLogged(made.accountId, made.id))?.log ?? assert.fail()
      await executions.claimNext(20)
      const read: LoggedEvent[] = [...(await log()).slice(0, 1)]
      for (const message of texts) {
        const told = step({ status: 'failed', error: { message, details: {} } })
        await executions.saveSteps(made.id, 1, [told])
        const part = (await executions.readLog(made.id, end)) ?? assert.fail()
        assert.equal(part.status, 'running')
        read.push(...part.events)
        end = part.end
      }
      assert.deepEqual(read, await log())
      assert.deepEqual(
        read.flatMap((event) => ('step' in event ? [event.step.error?.message] : [])),
        texts,
      )
      assert.deepEqual(await executions.readLog(made.id, end), { status: 'running', events: [], end })
    })

    test('an execution, its steps and its log are as of one moment, for its account only', async (t) => {
      const { executions, mine, made } = await begin(t)
      await executions.claimNext(20)
      await executions.saveSteps(made.id, 1, [open1])
      const found = (await executions.findLogged(made.accountId, made.id)) ?? assert.fail()
      assert.deepEqual(found.execution, await executions.find(made.accountId, made.id))
      assert.deepEqual(found.steps, [open1])
      assert.equal(found.log.events.length, 3)
      assert.equal(await executions.findLogged(`${mine.account.id}x`, made.id), undefined)
      assert.equal(await executions.findLogged(made.accountId, 'exec_unknown'), undefined)
      assert.equal(await executions.readLog('exec_unknown', 0), undefined)
    })
  })
}
