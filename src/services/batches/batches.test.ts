import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BatchStatus } from '../../domain/batches/batch.ts'
import { createBatches } from './batches.ts'

/** A batch that another request changes to `then` between the check of its status and the change. */
function open(first: BatchStatus, then: BatchStatus) {
  let status = first
  return createBatches({
    clock: { now: () => 1 },
    batches: {
      find: async () => ({ id: 'batch_1', status, startedAt: 1 }),
      changeStatus: async () => {
        status = then
        return false
      },
    },
    onActive: () => assert.fail('this request has changed nothing'),
  } as unknown as Parameters<typeof createBatches>[0])
}

test('a change that another request makes at the same time has no effect, and is not an error', async () => {
  assert.equal((await open('running', 'cancelled').cancel('acct_1', 'batch_1')).status, 'cancelled')
  assert.equal((await open('running', 'paused').pause('acct_1', 'batch_1')).status, 'paused')
  await assert.rejects(open('running', 'completed').cancel('acct_1', 'batch_1'), /completed/)
})
