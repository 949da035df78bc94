import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventStream, lastEventId } from './event-stream.ts'

test('the time to reconnect is in the block of the first event', async () => {
  async function* parts() {
    yield [{ id: 4, event: 'snapshot', data: { a: 1 } }]
    yield []
  }
  const pieces = await Array.fromAsync(eventStream(parts()))
  const blocks = Buffer.concat(pieces).toString().split('\n\n')
  assert.deepEqual(blocks, ['retry: 2000\nid: 4\nevent: snapshot\ndata: {"a":1}', ': keep-alive', ''])
})

test('an empty Last-Event-ID has no effect, and other texts that are not an id are refused', () => {
  assert.equal(lastEventId('', undefined), undefined)
  assert.deepEqual(lastEventId('', 3), { id: 3, path: 'after' })
  assert.deepEqual(lastEventId('7', 3), { id: 7, path: 'Last-Event-ID' })
  for (const header of ['x', '-1', '1.5', ' ', '1e3'])
    assert.throws(() => lastEventId(header, undefined), /Last-Event-ID/)
})
