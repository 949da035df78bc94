import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { Execution } from '../../src/domain/executions/execution.ts'
import type { ExecutionNotices } from '../../src/domain/executions/execution-notice.ts'
import type { ExecutionQueue } from '../../src/domain/executions/execution-queue.ts'
import type { Stores } from '../../src/storage/database/open.ts'
import { remains, until } from '../harness/wait.ts'
import { execution, ids, refused, success, tenant } from './records.ts'

export const attemptsMax = 3

interface Opened {
  stores: Stores
  notices: ExecutionNotices
  /** Another process on the same executions. */
  newQueue(): ExecutionQueue
  close(): Promise<void>
}

type Run = Parameters<ExecutionQueue['work']>[0]['run']

/** `isOne`: no other process claims. */
export function queueContract(name: string, open: () => Promise<Opened>, { isOne = false } = {}): void {
  async function openSetup(t: TestContext) {
    const { stores, notices, newQueue, close } = await open()
    const workers: { stop(): Promise<void> }[] = []
    t.after(async () => {
      await Promise.all(workers.map((each) => each.stop()))
      await close()
    })
    const { executions } = stores
    const { workflow, account } = await tenant(stores)
    const started: Execution[] = []
    return {
      executions,
      /** Every execution each time that it was handed to a worker. */
      started,
      find: (id: string) => executions.find(account.id, id),
      async add(fields: Partial<Execution> = {}) {
        const created = execution(workflow, fields)
        await executions.create(created)
        notices.send({ kind: 'enqueued' })
        return created
      },
      execution: (fields: Partial<Execution> = {}) => execution(workflow, fields),
      newQueue,
      finish: async (claimed: Execution): Promise<'ended'> => {
        assert.equal(await executions.complete(claimed.id, claimed.attempt, success(claimed)), true)
        return 'ended'
      },
      async work(atOnce: number, run: Run, queue = newQueue()) {
        const worker = await queue.work({
          atOnce,
          run(claimed, taken, slot) {
            started.push(claimed)
            return run(claimed, taken, slot)
          },
          onError: (error) => assert.fail(error as Error),
        })
        workers.push(worker)
        return worker
      },
    }
  }

  const timesOf = (started: Execution[], id: string) => started.filter((each) => each.id === id).length

  describe(`the queue ${name}`, () => {
    test('an execution that waits for others lets the next one start, and continues when that has ended', async (t) => {
      const { started, add, work, finish } = await openSetup(t)
      const response = Promise.withResolvers<void>()
      const order: string[] = []
      const end = async (claimed: Execution) => {
        order.push(claimed.id)
        return finish(claimed)
      }
      const first = await add()
      const second = await add()
      await work(1, async (claimed, _taken, { yieldSlot }) => {
        if (claimed.id === first.id) await yieldSlot(() => response.promise)
        // The second runs while the first waits, and has the only slot.
        else response.resolve()
        return end(claimed)
      })
      await until('both', async () => order.length === 2 || undefined)
      assert.deepEqual(ids(started), [first.id, second.id])
      const third = await add()
      await until('the third', async () => order.length === 3 || undefined)
      assert.equal(order[2], third.id)
    })

    for (const left of ['storing', 'recording'] as const) {
      const leaves = left === 'storing' || isOne
      test(`executions that are only ${left} ${leaves ? 'leave their slots, as many as there are slots' : 'keep their slots'}`, async (t) => {
        const { started, add, work, finish } = await openSetup(t)
        const atOnce = 2
        const all = await Promise.all(Array.from({ length: 6 * atOnce }, () => add()))
        const recorded = Promise.withResolvers<void>()
        await work(atOnce, async (claimed, _taken, slot) => {
          slot.end(left, 1)
          await recorded.promise
          return finish(claimed)
        })
        const inAll = leaves ? 2 * atOnce : atOnce
        await until('those that may start', async () => started.length >= inAll || undefined)
        await remains('the others wait', () => started.length === inAll, 5)
        recorded.resolve()
        await until('the last', async () => started.length === all.length || undefined)
      })
    }

    test('executions reach a worker as claimed, recorded before or after its start', async (t) => {
      const { started, add, work, finish } = await openSetup(t)
      const before = await add()
      await work(1, finish)
      await until('the first', async () => started.length === 1 || undefined)
      const after = await add()
      await until('the second', async () => started.length === 2 || undefined)
      assert.deepEqual(ids(started), [before.id, after.id])
      assert.deepEqual(
        started.map(({ status, attempt }) => [status, attempt]),
        [
          ['running', 1],
          ['running', 1],
        ],
      )
    })

    test('an execution that is added where a slot is free starts there, and else waits', async (t) => {
      const { started, execution, work, newQueue, finish, find } = await openSetup(t)
      const queue = newQueue()
      const [first, second] = [execution(), execution({ createdAt: 20 })]
      assert.equal((await queue.add(first)).status, 'pending')
      const go = Promise.withResolvers<void>()
      const run = async (claimed: Execution) => {
        await go.promise
        return finish(claimed)
      }
      await work(1, run, queue)
      await until('the first', async () => started.length === 1 || undefined)
      assert.equal((await queue.add(second)).status, 'pending')
      go.resolve()
      await until('the second', async () => (await find(second.id))?.status === 'completed' || undefined)
      assert.deepEqual(ids(started), [first.id, second.id])
      // The slot of an execution is free a moment after its end.
      const isStarted = async () => {
        const { id, status } = await queue.add(execution({ createdAt: 30 }))
        await until('its end', async () => (await find(id))?.status === 'completed' || undefined)
        return status === 'running' || undefined
      }
      await until('one starts as it is added', isStarted)
    })

    test('an execution that was recorded without a response to it is executed', async (t) => {
      const { executions, execution, work, newQueue, finish, find } = await openSetup(t)
      const create = executions.create.bind(executions)
      t.mock.method(executions, 'create', async (...args: Parameters<typeof create>) => {
        await create(...args)
        throw new Error('The response was lost.')
      })
      const queue = newQueue()
      await work(1, finish, queue)
      const created = execution()
      await assert.rejects(queue.add(created), /lost/)
      await until('its end', async () => (await find(created.id))?.status === 'completed' || undefined)
    })

    test('an execution that cannot be recorded leaves its slot to the next one', async (t) => {
      const { started, add, execution, work, newQueue, finish } = await openSetup(t)
      const queue = newQueue()
      const created = execution()
      await work(1, finish, queue)
      await queue.add(created)
      await until('the first', async () => started.length === 1 || undefined)
      for (let i = 0; i < 3; i++) await assert.rejects(queue.add(created))
      await add({ createdAt: 20 })
      await until('the next', async () => started.length === 2 || undefined)
    })

    test('each execution goes to one of several workers once, and no worker has more than its concurrency', async (t) => {
      const { started, add, work, finish } = await openSetup(t)
      const created = await Promise.all(Array.from({ length: 30 }, () => add()))
      const most = [0, 0]
      for (const i of [0, 1]) {
        let running = 0
        await work(3, async (claimed) => {
          most[i] = Math.max(most[i] ?? 0, ++running)
          // Others start meanwhile.
          await remains('it runs', () => running > 0, 1)
          running--
          return finish(claimed)
        })
      }
      await until('all', async () => started.length >= created.length || undefined)
      assert.deepEqual(ids(started).toSorted(), ids(created).toSorted())
      assert.ok(Math.max(...most) <= 3, String(most))
    })

    test('an execution to retry starts as the next attempt, until it has too many attempts', async (t) => {
      const { executions, started, add, work, find } = await openSetup(t)
      const created = await add()
      await work(2, async ({ id, attempt }) => {
        // As a worker does at the start: the last attempt is parked until then.
        await executions.park(id, attempt, false)
        return 'again'
      })
      await until('the end', async () => (await find(created.id))?.status === 'failed' || undefined)
      assert.deepEqual(
        started.map(({ attempt }) => attempt),
        Array.from({ length: attemptsMax }, (_, i) => i + 1),
      )
    })

    test('an execution that ends with its second attempt does not start a third time', async (t) => {
      const { started, add, work, finish, find } = await openSetup(t)
      const created = await add()
      await work(2, async (each) => (each.attempt === 1 ? 'again' : finish(each)))
      const last = await add({ createdAt: created.createdAt + 1 })
      await until('both', async () => (await find(last.id))?.status === 'completed' || undefined)
      await until('the first', async () => (await find(created.id))?.status === 'completed' || undefined)
      assert.equal(timesOf(started, created.id), 2)
    })

    test('an execution that was cancelled while it waited does not start', async (t) => {
      const { executions, started, add, work, finish } = await openSetup(t)
      const cancelled = await add({ createdAt: 1 })
      const other = await add({ createdAt: 2 })
      await executions.cancel(cancelled.id, { error: refused, completedAt: 3 })
      await work(1, finish)
      await until('the other', async () => started.length > 0 || undefined)
      assert.deepEqual(ids(started), [other.id])
    })

    test('a stopped worker ends its executions and accepts no more, and the next worker gets those', async (t) => {
      const { started, add, work, finish, find } = await openSetup(t)
      const [first, second] = [await add({ createdAt: 1 }), await add({ createdAt: 2 })]
      const finished = Promise.withResolvers<void>()
      const worker = await work(1, async (claimed) => {
        await finished.promise
        return finish(claimed)
      })
      await until('the first', async () => started.length === 1 || undefined)
      const stopped = worker.stop()
      finished.resolve()
      await stopped
      assert.equal((await find(first.id))?.status, 'completed')
      assert.deepEqual([(await find(second.id))?.status, ids(started)], ['pending', [first.id]])
      await work(1, finish)
      await until('the second', async () => (await find(second.id))?.status === 'completed' || undefined)
      assert.equal(timesOf(started, first.id), 1)
    })

    test('an execution that was given back starts before new ones, however old they are', async (t) => {
      const { executions, started, add, work, finish } = await openSetup(t)
      const first = await add({ createdAt: 5 })
      const returnSlot = Promise.withResolvers<void>()
      const worker = await work(1, async ({ id, attempt }) => {
        await returnSlot.promise
        assert.equal(await executions.release(id, attempt, 25), true)
        return 'again'
      })
      await until('it runs', async () => started.length === 1 || undefined)
      const stopped = worker.stop()
      returnSlot.resolve()
      await stopped
      const fresh = await add({ createdAt: 1 })
      await work(1, finish)
      await until('both', async () => started.length === 3 || undefined)
      assert.deepEqual(ids(started), [first.id, first.id, fresh.id])
    })

    test('an execution that a stopping worker gives back goes to another worker, and the attempt does not count', async (t) => {
      const { executions, started, add, work, finish, find } = await openSetup(t)
      const created = await add()
      for (let i = 1; i <= attemptsMax + 1; i++) {
        const returnSlot = Promise.withResolvers<void>()
        const worker = await work(1, async ({ id, attempt }) => {
          await returnSlot.promise
          assert.equal(await executions.release(id, attempt, 25), true)
          return 'again'
        })
        await until('it runs', async () => started.length === i || undefined)
        const stopped = worker.stop()
        returnSlot.resolve()
        await stopped
      }
      await work(1, finish)
      await until('its end', async () => (await find(created.id))?.status === 'completed' || undefined)
    })
  })
}
