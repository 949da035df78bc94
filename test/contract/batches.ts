import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { QuotaReached, type QuotaSettings, storageOf } from '../../src/domain/accounts/quota.ts'
import type { Batch, BatchState } from '../../src/domain/batches/batch.ts'
import {
  type BatchItem,
  type BatchItemPage,
  BatchItemTaken,
  type NewBatchItem,
} from '../../src/domain/batches/batch-item.ts'
import type { Execution } from '../../src/domain/executions/execution.ts'
import { IdempotencyKeyTaken } from '../../src/domain/idempotency.ts'
import { newId } from '../../src/domain/ids.ts'
import { assertRefused } from './quotas.ts'
import { execution, firstPage, maximum, type OpenStores, refused, success, tenant } from './records.ts'

const now = 1_795_000_000_000
const soon = { now, until: now + 1_000 }
const many = 1_000
const error = { ...refused, details: { reason: 'input_invalid' as const } }

export function batchesContract(name: string, open: OpenStores): void {
  async function openSetup(t: TestContext, { quotas, ...fields }: Partial<Batch> & { quotas?: QuotaSettings } = {}) {
    const stores = await open(t, quotas && { quotas })
    const owner = await tenant(stores)
    const created = batch(owner.workflow, fields)
    await stores.batches.create(created)
    const find = async () => {
      const found = await stores.batches.find(owner.account.id, created.id, now)
      assert.ok(found)
      return found
    }
    const upload = async (items: readonly NewBatchItem[]) => {
      const number = await stores.batchItems.beginUpload(created.id, soon)
      assert.ok(number !== undefined)
      const rows = { id: created.id, upload: number }
      assert.equal(await stores.batchItems.add(rows, 1, items, soon.until), true)
      assert.equal(await stores.batchItems.endUpload(rows, items.length), true)
    }
    const start = () =>
      stores.batches.changeStatus(owner.account.id, created.id, ['created'], { status: 'running', at: now + 5 })
    const submit = async (state: BatchState, row: number, fields: Partial<Execution> = {}) => {
      const ofBatch = execution(owner.workflow, { batchId: state.id, ...fields })
      await stores.executions.create(ofBatch, { batchItem: { batchId: state.id, upload: state.upload, row } })
      return ofBatch
    }
    /** Runs the next execution to its end. */
    const runNext = async (end: 'completed' | 'failed', details: Record<string, unknown> = {}) => {
      const claimed = await stores.executions.claimNext(now + 10)
      assert.ok(claimed)
      const at = now + 20
      if (end === 'completed')
        await stores.executions.complete(claimed.id, claimed.attempt, { ...success(claimed), completedAt: at })
      else {
        const failure = { ...error, details: { ...error.details, ...details } }
        await stores.executions.fail(claimed.id, claimed.attempt, { error: failure, steps: [], completedAt: at })
      }
      return claimed
    }
    const statuses = async () =>
      (await rowsOfPage(await stores.batchItems.list(await find(), firstPage))).map(
        ({ key, status }) => `${key} ${status}`,
      )
    return { stores, owner, created, find, upload, start, submit, runNext, statuses }
  }

  describe(`batches on ${name}`, () => {
    test('a batch is returned as it was created, to its account only', async (t) => {
      const { stores, owner, created, find } = await openSetup(t, {
        defaults: { headline: 'ü', data: { a: [null] } },
        maxCostMicros: 5,
      })
      const { counts, isUploading, upload, runStartedAt, runEndedBefore, ...stored } = await find()
      assert.deepEqual(stored, created)
      assert.deepEqual(counts, { pending: 0, running: 0, completed: 0, failed: 0, cancelled: 0 })
      assert.deepEqual([isUploading, upload, runStartedAt, runEndedBefore], [false, 0, null, 0])
      const other = await tenant(stores)
      assert.equal(await stores.batches.find(other.account.id, created.id, now), undefined)
      assert.equal(await stores.batches.update(other.account.id, created.id, { name: 'x' }), false)
      assert.equal(await stores.batches.remove(other.account.id, created.id, now), false)
      assert.equal(await stores.batches.maxCostOf(created.id), 5)
      assert.equal(
        await stores.batches.update(owner.account.id, created.id, { name: 'New', maxCostMicros: null }),
        true,
      )
      assert.deepEqual([(await find()).name, (await find()).maxCostMicros], ['New', null])
    })

    test('an account has at most as many batches as allowed, also if they are created at the same time', async (t) => {
      const { stores, owner } = await openSetup(t, maximum('batches', 3))
      const outcomes = await Promise.allSettled(
        Array.from({ length: 5 }, () => stores.batches.create(batch(owner.workflow))),
      )
      assertRefused(outcomes, 3, { quota: 'batches', limit: 3 })
      const page = await stores.batches.list(owner.account.id, { limit: 2, offset: 0 }, {}, now)
      assert.deepEqual([page.items.length, page.total], [2, 3])
    })

    test('a list leaves out long defaults and brand values, and names the batches that have them', async (t) => {
      const { stores, owner } = await openSetup(t)
      const long = 'x'.repeat(17_000)
      const add = async (createdAt: number, values: Partial<Batch>) => {
        const made = batch(owner.workflow, { createdAt: now + createdAt, ...values })
        await stores.batches.create(made)
        return stores.batches.find(owner.account.id, made.id, now)
      }
      const first = await add(1, { defaults: { text: long } })
      const second = await add(2, { defaults: { text: 'a' }, brand: { text: long } })
      const third = await add(3, { defaults: { text: 'a' } })
      assert.ok(first && second && third)
      const page = await stores.batches.list(owner.account.id, { limit: 3, offset: 0 }, {}, now)
      const { brand: _, ...secondRest } = second
      assert.deepEqual(page.items, [third, { ...secondRest, defaults: {} }, { ...first, defaults: {} }])
      assert.deepEqual(page.longIds, new Set([second.id, first.id]))
    })

    test('two requests with one idempotency key create one batch', async (t) => {
      const { stores, owner } = await openSetup(t)
      const record = {
        accountId: owner.account.id,
        key: 'k',
        method: 'POST',
        path: '/',
        fingerprint: 'f',
        createdAt: now,
      }
      await stores.batches.create(batch(owner.workflow), record)
      await assert.rejects(stores.batches.create(batch(owner.workflow), record), IdempotencyKeyTaken)
      assert.equal((await stores.batches.list(owner.account.id, firstPage, {}, now)).total, 2)
    })

    test('lists are filtered by status and workflow', async (t) => {
      const { stores, owner, created, upload, start } = await openSetup(t)
      await upload(rowsOf('a'))
      await start()
      await stores.batches.create(batch(owner.workflow))
      const ids = async (filter: object) =>
        (await stores.batches.list(owner.account.id, firstPage, filter, now)).items.map(({ id }) => id)
      assert.deepEqual(await ids({ status: 'running' }), [created.id])
      assert.equal((await ids({ workflowId: owner.workflow.id })).length, 2)
      assert.deepEqual(await ids({ workflowId: 'wf_none' }), [])
    })
  })

  describe(`uploads of rows on ${name}`, () => {
    test('rows are in the order of the upload, and the former rows stay until its end', async (t) => {
      const { stores, created, find, upload, statuses } = await openSetup(t)
      await upload(rowsOf('old'))
      const number = await stores.batchItems.beginUpload(created.id, soon)
      assert.ok(number)
      const rows = { id: created.id, upload: number }
      assert.equal((await find()).isUploading, true)
      assert.equal(await stores.batchItems.beginUpload(created.id, soon), undefined)
      await stores.batchItems.add(rows, 1, rowsOf('b', 'a'), soon.until)
      await stores.batchItems.add(rows, 3, [{ key: 'ü "x"', parameters: { json: { deep: ['\u2028'] } } }], soon.until)
      assert.deepEqual(await statuses(), ['old pending'])
      assert.equal(await stores.batchItems.endUpload(rows, 3), true)
      assert.deepEqual(await statuses(), ['b pending', 'a pending', 'ü "x" pending'])
      const state = await find()
      assert.deepEqual([state.total, state.counts.pending, state.isUploading], [3, 3, false])
      const item = await stores.batchItems.find(state, 'ü "x"')
      assert.deepEqual([item?.row, item?.parameters], [3, { json: { deep: ['\u2028'] } }])
    })

    test('an upload whose process was lost is replaced, and can write no more', async (t) => {
      const { stores, created, find, statuses } = await openSetup(t)
      const lost = await stores.batchItems.beginUpload(created.id, { now: now - 2_000, until: now - 1_000 })
      const rows = { id: created.id, upload: Number(lost) }
      await stores.batchItems.add(rows, 1, rowsOf('x'), now - 500)
      assert.equal((await find()).isUploading, false)
      const next = await stores.batchItems.beginUpload(created.id, soon)
      assert.equal(await stores.batchItems.add(rows, 2, rowsOf('y'), soon.until), false)
      assert.equal(await stores.batchItems.endUpload(rows, 2), false)
      await stores.batchItems.add({ id: created.id, upload: Number(next) }, 1, rowsOf('z'), soon.until)
      await stores.batchItems.endUpload({ id: created.id, upload: Number(next) }, 1)
      assert.deepEqual(await statuses(), ['z pending'])
    })

    test('an account has at most as many rows in batches that have not ended as allowed', async (t) => {
      const { stores, created, find, upload } = await openSetup(t, maximum('batchRows', 2))
      await upload(rowsOf('a', 'b'))
      const number = await stores.batchItems.beginUpload(created.id, soon)
      const rows = { id: created.id, upload: Number(number) }
      await stores.batchItems.add(rows, 1, rowsOf('c', 'd', 'e'), soon.until)
      const outcomes = await Promise.allSettled([stores.batchItems.endUpload(rows, 3)])
      assertRefused(outcomes, 1, { quota: 'batchRows', limit: 2 })
      await stores.batchItems.abandonUpload(rows)
      assert.equal((await find()).total, 2)
    })

    test('a batch without rows, or whose rows are uploaded, does not start; a started one takes no rows', async (t) => {
      const { stores, created, upload, start } = await openSetup(t)
      assert.equal(await start(), false)
      await upload(rowsOf('a'))
      const number = await stores.batchItems.beginUpload(created.id, soon)
      assert.equal(await start(), false)
      await stores.batchItems.abandonUpload({ id: created.id, upload: Number(number) })
      assert.equal(await start(), true)
      assert.equal(await start(), false)
      assert.equal(await stores.batchItems.beginUpload(created.id, soon), undefined)
    })
  })

  describe(`rows of batches on ${name}`, () => {
    test('a row gets one execution, however many processes submit it at the same time', async (t) => {
      const { find, upload, start, submit, stores } = await openSetup(t)
      await upload(rowsOf('a', 'b'))
      await start()
      const state = await find()
      const results = await Promise.allSettled(Array.from({ length: 6 }, () => submit(state, 1)))
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const each of results) if (each.status === 'rejected') assert.ok(each.reason instanceof BatchItemTaken)
      assert.deepEqual(
        (await stores.batchItems.nextWaiting(state, 10)).map(({ key }) => key),
        ['b'],
      )
      assert.equal((await stores.batches.openExecutions(state.id, 10)).length, 1)
    })

    test('a row that no batch runs gets no execution', async (t) => {
      const { owner, stores, find, upload, start, submit } = await openSetup(t)
      await upload(rowsOf('a'))
      const state = await find()
      await assert.rejects(submit(state, 1), BatchItemTaken)
      await start()
      await assert.rejects(submit(state, 2), BatchItemTaken)
      await stores.batches.changeStatus(owner.account.id, state.id, ['running'], {
        status: 'paused',
        pauseReason: 'requested',
        at: now,
      })
      await assert.rejects(submit(state, 1), BatchItemTaken)
      assert.deepEqual((await stores.executions.list(owner.account.id, firstPage, {})).items, [])
    })

    test('rows follow their executions, and the last one ends the batch', async (t) => {
      const { stores, find, upload, start, submit, runNext, statuses } = await openSetup(t)
      await upload(rowsOf('a', 'b', 'c'))
      await start()
      const state = await find()
      for (const row of [1, 2, 3]) await submit(state, row, { createdAt: now + row })
      assert.deepEqual(await statuses(), ['a pending', 'b pending', 'c pending'])
      const first = await runNext('completed')
      await runNext('failed')
      const claimed = await stores.executions.claimNext(now + 30)
      assert.ok(claimed)
      assert.deepEqual(await statuses(), ['a completed', 'b failed', 'c running'])
      const counts = { pending: 0, running: 1, completed: 1, failed: 1, cancelled: 0 }
      assert.deepEqual((await find()).counts, counts)
      assert.equal(await stores.batches.complete(state, now + 50), false)
      await stores.executions.cancel(claimed.id, {
        error: { ...error, details: { reason: 'cancelled' } },
        completedAt: now + 40,
      })
      assert.deepEqual(await statuses(), ['a completed', 'b failed', 'c cancelled'])
      assert.equal(await stores.batches.complete(state, now + 50), true)
      assert.equal(await stores.batches.complete(state, now + 50), false)
      const ended = await find()
      assert.deepEqual([ended.status, ended.completedAt], ['completed', now + 50])
      const item = await stores.batchItems.find(ended, 'a')
      assert.equal(item?.executionId, first.id)
      assert.deepEqual([item?.output?.width, item?.error], [success(first).output.width, null])
      assert.equal((await stores.executions.find(first.accountId, first.id))?.batchId, state.id)
    })

    test('rows are listed by status, in pages, and read in their order and in that of their end', async (t) => {
      const { stores, find, upload, start, submit, runNext } = await openSetup(t)
      await upload(rowsOf('a', 'b', 'c', 'd', 'e', 'f'))
      await start()
      for (const row of [1, 2, 3, 4, 5]) await submit(await find(), row, { createdAt: now + row })
      await runNext('failed')
      await runNext('completed')
      await runNext('failed')
      await stores.executions.claimNext(now + 30)
      const state = await find()
      const keys = async (status: 'failed' | 'pending' | 'running' | 'completed', page = firstPage) => {
        const found = await stores.batchItems.list(state, page, status)
        return [(await rowsOfPage(found)).map(({ key }) => key).join(''), found.total]
      }
      assert.deepEqual(await keys('failed'), ['ac', 2])
      assert.deepEqual(await keys('failed', { limit: 1, offset: 1 }), ['c', 2])
      assert.deepEqual(await keys('completed'), ['b', 1])
      assert.deepEqual(await keys('running'), ['d', 1])
      // The execution of the first one waits; the second one has none yet.
      assert.deepEqual(await keys('pending'), ['ef', 2])
      const page = await stores.batchItems.list(state, { limit: 2, offset: 3 })
      assert.deepEqual([(await rowsOfPage(page)).map(({ key }) => key).join(''), page.total], ['de', 6])
      const after = await stores.batchItems.readAfter(state, 2, 2)
      assert.deepEqual(after.map(({ key }) => key).join(''), 'cd')
      assert.deepEqual(await stores.batchItems.readAfter(state, 6, 2), [])
      assert.deepEqual(
        (await Array.fromAsync(stores.batchItems.pick(state, [4, 1])))
          .flat()
          .map(({ key }) => key)
          .join(''),
        'ad',
      )
      const ended = await stores.batchItems.readEnded(state, { endedAt: now + 20, row: 1 }, 10)
      assert.deepEqual(ended.map(({ key }) => key).join(''), 'bc')
    })

    test('large rows are read a few at a time', async (t) => {
      const { stores, find, upload, start, submit, runNext } = await openSetup(t)
      const large = { text: 'x'.repeat(900_000) }
      const keys = ['a', 'b', 'c', 'd', 'e']
      await upload(keys.map((key) => ({ key, parameters: key === 'e' ? { text: 'é'.repeat(2_000_000) } : large })))
      const state = await find()
      const pages: string[] = []
      for (let last = 0; last < keys.length; last = pages.join('').length)
        pages.push((await stores.batchItems.readAfter(state, last, 500)).map(({ key }) => key).join(''))
      assert.deepEqual(pages, ['ab', 'cd', 'e'])
      const { parts } = await stores.batchItems.list(state, firstPage)
      assert.deepEqual(await keysOfParts(parts), ['ab', 'cd', 'e'])
      assert.deepEqual(await keysOfParts(stores.batchItems.pick(state, [1, 3, 4])), ['ac', 'd'])
      assert.deepEqual(
        (await stores.batchItems.nextWaiting(state, 10)).map(({ key }) => key),
        ['a', 'b'],
      )
      await start()
      for (const [i] of keys.entries()) await submit(await find(), i + 1, { createdAt: now + i })
      for (const _ of keys) await runNext('failed')
      const ended = await stores.batchItems.readEnded(state, { endedAt: now, row: 1 }, 10)
      assert.deepEqual(
        ended.map(({ key }) => key),
        ['a', 'b'],
      )
    })

    test('a row that is edited stays within the quota of stored bytes, and can become shorter above it', async (t) => {
      const { stores, owner, find, upload } = await openSetup(t)
      const { id } = owner.account
      await upload([{ key: 'a', parameters: { headline: 'x'.repeat(100) } }])
      const state = await find()
      const edit = (length: number) => stores.batchItems.update(state, 'a', { headline: 'x'.repeat(length) })
      const used = async () => storageOf(await stores.quotas.read(id, ['storageBytes'], now)).bytes
      const before = await used()
      await stores.accounts.update(id, { storageBytesMax: before + 20 })
      assert.equal(await edit(120), true)
      await assert.rejects(edit(121), QuotaReached)
      assert.equal(await used(), before + 20)
      await stores.accounts.update(id, { storageBytesMax: 0 })
      assert.equal(await edit(110), true)
      assert.equal(await used(), before + 10)
      assert.equal(await stores.batchItems.update({ ...state, id: 'batch_unknown' }, 'a', {}), false)
      assert.equal(await stores.batchItems.endUpload({ id: 'batch_unknown', upload: 1 }, 1), false)
    })

    test('rows of batches start after the other executions of their account', async (t) => {
      const { stores, owner, find, upload, start, submit } = await openSetup(t)
      await upload(rowsOf('a'))
      await start()
      await submit(await find(), 1, { createdAt: now })
      const asynchronous = execution(owner.workflow, { createdAt: now + 1 })
      const synchronous = execution(owner.workflow, { createdAt: now + 2 })
      await stores.executions.create(asynchronous, { isAsync: true })
      await stores.executions.create(synchronous)
      const order = []
      for (let i = 0; i < 3; i += 1) order.push((await stores.executions.claimNext(now))?.id)
      assert.deepEqual(order.slice(0, 2), [synchronous.id, asynchronous.id])
    })

    test('while a batch runs, an execution of another account is among the next two to start', async (t) => {
      const { stores, find, upload, start, submit } = await openSetup(t)
      await upload(rowsOf(...Array.from({ length: 40 }, (_, i) => `${i}`)))
      await start()
      const state = await find()
      for (let row = 1; row <= 40; row += 1) await submit(state, row, { createdAt: now + row })
      const other = await tenant(stores)
      for (let round = 0; round < 5; round += 1) {
        await stores.executions.claimNext(now)
        const waiting = execution(other.workflow, { createdAt: now + 1_000 + round })
        await stores.executions.create(waiting)
        const next = [await stores.executions.claimNext(now), await stores.executions.claimNext(now)]
        assert.ok(
          next.some((claimed) => claimed?.id === waiting.id),
          `round ${round}`,
        )
      }
    })

    test('failed and cancelled rows are retried: they resume their execution, and the batch continues', async (t) => {
      const { stores, find, upload, start, submit, runNext, statuses } = await openSetup(t)
      await upload(rowsOf('a', 'b', 'c'))
      await start()
      const state = await find()
      for (const row of [1, 2, 3]) await submit(state, row, { createdAt: now + row })
      await runNext('completed')
      const failed = await runNext('failed')
      await runNext('failed', { reason: 'cancelled' })
      await stores.batches.complete(state, now + 50)
      assert.equal(await stores.batchItems.update(state, 'a', {}), false)
      assert.equal(await stores.batchItems.update(state, 'b', { headline: 'new' }), true)
      assert.equal(await stores.batchItems.retry(state, { keys: ['a', 'b'], rowsMax: 10, now: now + 60 }), 1)
      assert.deepEqual(await statuses(), ['a completed', 'b pending', 'c cancelled'])
      const again = await find()
      assert.deepEqual([again.status, again.completedAt, again.runEndedBefore], ['running', null, 2])
      assert.deepEqual(await stores.batchItems.nextWaiting(again, 10), [
        { row: 2, key: 'b', parameters: { headline: 'new' }, resumedFrom: failed.id },
      ])
      assert.equal(await stores.batchItems.retry(state, { rowsMax: 10, now: now + 60 }), 1)
      assert.equal(await stores.batchItems.retry(state, { rowsMax: 10, now: now + 60 }), 0)
      assert.equal((await find()).counts.pending, 2)
    })

    test('a retry at the moment in which the batch ends is not lost', async (t) => {
      const { stores, find, upload, start, submit, runNext } = await openSetup(t)
      await upload([{ key: 'a', parameters: {} }])
      await start()
      for (let round = 0; round < 20; round += 1) {
        await submit(await find(), 1)
        await runNext('failed')
        const state = await find()
        const [retried] = await Promise.all([
          stores.batchItems.retry(state, { rowsMax: many, now: now + 30 }),
          stores.batches.complete(state, now + 30),
        ])
        assert.equal(retried, 1)
        assert.equal((await find()).status, 'running')
      }
    })

    test('a row that the budget of its batch stopped waits again, and its batch is paused', async (t) => {
      const { stores, owner, find, upload, start, submit, runNext, statuses } = await openSetup(t)
      await upload(rowsOf('a', 'b'))
      await start()
      await submit(await find(), 1)
      const stopped = await runNext('failed', { budget: 'batch' })
      const paused = await find()
      assert.deepEqual([paused.status, paused.pauseReason], ['paused', 'budget'])
      assert.deepEqual(await statuses(), ['a pending', 'b pending'])
      const [first] = await stores.batchItems.nextWaiting(paused, 1)
      assert.deepEqual([first?.key, first?.resumedFrom], ['a', stopped.id])
      assert.deepEqual(await stores.batches.listActive(10, now), [])
      await stores.batches.changeStatus(owner.account.id, paused.id, ['paused'], { status: 'running', at: now })
      assert.deepEqual([(await find()).status, (await find()).pauseReason], ['running', null])
      await submit(await find(), 1, { resumedFrom: stopped.id })
      await runNext('completed')
      assert.deepEqual(await statuses(), ['a completed', 'b pending'])
    })

    test('rows of a cancelled batch are cancelled in pieces, and it is settled then', async (t) => {
      const { stores, owner, find, upload, start, submit, statuses } = await openSetup(t)
      await upload(rowsOf('a', 'b', 'c'))
      await start()
      const state = await find()
      const open = await submit(state, 1)
      await stores.batches.changeStatus(owner.account.id, state.id, ['running'], { status: 'cancelled', at: now + 9 })
      assert.equal(await stores.batches.remove(owner.account.id, state.id, now), false)
      assert.equal(await stores.batchItems.cancelWaiting(state, 1, now + 9), 1)
      assert.equal(await stores.batchItems.cancelWaiting(state, 5, now + 9), 1)
      assert.deepEqual(await stores.batches.openExecutions(state.id, 5), [open.id])
      await stores.executions.cancel(open.id, {
        error: { ...error, details: { reason: 'cancelled' } },
        completedAt: now,
      })
      assert.deepEqual(await statuses(), ['a cancelled', 'b cancelled', 'c cancelled'])
      assert.equal(await stores.batchItems.retry(state, { rowsMax: 10, now }), 0)
      await stores.batches.settle(state.id)
      assert.deepEqual(await stores.batches.listActive(10, now), [])
      assert.equal(await stores.batches.remove(owner.account.id, state.id, now), true)
    })
  })

  describe(`running batches on ${name}`, () => {
    test('an account runs at most as many batches as allowed, also if they start or are retried at the same time', async (t) => {
      const { stores, owner, created, upload, start, find, submit, runNext } = await openSetup(
        t,
        maximum('batchesRunning', 2),
      )
      await upload(rowsOf('a'))
      await start()
      await submit(await find(), 1)
      await runNext('failed')
      const state = await find()
      assert.equal(await stores.batches.complete(state, now + 50), true)
      const others = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const other = batch(owner.workflow)
          await stores.batches.create(other)
          const rows = { id: other.id, upload: Number(await stores.batchItems.beginUpload(other.id, soon)) }
          await stores.batchItems.add(rows, 1, rowsOf('a'), soon.until)
          await stores.batchItems.endUpload(rows, 1)
          return other
        }),
      )
      const begun = await Promise.allSettled([
        stores.batchItems.retry(state, { rowsMax: many, now }),
        ...others.map(({ id }) =>
          stores.batches.changeStatus(owner.account.id, id, ['created'], { status: 'running', at: now }),
        ),
      ])
      assertRefused(begun, 3, { quota: 'batchesRunning', limit: 2 })
      const running = await stores.batches.list(owner.account.id, firstPage, { status: 'running' }, now)
      assert.equal(running.total, 2)
      const isRetried = (await stores.batches.find(owner.account.id, created.id, now))?.status === 'running'
      assert.equal((await find()).counts.pending, isRetried ? 1 : 0, 'a refused retry changes no row')
    })

    test('one process runs a batch at a time, and another one takes over from a lost one', async (t) => {
      const { stores, created, upload, start } = await openSetup(t)
      const claim = (runner: string, at: number) =>
        stores.batches.claim(created.id, runner, { now: at, until: at + 100 })
      assert.equal(await claim('one', now), false, 'it does not run')
      await upload(rowsOf('a'))
      await start()
      assert.deepEqual(
        await Promise.all([claim('one', now), claim('two', now)]).then((all) => all.filter(Boolean).length),
        1,
      )
      const winner = (await claim('one', now)) ? 'one' : 'two'
      const other = winner === 'one' ? 'two' : 'one'
      assert.equal(await claim(winner, now + 50), true)
      assert.equal(await claim(other, now + 120), false)
      assert.equal(await claim(other, now + 151), true)
      await stores.batches.releaseAll(other)
      assert.equal(await claim(winner, now + 152), true)
    })
  })
}

async function rowsOfPage({ parts }: BatchItemPage): Promise<BatchItem[]> {
  return (await Array.fromAsync(parts)).flat()
}

async function keysOfParts(parts: AsyncIterable<BatchItem[]>): Promise<string[]> {
  return (await Array.fromAsync(parts)).map((rows) => rows.map(({ key }) => key).join(''))
}

function rowsOf(...keys: string[]): NewBatchItem[] {
  return keys.map((key) => ({ key, parameters: { headline: key } }))
}

export function batch(of: { accountId: string; id: string }, fields: Partial<Batch> = {}): Batch {
  return {
    id: newId('batch', now),
    accountId: of.accountId,
    workflowId: of.id,
    workflowVersion: 1,
    name: 'Cards',
    defaults: {},
    status: 'created',
    pauseReason: null,
    maxCostMicros: null,
    webhookUrl: null,
    keyId: null,
    total: 0,
    createdAt: now,
    startedAt: null,
    completedAt: null,
    ...fields,
  }
}
