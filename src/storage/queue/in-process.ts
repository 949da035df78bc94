/** The queue of one process: the rows of executions are its entries. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../domain/clock.ts'
import type {
  AttemptBounds,
  Execution,
  ExecutionNotices,
  ExecutionQueue,
  ExecutionStore,
  Meanwhile,
} from '../../domain/execution.ts'
import { limits } from '../../limits.ts'
import { createSlots } from './slots.ts'

interface Dependencies {
  executions: ExecutionStore
  notices: ExecutionNotices
  clock: Clock
  /** Of an execution that was tried before. */
  boundsOf(executionId: string): AttemptBounds
}

/** How long it waits before it looks again after the store failed. */
const retryMs = 1_000

/** How often it looks without being told: for executions that another process records, such as the command line. */
const pollMs = 1_000

export function createInProcessQueue({ executions, notices, clock, boundsOf }: Dependencies): ExecutionQueue {
  return {
    async work({ atOnce, run, onError }) {
      const running = new Set<Promise<void>>()
      const slots = createSlots({ atOnce, awayMax: limits.executionsAwayMax, onRoom: () => take() })
      const stopping = new AbortController()
      /** Nobody takes it away from the only process. */
      const taken = new AbortController().signal
      let claiming: Promise<void> | undefined
      /** Whether one may wait: asking costs a write lock, so nobody asks again until there is a reason. */
      let mayWait = true

      function take(): void {
        claiming ??= claimSome().finally(() => {
          claiming = undefined
        })
      }

      async function claimSome(): Promise<void> {
        try {
          while (!stopping.signal.aborted && mayWait && slots.hasRoom()) {
            mayWait = false
            const execution = await executions.claimNext(clock.now())
            if (execution === undefined) continue
            mayWait = true
            begin(execution)
          }
        } catch (error) {
          onError(error)
          setTimeout(look, retryMs).unref()
        }
      }

      function look(): void {
        mayWait = true
        take()
      }

      function begin(execution: Execution): void {
        const slot = slots.begin()
        const done = runToItsEnd(execution, slot.meanwhile).finally(() => {
          running.delete(done)
          slot.end()
        })
        running.add(done)
      }

      async function runToItsEnd(execution: Execution, meanwhile: Meanwhile): Promise<void> {
        let next: Execution | undefined = execution
        while (next && (await run(next, taken, meanwhile)) === 'again') next = await claimAgain(next.id)
      }

      /** Undefined when it has ended, or is left for the next start. */
      async function claimAgain(executionId: string): Promise<Execution | undefined> {
        while (!stopping.signal.aborted) {
          try {
            const execution = await executions.claim(executionId, clock.now(), boundsOf(executionId))
            if (execution === undefined) notices.send({ kind: 'ended', executionId })
            return execution
          } catch (error) {
            onError(error)
            await pause(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined)
          }
        }
        return undefined
      }

      const stopListening = notices.listen(({ kind }) => {
        if (kind === 'enqueued') look()
      })
      const poll = setInterval(look, pollMs)
      look()

      return {
        async stop() {
          stopping.abort()
          clearInterval(poll)
          stopListening()
          await claiming
          await Promise.all(running)
        },
      }
    },
  }
}
