import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lost } from '../../../test/contract/records.ts'
import { systemClock } from '../../domain/clock.ts'
import type { Execution, ExecutionStore } from '../../domain/executions/execution.ts'
import { createExecutionQueue } from './claims.ts'
import { createInProcessNotices } from './in-process-notices.ts'

test('while a slow database counts the waiting executions, a worker does not count again, and its stop waits', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const counts: ((waiting: number) => void)[] = []
  const queue = queueOf({
    claimNext: async () => undefined,
    countPending: () => new Promise<number>((resolve) => counts.push(resolve)),
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

test('the spare slot is taken immediately, also while an account has filled the others and waits for more', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  const pending = ['a1', 'a2', 'a3'].map((id) => execution('a', id))
  const queue = queueOf({
    claimNext: async (_now: number, { except = [] }: { except?: readonly string[] }) => {
      const at = pending.findIndex(({ accountId }) => !except.includes(accountId))
      return at < 0 ? undefined : pending.splice(at, 1)[0]
    },
    countPending: async () => pending.length,
    // Others wait, so it does not start immediately.
    create: async (created: Execution) => {
      pending.push(created)
      return created
    },
  })
  const started: string[] = []
  const ends: (() => void)[] = []
  const run = ({ id }: Execution) => {
    started.push(id)
    return new Promise<'ended'>((resolve) => ends.push(() => resolve('ended')))
  }
  const { stop } = await queue.work({ atOnce: 2, run, onError: assert.fail })
  await turns()
  assert.deepEqual(started, ['a1', 'a2'])
  await queue.add(execution('b', 'b1'))
  await turns()
  assert.deepEqual(started, ['a1', 'a2', 'b1'])
  for (const end of ends) end()
  await turns()
  for (const end of ends) end()
  await stop()
})

function queueOf(executions: Partial<ExecutionStore>) {
  return createExecutionQueue({
    executions: executions as ExecutionStore,
    notices: createInProcessNotices({ onError: () => {} }),
    clock: systemClock,
    boundsOf: () => ({ attemptsMax: 1, error: lost }),
    secondsMax: 1,
  })
}

const execution = (accountId: string, id: string) => ({ id, accountId, attempt: 1, status: 'pending' }) as Execution

async function turns(): Promise<void> {
  for (let i = 0; i < 5; i += 1) await new Promise(setImmediate)
}
