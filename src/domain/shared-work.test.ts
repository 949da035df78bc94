import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairQueue } from './fair-queue.ts'
import { createSharedWork, type WaitingWork } from './shared-work.ts'

const abandoned = new Error('abandoned')

/** Work that waits for the only slot of a queue, which is taken. */
async function setup() {
  const queue = createFairQueue({ slots: 1 })
  const free = await queue.enter({})
  const shared = createSharedWork<string>(abandoned)
  let runs = 0
  const start = ({ signal, begin }: WaitingWork) =>
    queue.run({ signal }, async () => {
      begin()
      runs += 1
      return `result ${runs}`
    })
  return { queue, free, shared, start, runs: () => runs }
}

test('callers of one key share the work, and the next one after its end starts it again', async () => {
  const { free, shared, start } = await setup()
  const both = [shared.join('a', undefined, start), shared.join('a', undefined, start)]
  free()
  assert.deepEqual(await Promise.all(both), ['result 1', 'result 1'])
  assert.equal(await shared.join('a', undefined, start), 'result 2')
})

test('work whose callers have all gone leaves its queue, and work that one still waits for runs', async () => {
  const { queue, free, shared, start, runs } = await setup()
  const clients = [new AbortController(), new AbortController(), new AbortController()] as const
  const [gone, alsoGone, stays] = [
    shared.join('a', clients[0].signal, start),
    shared.join('a', clients[1].signal, start),
    shared.join('b', clients[2].signal, start),
  ]
  clients[0].abort(new Error('gone'))
  await assert.rejects(gone, /gone/)
  assert.equal(queue.waiting(), 2)
  clients[1].abort(new Error('gone'))
  await assert.rejects(alsoGone, /gone/)
  assert.equal(queue.waiting(), 1)
  const later = shared.join('a', undefined, start)
  free()
  assert.deepEqual(await Promise.all([stays, later]), ['result 1', 'result 2'])
  assert.equal(runs(), 2)
})

test('work that has started continues without callers, and a later one gets its result', async () => {
  const shared = createSharedWork<string>(abandoned)
  const end = Promise.withResolvers<string>()
  const client = new AbortController()
  const first = shared.join('a', client.signal, ({ begin }) => {
    begin()
    return end.promise
  })
  client.abort(new Error('gone'))
  await assert.rejects(first, /gone/)
  const later = shared.join('a', undefined, () => assert.fail('started again'))
  end.resolve('done')
  assert.equal(await later, 'done')
})
