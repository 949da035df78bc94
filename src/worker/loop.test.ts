import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { execution, workflow } from '../../test/contract/records.ts'
import { systemClock } from '../domain/clock.ts'
import type { ExecutionStore } from '../domain/executions/execution.ts'
import type { ExecutionNotice } from '../domain/executions/execution-notice.ts'
import type { ExecutionQueue } from '../domain/executions/execution-queue.ts'
import { createFairQueue } from '../domain/fair-queue.ts'
import { startWorker } from './loop.ts'

type Run = Parameters<ExecutionQueue['work']>[0]['run']

test('a check of running executions that fails is reported once, and stops none of them', async (t) => {
  const away = new Error('the database is away')
  let checks = 0
  const executions: Partial<ExecutionStore> = {
    async whichRun() {
      checks += 1
      throw away
    },
  }
  const running = Promise.withResolvers<AbortSignal>()
  const end = Promise.withResolvers<void>()
  const started = Promise.withResolvers<Run>()
  const listeners: ((notice: ExecutionNotice) => void)[] = []
  const errors: unknown[] = []
  const worker = await startWorker({
    queue: {
      add: () => assert.fail(),
      async work({ run }) {
        started.resolve(run)
        return { begin: () => assert.fail(), stop: () => end.promise }
      },
    },
    executions: executions as ExecutionStore,
    notices: {
      send() {},
      listen(listener) {
        listeners.push(listener)
        return () => {}
      },
    },
    async perform(_execution, { signal }) {
      running.resolve(signal)
      await end.promise
    },
    runningMax: 1,
    places: createFairQueue({}),
    clock: systemClock,
    onError: () => assert.fail(),
    onUnchecked: (error) => errors.push(error),
    onUnparked: () => assert.fail(),
  })
  t.after(() => worker.stop(1))
  const run = await started.promise
  const claimed = execution(workflow({ accountId: 'acct_1', projectId: 'proj_1' }), { status: 'running', attempt: 1 })
  const outcome = run(claimed, new AbortController().signal, {
    yieldSlot: () => assert.fail(),
    whileDownloading: () => assert.fail(),
    end() {},
  })
  const signal = await running.promise
  for (let i = 1; i <= 3; i += 1) {
    for (const listener of listeners) listener({ kind: 'missed' })
    await setImmediate()
    assert.equal(checks, i)
  }
  assert.deepEqual([errors, signal.aborted], [[away], false])
  end.resolve()
  assert.equal(await outcome, 'ended')
})
