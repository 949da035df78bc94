import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BatchState } from '../../domain/batches/batch.ts'
import type { BatchItem } from '../../domain/batches/batch-item.ts'
import { createEventStreams } from '../event-streams.ts'
import { createBatchEvents } from './events.ts'

const request = { last: 0, signal: new AbortController().signal, requestId: 'req_1' }

test('a stream sends the last rows before the end, although the database did not respond when the batch ended', async () => {
  const row = { row: 1, key: 'a', endedAt: 500 } as BatchItem
  const counts = { pending: 0, running: 0, completed: 1, failed: 0, cancelled: 0 }
  const batch = { accountId: 'acc', id: 'batch', status: 'completed', counts } as BatchState
  let reads = 0
  const events = createBatchEvents({
    batches: { find: async () => batch },
    items: {
      async readEnded(_batch, { endedAt }) {
        reads += 1
        if (reads === 1) throw new Error('the database does not respond')
        return endedAt < 500 ? [row] : []
      },
    },
    streams: createEventStreams(1),
    clock: { now: () => 1_000 },
    onError: () => undefined,
    lookMs: 1,
  })
  const received: unknown[] = []
  for await (const part of await events.follow('acc', 'batch', request)) received.push(...part)
  assert.deepEqual(received, [
    { id: 0, kind: 'batch', batch },
    { id: 500, kind: 'item', item: row },
  ])
})

for (const [name, isBroken] of [
  ['rows', 'items'],
  ['batch', 'batches'],
] as const) {
  test(`a stream whose ${name} can't be read for a while is logged twice, and ends`, async () => {
    const batch = { accountId: 'acc', id: 'batch', status: 'running', counts: {} } as BatchState
    const streams = createEventStreams(1)
    const logged: unknown[] = []
    let finds = 0
    const away = new Error('the database does not respond')
    const events = createBatchEvents({
      batches: {
        async find() {
          finds += 1
          if (isBroken === 'batches' && finds > 1) throw away
          return batch
        },
      },
      items: {
        async readEnded() {
          if (isBroken === 'items') throw away
          return []
        },
      },
      streams,
      clock: { now: () => 1_000 },
      onError: (...all) => logged.push(all),
      lookMs: 1,
    })
    const received = await Array.fromAsync(await events.follow('acc', 'batch', request))
    assert.deepEqual(received, [[{ id: 0, kind: 'batch', batch }]])
    const facts = { requestId: 'req_1', batchId: 'batch' }
    assert.deepEqual(logged, [
      [away, { ...facts, isEnd: false }],
      [away, { ...facts, isEnd: true }],
    ])
    streams.enter('acc', request.signal)()
  })
}

test('a request for the status waits until the batch has ended, its time is over, its client has gone or the service shuts down', async () => {
  let batch = { accountId: 'acc', id: 'batch', status: 'running', counts: {} } as BatchState
  const streams = createEventStreams(1)
  const events = createBatchEvents({
    batches: { find: async () => batch },
    items: { readEnded: () => assert.fail('no row is needed') },
    streams,
    clock: { now: () => 1_000 },
    onError: () => assert.fail('nothing fails'),
    lookMs: 1,
  })
  const wait = (signal = request.signal, seconds = 60) => events.ended('acc', 'batch', { seconds, signal })
  await wait(request.signal, 0.001)
  const client = new AbortController()
  const left = wait(client.signal)
  await assert.rejects(wait(), { code: 'rate_limited' })
  client.abort()
  await left
  const waiting = wait()
  batch = { ...batch, status: 'completed' }
  await waiting
  batch = { ...batch, status: 'running' }
  const last = wait()
  events.close()
  await last
  streams.enter('acc', request.signal)()
})
