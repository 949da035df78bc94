import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccountQueues } from './account-queues.ts'

const never = new AbortController().signal

/** Work that ends on request, or with its signal. */
function holdingJob(signal = never) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const state = { hasStarted: false }
  signal.addEventListener('abort', () => reject(signal.reason))
  const work = () => {
    state.hasStarted = true
    return promise
  }
  return { work, state, end: () => resolve('done') }
}

test('an account at its limit waits, and no other account does', async () => {
  const queues = createAccountQueues(2)
  const ownJobs = [holdingJob(), holdingJob(), holdingJob()]
  const results = ownJobs.map(({ work }) => queues.run('a', never, work))
  assert.equal(await queues.run('b', never, async () => 'other'), 'other')
  assert.deepEqual(
    ownJobs.map(({ state }) => state.hasStarted),
    [true, true, false],
  )
  ownJobs[0]?.end()
  assert.equal(await results[0], 'done')
  for (const each of ownJobs) each.end()
  assert.deepEqual(await Promise.all(results), ['done', 'done', 'done'])
})

test('with a limit for all accounts, they take turns', async () => {
  const queues = createAccountQueues(1, 1)
  const order: string[] = []
  const work = (name: string) => async () => {
    order.push(name)
  }
  const runs = [
    queues.run('a', never, work('a1')),
    queues.run('a', never, work('a2')),
    queues.run('b', never, work('b1')),
  ]
  await Promise.all(runs)
  assert.deepEqual(order, ['a1', 'b1', 'a2'])
})

test('cancelled waiting work never starts, and cancelled running work makes room', async () => {
  const queues = createAccountQueues(1)
  const cancel = new AbortController()
  const [first, second, third] = [holdingJob(cancel.signal), holdingJob(), holdingJob()]
  const running = queues.run('a', cancel.signal, first.work)
  const waiting = queues.run('a', cancel.signal, second.work)
  const next = queues.run('a', never, third.work)
  third.end()
  cancel.abort(new Error('enough'))
  await assert.rejects(running, /enough/)
  await assert.rejects(waiting, /enough/)
  assert.equal(await next, 'done')
  assert.equal(second.state.hasStarted, false)
  await assert.rejects(queues.run('a', cancel.signal, second.work), /enough/)
})

test('work that fails makes room, too', async () => {
  const queues = createAccountQueues(1)
  const failing = queues.run('a', never, () => Promise.reject(new Error('failed')))
  const next = queues.run('a', never, async () => 'done')
  await assert.rejects(failing, /failed/)
  assert.equal(await next, 'done')
})
