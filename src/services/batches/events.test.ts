import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BatchState } from '../../domain/batch.ts'
import type { BatchItem } from '../../domain/batch-item.ts'
import { createEventStreams } from '../event-streams.ts'
import { createBatchEvents } from './events.ts'

test('a stream sends the last rows before the end, although the database did not respond when the batch ended', async () => {
  const row = { row: 1, key: 'a', endedAt: 500 } as BatchItem
  const counts = { pending: 0, running: 0, completed: 1, failed: 0, cancelled: 0 }
  const batch = { accountId: 'acc', id: 'batch', status: 'completed', counts } as BatchState
  let reads = 0
  const events = createBatchEvents({
    batches: { find: async () => batch },
    items: {
      async readEnded() {
        reads += 1
        if (reads === 1) throw new Error('the database does not respond')
        return [row]
      },
    },
    streams: createEventStreams(1),
    clock: { now: () => 1_000 },
    lookMs: 1,
  })
  const received: unknown[] = []
  for await (const part of await events.follow('acc', 'batch', 0, new AbortController().signal)) received.push(...part)
  assert.deepEqual(received, [
    { id: 0, kind: 'batch', batch },
    { id: 500, kind: 'item', item: row },
  ])
})
