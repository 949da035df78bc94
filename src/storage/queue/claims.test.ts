import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lost } from '../../../test/contract/records.ts'
import { systemClock } from '../../domain/clock.ts'
import type { ExecutionStore } from '../../domain/execution.ts'
import { createExecutionQueue } from './claims.ts'
import { createInProcessNotices } from './in-process-notices.ts'

test('while a slow database counts the waiting executions, a worker does not count again, and its stop waits', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const counts: ((waiting: number) => void)[] = []
  const executions = {
    claimNext: async () => undefined,
    countPending: () => new Promise<number>((resolve) => counts.push(resolve)),
  } as Partial<ExecutionStore> as ExecutionStore
  const queue = createExecutionQueue({
    executions,
    notices: createInProcessNotices({ onError: () => {} }),
    clock: systemClock,
    boundsOf: () => ({ attemptsMax: 1, error: lost }),
    secondsMax: 1,
  })
  const { stop } = await queue.work({ atOnce: 1, run: async () => 'ended', onError: assert.fail })
  await new Promise(setImmediate)
  counts.shift()?.(0)
  t.mock.timers.tick(5_000)
  assert.equal(counts.length, 1)
  let isStopped = false
  const stopped = stop().then(() => {
    isStopped = true
  })
  await new Promise(setImmediate)
  assert.equal(isStopped, false)
  counts.shift()?.(0)
  await stopped
})
