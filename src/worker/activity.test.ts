import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createFairQueue } from '../domain/fair-queue.ts'
import { createActivity } from './activity.ts'

/** An attempt, and what its row says of whether it is parked. */
function setup(
  t: TestContext,
  {
    isLastAttempt,
    park,
    signal = new AbortController().signal,
  }: { isLastAttempt?: true; park?: () => Promise<boolean>; signal?: AbortSignal } = {},
) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const written: boolean[] = []
  const executions = {
    async park(_id: string, attempt: number, isParked: boolean) {
      assert.equal(attempt, 2)
      await park?.()
      written.push(isParked)
      return true
    },
  }
  const execution = { id: 'exec_1', attempt: 2, ...(isLastAttempt && { isLastAttempt }) }
  const places = createFairQueue({})
  const unparked: unknown[] = []
  const activity = createActivity(execution, places, executions, {
    signal,
    onUnparked: (error) => unparked.push(error),
  })
  const passed = async () => {
    await setImmediate()
    t.mock.timers.tick(100)
    await setImmediate()
  }
  return { activity, places, written, unparked, passed }
}

test('an attempt that waits for a provider is parked until its work continues', async (t) => {
  const { activity, written, passed } = setup(t)
  await activity.start()
  const { promise, resolve } = Promise.withResolvers<string>()
  let answered: string | undefined
  const step = activity.working(async () => {
    answered = await activity.waiting(() => promise)
    assert.deepEqual(written, [true, false])
  })
  await passed()
  assert.deepEqual(written, [true])
  resolve('there')
  await step
  assert.equal(answered, 'there')
})

test('an attempt that works while it waits is not parked, and neither is a short wait', async (t) => {
  const { activity, written, passed } = setup(t)
  const [answer, work] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const asking = activity.working(() => activity.waiting(() => answer.promise))
  const computing = activity.working(() => work.promise)
  await passed()
  assert.deepEqual(written, [])
  work.resolve()
  await computing
  answer.resolve()
  await asking
  await passed()
  assert.deepEqual(written, [])
})

test('a step that starts while the rest waits runs only after the row is updated', async (t) => {
  const waits = Promise.withResolvers<boolean>()
  let writes = 0
  const { activity, written, passed } = setup(t, { park: async () => (writes++ === 0 ? true : waits.promise) })
  void activity.working(() => activity.waiting(() => new Promise(() => {})))
  await passed()
  assert.deepEqual(written, [true])
  let hasRun = false
  const step = activity.working(async () => {
    hasRun = true
  })
  await setImmediate()
  assert.equal(hasRun, false)
  waits.resolve(true)
  await step
  assert.deepEqual([hasRun, written], [true, [true, false]])
})

test('a response that arrives after the end of the attempt was requested is not lost, and neither is an error', async (t) => {
  const ending = new AbortController()
  const { activity, written, passed } = setup(t, { signal: ending.signal })
  await activity.start()
  const [answer, failure] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  const answered = activity.working(() => activity.waiting(() => answer.promise))
  const failed = activity.working(() => activity.waiting(() => failure.promise))
  await passed()
  assert.deepEqual(written, [true])
  ending.abort(new Error('the process ends'))
  answer.resolve('paid for')
  assert.equal(await answered, 'paid for')
  failure.reject(new Error('rejected the content'))
  await assert.rejects(failed, /rejected the content/)
})

test('reports that a waiting attempt could not be parked, and its work continues', async (t) => {
  let writes = 0
  const lost = new Error('no connection')
  const { activity, written, unparked, passed } = setup(t, {
    async park() {
      writes += 1
      if (writes === 1) throw lost
      return true
    },
  })
  await activity.start()
  const { promise, resolve } = Promise.withResolvers<string>()
  const step = activity.working(() => activity.waiting(() => promise))
  await passed()
  assert.deepEqual([unparked, written], [[lost], []])
  resolve('there')
  assert.equal(await step, 'there')
  assert.deepEqual(written, [false])
})

test('retries a failed write before work starts', async (t) => {
  let writes = 0
  const { activity, written, passed } = setup(t, {
    async park() {
      writes += 1
      if (writes === 2) throw new Error('no connection')
      return true
    },
  })
  void activity.working(() => activity.waiting(() => new Promise(() => {})))
  await passed()
  const step = activity.working(async () => 'done')
  await setImmediate()
  t.mock.timers.tick(1_000)
  await setImmediate()
  assert.equal(await step, 'done')
  assert.deepEqual(written, [true, false])
})

test('the last attempt is parked while it waits for its place, and leaves the place to others', async (t) => {
  const { activity, places, written, passed } = setup(t, { isLastAttempt: true })
  const leave = await places.enter({})
  const started = activity.start()
  await passed()
  assert.deepEqual(written, [])
  leave()
  await started
  assert.deepEqual(written, [false])
  assert.equal(places.tryEnter({}), undefined)
  void activity.working(() => activity.waiting(() => new Promise(() => {})))
  await passed()
  assert.ok(places.tryEnter({}))
  activity.end()
})

test('an attempt that must wait for a suspect is parked until its place', async (t) => {
  const { activity, places, written } = setup(t)
  const leave = await places.enter({ isAlone: true })
  const started = activity.start()
  await setImmediate()
  assert.deepEqual(written, [true])
  leave()
  await started
  assert.deepEqual(written, [true, false])
})
