/** Requests that wait for the end of an execution, which any process may run. */
import { withGrace } from '../../domain/abortable.ts'
import { type Execution, isTerminal } from '../../domain/executions/execution.ts'
import type { ExecutionNotices } from '../../domain/executions/execution-notice.ts'

export interface ExecutionWaits {
  /**
   * Returns the execution once it has ended, or its current state after `seconds`. Returns the given one if the signal aborts.
   */
  wait(execution: Execution, seconds: number, signal?: AbortSignal): Promise<Execution>
  /** An execution is being recorded. Returns a function to call when that is done: a caller that waits in the same turn reads nothing. */
  recording(executionId: string): () => void
  /** Lets waiting callers wait for at most this time, then answers each with the current state. */
  drain(graceSeconds: number): Promise<void>
}

interface Dependencies {
  find(accountId: string, id: string): Promise<Execution>
  notices: ExecutionNotices
}

/** Interval of reading in case a notice was lost. */
const safetyPollMs = 5_000

export function createExecutionWaits({ find, notices }: Dependencies): ExecutionWaits {
  /** Executions that were recorded in this turn of the event loop, by id, and whether they have ended. */
  const justRecorded = new Map<string, boolean>()
  notices.listen((notice) => {
    if (notice.kind === 'missed') justRecorded.clear()
    if (notice.kind === 'ended' && justRecorded.has(notice.executionId)) justRecorded.set(notice.executionId, true)
  })

  const waiting = new Set<{ responded: Promise<Execution>; respond(): void }>()

  return {
    wait(execution, seconds, signal) {
      const { accountId, id } = execution
      const { promise: responded, resolve, reject } = Promise.withResolvers<Execution>()
      const respond = () => void find(accountId, id).then(resolve, reject)
      const look = async () => {
        const now = await find(accountId, id)
        if (isTerminal(now.status)) resolve(now)
      }
      // An error is not reported: the next look tries again, and the last one, `respond`, rejects with its error.
      const lookAgain = () => void look().catch(() => undefined)
      const leave = () => resolve(execution)

      const stopListening = notices.listen((notice) => {
        if (notice.kind === 'ended' && notice.executionId === id) {
          if (notice.outcome) resolve({ ...execution, ...notice.outcome })
          else respond()
        }
        if (notice.kind === 'missed') lookAgain()
      })
      const timer = setTimeout(respond, seconds * 1000)
      const safety = setInterval(lookAgain, safetyPollMs)
      signal?.addEventListener('abort', leave)
      const waiter = { responded, respond }
      waiting.add(waiter)
      if (signal?.aborted) leave()
      // It may have ended before the listener was registered.
      else if (justRecorded.get(id) !== false) look().catch(reject)

      return responded.finally(() => {
        waiting.delete(waiter)
        stopListening()
        clearTimeout(timer)
        clearInterval(safety)
        signal?.removeEventListener('abort', leave)
      })
    },

    recording(executionId) {
      justRecorded.set(executionId, false)
      return () => void setImmediate(() => justRecorded.delete(executionId))
    },

    async drain(graceSeconds) {
      await withGrace(Promise.allSettled([...waiting].map(({ responded }) => responded)), graceSeconds)
      for (const { respond } of waiting) respond()
    },
  }
}
