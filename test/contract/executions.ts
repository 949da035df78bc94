import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { AlreadyExists } from '../../src/domain/already-exists.ts'
import type { Execution } from '../../src/domain/executions/execution.ts'
import { limits } from '../../src/limits.ts'
import type { Stores } from '../../src/storage/database/open.ts'
import { listContract } from './lists.ts'
import {
  document,
  execution,
  firstPage,
  ids,
  lost,
  type OpenStores,
  refused,
  step,
  success,
  tenant,
  workflow,
} from './records.ts'

export function executionsContract(name: string, open: OpenStores): void {
  async function openSetup(t: TestContext) {
    const stores = await open(t)
    const owner = await tenant(stores)
    const add = async (fields: Partial<Execution> = {}) => {
      const created = execution(owner.workflow, fields)
      await stores.executions.create(created)
      return created
    }
    return { stores, executions: stores.executions, owner, add }
  }

  /** A claimed execution: its attempt 1 runs. */
  async function openRunningSetup(t: TestContext) {
    const started = await openSetup(t)
    await started.add()
    return { ...started, running: claimed(await started.executions.claimNext(20)) }
  }

  describe(`executions on ${name}`, () => {
    test('an execution is returned as it was created, to its account only', async (t) => {
      const { stores, executions, owner, add } = await openSetup(t)
      const other = await tenant(stores)
      const created = await add({ createdAt: 5 })
      assert.deepEqual(await executions.find(owner.account.id, created.id), created)
      assert.equal(await executions.find(other.account.id, created.id), undefined)
      assert.equal(await executions.find(owner.account.id, 'exec_unknown'), undefined)
      assert.deepEqual(await executions.listSteps(created.id), [])
      assert.deepEqual(await executions.listSteps('exec_unknown'), [])
    })

    test('an execution has the key of its request', async (t) => {
      const { executions, owner, add } = await openSetup(t)
      const created = await add({ keyId: 'key_1' })
      assert.deepEqual(await executions.find(owner.account.id, created.id), created)
      assert.deepEqual((await executions.list(owner.account.id, firstPage, {})).items, [created])
      assert.equal((await executions.claimNext(9))?.keyId, 'key_1')
    })

    test('creating an execution with an existing id fails and keeps the first one', async (t) => {
      const { executions, owner, add } = await openSetup(t)
      const first = await add()
      await assert.rejects(executions.create({ ...first, parameters: {} }), AlreadyExists)
      assert.deepEqual(await executions.find(owner.account.id, first.id), first)
      assert.equal(await executions.countPending(), 1)
    })

    test('an execution has the trace of its request, also when it is claimed', async (t) => {
      const { executions, owner, add } = await openSetup(t)
      const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
      const created = await add({ traceparent })
      assert.deepEqual(await executions.find(owner.account.id, created.id), created)
      assert.equal((await executions.claimNext(9))?.traceparent, traceparent)
    })

    test('the queue is counted by plan, with its oldest execution', async (t) => {
      const { executions, owner, add } = await openSetup(t)
      const { plan } = owner.account
      assert.deepEqual(await executions.waitingByPlan(), [])
      await add({ createdAt: 7 })
      await add({ createdAt: 5 })
      await add({ createdAt: 6 })
      assert.deepEqual(await executions.waitingByPlan(), [{ plan, mayStart: true, waiting: 3, oldestAt: 5 }])
      assert.ok(await executions.claimNext(9))
      assert.deepEqual(await executions.waitingByPlan(), [{ plan, mayStart: true, waiting: 2, oldestAt: 6 }])
      while (await executions.claimNext(9));
      assert.deepEqual(await executions.waitingByPlan(), [])
    })

    test('creating an execution of an unknown version fails', async (t) => {
      const { executions, owner } = await openSetup(t)
      await assert.rejects(executions.create(execution({ ...owner.workflow, version: 2 })))
      assert.equal(await executions.countPending(), 0)
    })

    test('a list leaves out long parameters and brand values, and names the executions that have them', async (t) => {
      const { executions, owner, add } = await openSetup(t)
      const long = 'x'.repeat(17_000)
      const first = await add({ createdAt: 1, parameters: { text: long } })
      const second = await add({ createdAt: 2, parameters: { text: 'a' }, brand: { text: long } })
      const third = await add({ createdAt: 3, parameters: { text: 'a' } })
      const { items, longIds } = await executions.list(owner.account.id, firstPage, {})
      const { brand: _, ...secondRest } = second
      assert.deepEqual(items, [third, { ...secondRest, parameters: {} }, { ...first, parameters: {} }])
      assert.deepEqual(longIds, new Set([second.id, first.id]))
      assert.deepEqual(await executions.find(owner.account.id, second.id), second)
    })

    test('a list can be filtered by workflow, by status, and by both', async (t) => {
      const { stores, executions, owner, add } = await openSetup(t)
      const second = workflow({ accountId: owner.account.id, projectId: owner.project.id })
      await stores.workflows.create(second, document())
      const running = await add({ createdAt: 1 })
      const pending = await add({ createdAt: 2 })
      const elsewhere = execution(second, { createdAt: 3 })
      await executions.create(elsewhere)
      await executions.claimNext(9)
      const list = async (filter: Parameters<typeof executions.list>[2]) => {
        const { items } = await executions.list(owner.account.id, firstPage, filter)
        return ids(items)
      }
      assert.deepEqual(await list({}), [elsewhere.id, pending.id, running.id])
      assert.deepEqual(await list({ workflowId: owner.workflow.id }), [pending.id, running.id])
      assert.deepEqual(await list({ status: 'pending' }), [elsewhere.id, pending.id])
      assert.deepEqual(await list({ status: 'running' }), [running.id])
      assert.deepEqual(await list({ workflowId: second.id, status: 'pending' }), [elsewhere.id])
      assert.deepEqual(await list({ workflowId: second.id, status: 'running' }), [])
    })

    for (const filter of ['none', 'workflowId', 'status', 'both'] as const) {
      listContract(`executions (filter: ${filter})`, async (t) => {
        const { stores, executions, owner, add } = await openSetup(t)
        const other = await tenant(stores)
        return {
          add: async (createdAt) => (await add({ createdAt })).id,
          list: async (page) => {
            const { items } = await executions.list(owner.account.id, page, {
              ...((filter === 'workflowId' || filter === 'both') && { workflowId: owner.workflow.id }),
              ...((filter === 'status' || filter === 'both') && { status: 'pending' as const }),
            })
            return { items }
          },
          addElsewhere: async (createdAt) => void (await executions.create(execution(other.workflow, { createdAt }))),
        }
      })
    }

    test('the oldest pending execution is claimed first, and for equal times the one with the smaller id', async (t) => {
      const { executions, add } = await openSetup(t)
      const young = await add({ createdAt: 3 })
      const [low, high] = [await add({ createdAt: 2 }), await add({ createdAt: 2 })]
      const old = await add({ createdAt: 1 })
      const order: (string | undefined)[] = []
      for (let i = 0; i < 5; i++) order.push((await executions.claimNext(9))?.id)
      assert.deepEqual(order, [old.id, low.id, high.id, young.id, undefined])
    })

    test('a claimed execution is running: its attempt is counted and it has a start time', async (t) => {
      const { executions, owner, add } = await openSetup(t)
      const created = await add({ createdAt: 5 })
      const expected = { ...created, status: 'running', attempt: 1, startedAt: 20 }
      assert.deepEqual(await executions.claimNext(20), expected)
      assert.deepEqual(await executions.find(owner.account.id, created.id), expected)
      assert.equal(await executions.claimNext(21), undefined)
    })

    test('of concurrent claims each gets a different execution, or none', async (t) => {
      const { executions, add } = await openSetup(t)
      const created = await Promise.all(Array.from({ length: 25 }, () => add()))
      const got: Execution[] = []
      // A claim skips an account that another claim has locked.
      while ((await executions.countPending()) > 0) {
        const claims = await Promise.all(Array.from({ length: 40 }, () => executions.claimNext(9)))
        got.push(...claims.filter((each) => each !== undefined))
      }
      assert.deepEqual(ids(got).toSorted(), ids(created).toSorted())
    })

    test('only pending executions are counted', async (t) => {
      const { executions, add } = await openSetup(t)
      assert.equal(await executions.countPending(), 0)
      for (let i = 0; i < 3; i++) await add()
      assert.equal(await executions.countPending(), 3)
      await executions.claimNext(9)
      assert.equal(await executions.countPending(), 2)
    })

    test('steps are returned as they were last written, in the order of the plan', async (t) => {
      const { executions, running } = await openRunningSetup(t)
      const failed = step({ node: 'a', status: 'failed', error: { message: 'No', details: { reason: 'internal' } } })
      const first = [step({ node: 'z', status: 'running', durationMs: null, width: null, height: null }), failed]
      await executions.saveSteps(running.id, 1, first)
      assert.deepEqual(await executions.listSteps(running.id), first)
      const second = [step({ node: 'z', durationMs: 0.001 }), failed, step({ node: 'm' })]
      await executions.saveSteps(running.id, 1, second)
      assert.deepEqual(await executions.listSteps(running.id), second)
    })

    test('recent completed runs are those of the account', async (t) => {
      const { executions, owner, running } = await openRunningSetup(t)
      assert.deepEqual(await executions.recentRuns(owner.account.id, 5, 100_000), [])
      const result = success(running)
      await executions.complete(running.id, 1, result)
      const run = { steps: result.steps, completedAt: result.completedAt }
      assert.deepEqual(await executions.recentRuns(owner.account.id, 5, 100_000), [run])
      assert.deepEqual(await executions.recentRuns(owner.account.id, 0, 100_000), [])
      const bytes = JSON.stringify(run.steps).length
      assert.deepEqual(await executions.recentRuns(owner.account.id, 5, bytes), [run])
      assert.deepEqual(await executions.recentRuns(owner.account.id, 5, bytes - 1), [])
      assert.deepEqual(await executions.recentRuns('acct_other', 5, 100_000), [])
    })

    test('completing writes the image, the steps and the status together', async (t) => {
      const { stores, executions, owner, running } = await openRunningSetup(t)
      const result = success(running)
      assert.equal(await executions.complete(running.id, 1, result), true)
      assert.deepEqual(await executions.find(owner.account.id, running.id), {
        ...running,
        status: 'completed',
        output: result.output,
        completedAt: result.completedAt,
      })
      assert.deepEqual(await executions.listSteps(running.id), result.steps)
      assert.deepEqual(await stores.images.find(owner.account.id, result.image.id), result.image)
    })

    test('completing writes the images of all outputs together', async (t) => {
      const { stores, executions, owner, running } = await openRunningSetup(t)
      const [first, second] = [success(running), success(running, { format: 'pdf' })]
      const { imageId, width, height, format } = second.output
      const outputs = [{ name: 'print', imageId, width, height, format, size: second.image.size, pages: 2 }]
      const result = { ...first, outputs, otherImages: [second.image] }
      assert.equal(await executions.complete(running.id, 1, result), true)
      assert.equal(await executions.complete(running.id, 1, result), true)
      const found = await executions.find(owner.account.id, running.id)
      assert.deepEqual([found?.output, found?.outputs], [first.output, outputs])
      assert.deepEqual((await executions.list(owner.account.id, firstPage, {})).items[0]?.outputs, outputs)
      for (const { image } of [first, second])
        assert.deepEqual(await stores.images.find(owner.account.id, image.id), image)
      assert.equal((await stores.images.list(owner.account.id, firstPage, {})).total, 2)
    })

    test('half of a surrogate pair in the name of an image is replaced', async (t) => {
      const { stores, executions, owner, running } = await openRunningSetup(t)
      const result = success(running)
      const image = { ...result.image, name: 'half \ud83c.png' }
      assert.equal(await executions.complete(running.id, 1, { ...result, image }), true)
      assert.equal((await stores.images.find(owner.account.id, image.id))?.name, 'half \ufffd.png')
    })

    test('if one of several images cannot be written, none is', async (t) => {
      const { stores, executions, owner, running } = await openRunningSetup(t)
      const [first, second] = [success(running), success(running)]
      await stores.images.create(second.image)
      await assert.rejects(executions.complete(running.id, 1, { ...first, otherImages: [second.image] }))
      assert.deepEqual(await executions.find(owner.account.id, running.id), running)
      assert.equal(await stores.images.find(owner.account.id, first.image.id), undefined)
    })

    test('if the image cannot be written, the execution is still running, with unchanged steps', async (t) => {
      const { stores, executions, owner, running } = await openRunningSetup(t)
      const result = success(running)
      await stores.images.create(result.image)
      await assert.rejects(executions.complete(running.id, 1, result))
      assert.deepEqual(await executions.find(owner.account.id, running.id), running)
      assert.deepEqual(await executions.listSteps(running.id), [])
      assert.equal(await executions.complete(running.id, 1, success(running)), true)
    })

    test('failing writes the error and the steps together', async (t) => {
      const { executions, owner, running } = await openRunningSetup(t)
      const steps = [step({ status: 'failed' }), step({ node: 'title', status: 'cancelled' })]
      assert.equal(await executions.fail(running.id, 1, { error: refused, steps, completedAt: 30 }), true)
      const expected = { ...running, status: 'failed', error: refused, completedAt: 30 }
      assert.deepEqual(await executions.find(owner.account.id, running.id), expected)
      assert.deepEqual(await executions.listSteps(running.id), steps)
    })

    test('a cancelled waiting execution cannot be claimed', async (t) => {
      const { executions, owner, add } = await openSetup(t)
      const created = await add()
      assert.equal(await executions.cancel(created.id, { error: refused, completedAt: 30 }), true)
      const expected = { ...created, status: 'failed', error: refused, completedAt: 30 }
      assert.deepEqual(await executions.find(owner.account.id, created.id), expected)
      assert.equal(await executions.claimNext(9), undefined)
      assert.equal(await executions.claim(created.id, 9, bounds), undefined)
      assert.equal(await executions.cancel('exec_unknown', { error: refused, completedAt: 30 }), false)
    })

    test('cancelling a running execution cancels its open steps, and its worker can write nothing more', async (t) => {
      const { stores, executions, owner, running } = await openRunningSetup(t)
      const open = { node: 'b', durationMs: null }
      await executions.saveSteps(running.id, 1, [step(), step({ ...open, status: 'running' })])
      assert.equal(await executions.cancel(running.id, { error: refused, completedAt: 30 }), true)
      const expected = { ...running, status: 'failed', error: refused, completedAt: 30 }
      await assertFencedOff(stores, running, 1, success(running))
      assert.deepEqual(await executions.find(owner.account.id, running.id), expected)
      assert.deepEqual(await executions.listSteps(running.id), [step(), step({ ...open, status: 'cancelled' })])
      assert.equal(await executions.cancel(running.id, { error: lost, completedAt: 40 }), false)
    })

    test('a waiting execution is claimed by its id, a running one by a takeover', async (t) => {
      const { stores, executions, owner, add } = await openSetup(t)
      const [, created] = [await add({ createdAt: 1 }), await add({ createdAt: 2 })]
      const first = await executions.claim(created.id, 20, bounds)
      assert.deepEqual(first, { ...created, status: 'running', attempt: 1, startedAt: 20 })
      await executions.saveSteps(created.id, 1, [step()])
      const second = await executions.claim(created.id, 30, bounds)
      assert.deepEqual(second, { ...created, status: 'running', attempt: 2, startedAt: 30 })
      assert.deepEqual(await executions.find(owner.account.id, created.id), second)
      assert.deepEqual(await executions.listSteps(created.id), [])
      await assertFencedOff(stores, created, 1, success(created))
      assert.equal(await executions.complete(created.id, 2, success(created)), true)
      assert.equal(await executions.claim(created.id, 40, bounds), undefined)
      assert.equal(await executions.claim('exec_unknown', 40, bounds), undefined)
    })

    test('of concurrent takeovers the last one owns the execution, and no other attempt can write', async (t) => {
      const { executions, owner, running } = await openRunningSetup(t)
      const many = { attemptsMax: 100, error: lost }
      const claims = await Promise.all(Array.from({ length: 20 }, () => executions.claim(running.id, 30, many)))
      const attempts = claims.map((each) => each?.attempt ?? 0).toSorted((a, b) => a - b)
      assert.deepEqual(
        attempts,
        Array.from({ length: 20 }, (_, i) => i + 2),
      )
      const writes = await Promise.all(attempts.map((attempt) => executions.saveSteps(running.id, attempt, [])))
      assert.deepEqual(writes, [...Array.from({ length: 19 }, () => false), true])
      assert.equal((await executions.find(owner.account.id, running.id))?.attempt, 21)
    })

    test('a claim ends an execution with too many attempts; attempts that were given back do not count', async (t) => {
      const { executions, owner, running } = await openRunningSetup(t)
      await executions.release(running.id, 1, 25)
      for (const now of [30, 40]) claimed(await executions.claim(running.id, now, { attemptsMax: 2, error: lost }))
      await executions.saveSteps(running.id, 3, [step({ status: 'running' })])
      assert.equal(await executions.claim(running.id, 50, { attemptsMax: 2, error: lost }), undefined)
      const failed = await executions.find(owner.account.id, running.id)
      assert.deepEqual([failed?.status, failed?.error, failed?.completedAt], ['failed', lost, 50])
      assert.deepEqual(await executions.listSteps(running.id), [step({ status: 'cancelled' })])
    })

    test('only the current attempt of a running execution can write', async (t) => {
      const { executions, running, add } = await openRunningSetup(t)
      const [waiting, cancelled, taken] = [await add(), await add(), await add()]
      for (const { id } of [cancelled, taken, taken]) await executions.claim(id, 30, bounds)
      await executions.cancel(cancelled.id, { error: refused, completedAt: 30 })
      const executionsToCheck = [running, waiting, cancelled, taken, { id: 'exec_unknown' }]
      const first = executionsToCheck.map(({ id }) => ({ executionId: id, attempt: 1 }))
      assert.deepEqual(await executions.whichRun(first), [running.id])
      assert.deepEqual(await executions.whichRun([{ executionId: taken.id, attempt: 2 }]), [taken.id])
      assert.deepEqual(await executions.whichRun([]), [])
    })

    test('a result that is sent again because the response was lost is written once', async (t) => {
      const { stores, executions, owner, running } = await openRunningSetup(t)
      const result = success(running)
      assert.equal(await executions.complete(running.id, 1, result), true)
      assert.equal(await executions.complete(running.id, 1, result), true)
      assert.equal(await executions.complete(running.id, 1, success(running)), false)
      assert.equal((await stores.images.list(owner.account.id, firstPage, {})).total, 1)
    })

    for (const end of ['completed', 'failed'] as const) {
      test(`an execution that has ${end} never changes again`, async (t) => {
        const { stores, executions, owner, running } = await openRunningSetup(t)
        if (end === 'completed') await executions.complete(running.id, 1, success(running))
        else await executions.fail(running.id, 1, { error: refused, steps: [step()], completedAt: 30 })
        const ended = await executions.find(owner.account.id, running.id)
        await assertFencedOff(stores, running, 1, success(running))
        assert.equal(await executions.cancel(running.id, { error: lost, completedAt: 99 }), false)
        assert.equal(await executions.claim(running.id, 99, bounds), undefined)
        assert.deepEqual(await executions.recover({ attemptsMax: 1, error: lost, now: 99 }), { requeued: 0, failed: 0 })
        assert.equal(await executions.claimNext(99), undefined)
        assert.equal(ended?.status, end)
        assert.deepEqual(await executions.find(owner.account.id, running.id), ended)
        assert.deepEqual(await executions.listSteps(running.id), [step()])
      })
    }

    test('after a takeover the old attempt can write nothing, and the new one can', async (t) => {
      const { stores, executions, owner, running } = await openRunningSetup(t)
      await executions.recover({ attemptsMax: 3, error: lost, now: 30 })
      await assertFencedOff(stores, running, 1, success(running))
      const second = claimed(await executions.claimNext(40))
      assert.deepEqual(second, { ...running, attempt: 2, startedAt: 40 })
      await executions.saveSteps(second.id, 2, [step({ node: 'second' })])
      await assertFencedOff(stores, running, 1, success(running))
      assert.deepEqual(await executions.find(owner.account.id, running.id), second)
      assert.deepEqual(await executions.listSteps(second.id), [step({ node: 'second' })])
      assert.equal(await executions.complete(second.id, 2, success(second)), true)
    })

    test('an attempt that was given back can write nothing, even while the next one runs', async (t) => {
      const { stores, executions, running } = await openRunningSetup(t)
      assert.equal(await executions.release(running.id, 1, 25), true)
      await assertFencedOff(stores, running, 1, success(running))
      const next = claimed(await executions.claimNext(40))
      assert.equal(next.id, running.id)
      await assertFencedOff(stores, running, 1, success(running))
      assert.equal(await executions.complete(next.id, next.attempt, success(next)), true)
    })

    test('executions that were started before are claimed first, oldest first', async (t) => {
      const { executions, running, add } = await openRunningSetup(t)
      const second = await add()
      assert.equal((await executions.claimNext(20))?.id, second.id)
      const [third, older] = [await add(), await add({ createdAt: 1 })]
      assert.equal((await executions.claimNext(20))?.id, older.id)
      await executions.release(running.id, 1, 25)
      await executions.recover({ attemptsMax: 3, error: lost, now: 30 })
      const oldest = await add({ createdAt: 0 })
      const order: (string | undefined)[] = []
      for (let i = 0; i < 6; i++) order.push((await executions.claimNext(40))?.id)
      assert.deepEqual(order, [older.id, running.id, second.id, oldest.id, third.id, undefined])
    })

    test('an execution that was given back waits at its old position', async (t) => {
      const { executions, owner, running, add } = await openRunningSetup(t)
      const later = await add({ createdAt: running.createdAt + 1 })
      await executions.saveSteps(running.id, 1, [step()])
      assert.equal(await executions.release(running.id, 1, 25), true)
      const waiting = await executions.find(owner.account.id, running.id)
      assert.equal(waiting?.status, 'pending')
      assert.equal(waiting?.startedAt, null)
      assert.deepEqual(await executions.listSteps(running.id), [])
      assert.equal(await executions.countPending(), 2)
      assert.equal((await executions.claimNext(50))?.id, running.id)
      assert.equal((await executions.claimNext(50))?.id, later.id)
    })

    test('attempts that were given back do not count', async (t) => {
      const { executions, running } = await openRunningSetup(t)
      const bounds = { attemptsMax: 2, error: lost, now: 30 }
      for (let i = 0, { attempt } = running; i < 5; i++) {
        await executions.release(running.id, attempt, 25)
        attempt = claimed(await executions.claimNext(40)).attempt
      }
      assert.deepEqual(await executions.recover(bounds), { requeued: 1, failed: 0 })
      await executions.claimNext(50)
      assert.deepEqual(await executions.recover(bounds), { requeued: 0, failed: 1 })
    })

    test('a lost parked attempt does not count, for any process that takes the execution over', async (t) => {
      const { executions, running } = await openRunningSetup(t)
      const bounds = { attemptsMax: 2, error: lost, now: 30 }
      let { attempt } = running
      for (let i = 0; i < 3; i++) {
        assert.equal(await executions.park(running.id, attempt, true), true)
        if (i === 1) attempt = claimed(await executions.claim(running.id, 35, bounds)).attempt
        else {
          assert.deepEqual(await executions.recover(bounds), { requeued: 1, failed: 0 })
          attempt = claimed(await executions.claimNext(40)).attempt
        }
      }
      assert.equal(attempt, 4)
      // This one works again when its process is lost, and so does the next.
      assert.equal(await executions.park(running.id, attempt, true), true)
      assert.equal(await executions.park(running.id, attempt, false), true)
      assert.deepEqual(await executions.recover(bounds), { requeued: 1, failed: 0 })
      await executions.claimNext(50)
      assert.deepEqual(await executions.recover(bounds), { requeued: 0, failed: 1 })
    })

    test('an attempt that lost its lease cannot be parked', async (t) => {
      const { executions, running } = await openRunningSetup(t)
      await executions.claim(running.id, 30, bounds)
      assert.equal(await executions.park(running.id, 1, true), false)
    })

    test('an execution that only waits is not started endlessly', async (t) => {
      const { executions, owner, running } = await openRunningSetup(t)
      let { attempt } = running
      for (;;) {
        await executions.park(running.id, attempt, true)
        const next = await executions.claim(running.id, 40, bounds)
        if (next === undefined) break
        attempt = next.attempt
      }
      assert.equal(attempt, limits.executionStartsMax)
      assert.equal((await executions.find(owner.account.id, running.id))?.status, 'failed')
    })

    test('the last attempt that counts is marked as such', async (t) => {
      const { executions, owner, running } = await openRunningSetup(t)
      const next = async () => claimed(await executions.claim(running.id, 40, bounds))
      await executions.park(running.id, 1, true)
      const lastAttempts = [await next(), await next(), await next()].map(({ isLastAttempt }) => isLastAttempt)
      assert.deepEqual(lastAttempts, [undefined, undefined, true])
      assert.equal((await executions.find(owner.account.id, running.id))?.isLastAttempt, true)
    })

    test('recovering one lost attempt makes it pending again, and no other execution changes', async (t) => {
      const { executions, owner, running, add } = await openRunningSetup(t)
      await add()
      const other = claimed(await executions.claimNext(21))
      const only = { executionId: running.id, attempt: 1 }
      const lostNow = { attemptsMax: 2, error: lost, now: 77, only }
      assert.deepEqual(await executions.recover(lostNow), { requeued: 1, failed: 0 })
      assert.deepEqual(await executions.recover(lostNow), { requeued: 0, failed: 0 })
      assert.deepEqual(await executions.find(owner.account.id, other.id), other)
      assert.equal(claimed(await executions.claimNext(40)).id, running.id)
      assert.deepEqual(await executions.recover(lostNow), { requeued: 0, failed: 0 })
      const second = { ...lostNow, only: { ...only, attempt: 2 } }
      assert.deepEqual(await executions.recover(second), { requeued: 0, failed: 1 })
      assert.equal((await executions.find(owner.account.id, running.id))?.status, 'failed')
    })

    test('after a crash running executions are pending again, until they have too many attempts', async (t) => {
      const { stores, executions, owner, running, add } = await openRunningSetup(t)
      const pending = await add()
      const bounds = { attemptsMax: 2, error: lost, now: 77 }
      await executions.saveSteps(running.id, 1, [step()])
      assert.deepEqual(await executions.recover(bounds), { requeued: 1, failed: 0 })
      const requeued = await executions.find(owner.account.id, running.id)
      assert.deepEqual(requeued, { ...running, status: 'pending', startedAt: null })
      assert.deepEqual(await executions.listSteps(running.id), [])
      const second = claimed(await executions.claimNext(40))
      await executions.saveSteps(running.id, 2, [
        step(),
        step({ node: 'b', status: 'running', durationMs: null }),
        step({ node: 'c', status: 'pending', durationMs: null }),
        step({ node: 'd', status: 'skipped' }),
      ])
      assert.deepEqual(await executions.recover(bounds), { requeued: 0, failed: 1 })
      const failed = await executions.find(owner.account.id, running.id)
      const error = { ...lost, details: { ...lost.details, executionId: running.id } }
      assert.deepEqual(failed, { ...second, status: 'failed', error, completedAt: 77 })
      const steps = await executions.listSteps(running.id)
      assert.deepEqual(
        steps.map(({ status }) => status),
        ['completed', 'cancelled', 'cancelled', 'skipped'],
      )
      assert.deepEqual(await executions.find(owner.account.id, pending.id), pending)
      assert.equal((await stores.images.list(owner.account.id, firstPage, {})).total, 0)
    })
  })
}

const bounds = { attemptsMax: 3, error: lost }

function claimed(execution: Execution | undefined): Execution {
  assert.ok(execution, 'nothing was pending')
  return execution
}

/** Checks that every write of this attempt fails, and leaves no image. */
async function assertFencedOff(
  { executions, images }: Stores,
  { id }: Execution,
  attempt: number,
  result: ReturnType<typeof success>,
): Promise<void> {
  assert.equal(await executions.saveSteps(id, attempt, [step({ node: 'late' })]), false)
  assert.ok((await executions.listSteps(id)).every(({ node }) => node !== 'late'))
  assert.equal(await executions.complete(id, attempt, result), false)
  assert.equal(await images.findPublic(result.image.id), undefined)
  const failed = { error: refused, steps: result.steps, completedAt: result.completedAt }
  assert.equal(await executions.fail(id, attempt, failed), false)
  assert.equal(await executions.release(id, attempt, 25), false)
}
