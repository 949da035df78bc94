import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/harness/wait.ts'
import type { BatchState } from '../../domain/batches/batch.ts'
import type { WaitingItem } from '../../domain/batches/batch-item.ts'
import { systemClock } from '../../domain/clock.ts'
import { Fault } from '../../errors.ts'
import { startBatches } from './batches.ts'

test('rows that cannot be recorded keep no others waiting, and their errors are reported once', async (t) => {
  const batch = { id: 'batch_1', accountId: 'acct_1', workflowId: 'wf_1', status: 'running', upload: 1, keyId: null }
  const stuck = 8
  const left = new Set(Array.from({ length: 30 }, (_, i) => i + 1))
  const errors: unknown[] = []
  const lost = new Error('a value that the database refuses')
  const runner = startBatches({
    batches: {
      listActive: async () => [batch as BatchState],
      countWorkers: async () => 1,
      claim: async () => true,
      openExecutions: async () => [],
      releaseAll: async () => {},
    } as never,
    items: {
      nextWaiting: async (_batch: unknown, count: number) =>
        [...left].slice(0, count).map((row) => ({ row, key: '', parameters: {}, resumedFrom: null }) as WaitingItem),
    } as never,
    accounts: { find: async () => ({ plan: 'pro' }) as never },
    versionCache: { get: () => Promise.reject(new Fault('workflow_failed', 'the document is not valid now')) },
    executions: { cancel: () => assert.fail() },
    queue: {
      async add(execution, { batchItem } = {}) {
        const row = batchItem?.row ?? 0
        if (row <= stuck) throw lost
        left.delete(row)
        return execution
      },
    },
    notices: { listen: () => () => {} },
    clock: systemClock,
    runner: 'one',
    slots: 2,
    waitingMax: 1_000,
    disk: { require: async () => {} },
    onError: (error) => errors.push(error),
  })
  t.after(() => runner.stop())
  await until('the other rows to be recorded', async () => left.size === stuck || undefined)
  assert.deepEqual(errors, [lost])
})
