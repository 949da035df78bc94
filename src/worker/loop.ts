/** Takes executions from the queue, as many at once as it may, until it is stopped. */
import type { Clock } from '../domain/clock.ts'
import type { Execution, ExecutionNotices, ExecutionStore } from '../domain/execution.ts'
import { failure } from '../errors.ts'
import type { Perform } from './perform.ts'

export interface Worker {
  /** Takes no more; waits for what runs, at most so long; gives the rest back to the queue, to run after the next start. */
  stop(graceSeconds: number): Promise<void>
}

interface Dependencies {
  executions: ExecutionStore
  notices: ExecutionNotices
  perform: Perform
  clock: Clock
  runningMax: number
  /** A fault of the loop itself: the store did not answer, say. */
  onError(error: unknown): void
}

/** How long it waits before it looks again after the store failed. */
const retryMs = 1_000

/** How often it looks without being told: for executions that another process records, such as the command line. */
const pollMs = 1_000

/** The reason with which a shutdown aborts: no fault of the execution, so nothing is recorded. */
class ShuttingDown extends Error {}

export function startWorker({ executions, notices, perform, clock, runningMax, onError }: Dependencies): Worker {
  const running = new Map<string, { controller: AbortController; done: Promise<void> }>()
  let stopping = false
  let claiming = false
  /** Whether one may wait: asking costs a write lock, so nobody asks again until there is a reason. */
  let mayWait = true

  async function take(): Promise<void> {
    if (claiming) return
    claiming = true
    try {
      while (!stopping && mayWait && running.size < runningMax) {
        mayWait = false
        const execution = await executions.claimNext(clock.now())
        if (execution === undefined) continue
        mayWait = true
        begin(execution)
      }
    } catch (error) {
      onError(error)
      setTimeout(look, retryMs).unref()
    } finally {
      claiming = false
    }
  }

  function look(): void {
    mayWait = true
    void take()
  }

  function begin(execution: Execution): void {
    const controller = new AbortController()
    const done = perform(execution, controller.signal)
      .catch(async (error) => {
        if (error instanceof ShuttingDown) await executions.release(execution.id, execution.attempt)
        else onError(error)
      })
      .catch(onError)
      .finally(() => {
        running.delete(execution.id)
        notices.send({ kind: 'ended', executionId: execution.id })
        void take()
      })
    running.set(execution.id, { controller, done })
  }

  const stopListening = notices.listen((notice) => {
    if (notice.kind === 'enqueued') look()
    if (notice.kind === 'cancelled') {
      running.get(notice.executionId)?.controller.abort(failure('cancelled', 'The execution was cancelled.'))
    }
  })
  const poll = setInterval(look, pollMs)
  look()

  return {
    async stop(graceSeconds) {
      stopping = true
      clearInterval(poll)
      const all = () => Promise.all([...running.values()].map(({ done }) => done))
      await Promise.race([all(), pause(graceSeconds * 1000)])
      for (const { controller } of running.values()) controller.abort(new ShuttingDown('shutting down'))
      await all()
      stopListening()
    },
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((settle) => setTimeout(settle, ms).unref())
}
