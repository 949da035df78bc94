/**
 * Tracks whether an attempt works or only waits. While it waits, its row is parked: if the process crashes then, it doesn't count
 * as an attempt. Parking is delayed a little, and ends before any work begins, so that a crash that the execution may have caused
 * counts. The exception is a response that arrives while the row can't be written.
 */
import type { AttemptActivity } from '../domain/executions/attempt-activity.ts'
import type { Execution, ExecutionStore } from '../domain/executions/execution.ts'
import type { FairQueue } from '../domain/fair-queue.ts'
import { persist } from '../domain/persist.ts'

export interface WorkerActivity extends AttemptActivity {
  /** Resolves when the attempt may run. Rejects with the reason of the signal, and with `DependencyUnavailable`. */
  start(): Promise<void>
  end(): void
}

/** Shorter waits are not worth two writes. */
const parkAfterMs = 100

export function createActivity(
  { id, attempt, isLastAttempt }: Pick<Execution, 'id' | 'attempt' | 'isLastAttempt'>,
  places: FairQueue,
  executions: Pick<ExecutionStore, 'park'>,
  { signal, onUnparked }: { signal: AbortSignal; onUnparked(error: unknown): void },
): WorkerActivity {
  let working = 0
  let waiting = 0
  /** The recorded state, or the one that is being recorded. */
  let isParked = isLastAttempt === true
  let hasEnded = false
  let timer: NodeJS.Timeout | undefined
  let written: Promise<void> = Promise.resolve()
  /** The last attempt possibly crashed its process before, and so runs alone. */
  const entry = { isAlone: isLastAttempt === true }
  /** Frees its place. Undefined while it has none. */
  let leave: (() => void) | undefined

  function leavePlace(): void {
    leave?.()
    leave = undefined
  }

  function look(): void {
    const isIdle = waiting > 0 && working <= 0
    if (!isIdle || isParked || hasEnded) return
    timer ??= setTimeout(() => {
      timer = undefined
      park()
      leavePlace()
    }, parkAfterMs)
  }

  function park(): void {
    isParked = true
    // If it can't be recorded, the attempt counts.
    written = written.then(() => executions.park(id, attempt, true)).then(ignore, onUnparked)
  }

  async function unpark(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (isParked && !hasEnded) {
      isParked = false
      written = written.then(() => persist(async () => void (await executions.park(id, attempt, false)), signal))
      // Not reported here: the work that waits for it gets the error, and the next start of work tries again.
      written.catch(() => {
        isParked = true
        written = Promise.resolve()
      })
    }
    await written
  }

  async function resume(): Promise<void> {
    // `reenter` takes a place immediately: an attempt that waits for one keeps its memory.
    if (isParked && !hasEnded) leave ??= places.reenter(entry)
    await unpark()
  }

  return {
    async start() {
      signal.throwIfAborted()
      leave = places.tryEnter(entry)
      if (leave === undefined && !isParked) park()
      leave ??= await places.enter({ ...entry, signal })
      await unpark()
    },
    async working(work) {
      working += 1
      try {
        await resume()
        return await work()
      } finally {
        working -= 1
        look()
      }
    },
    async waiting(work) {
      working -= 1
      waiting += 1
      look()
      try {
        return await work()
      } finally {
        waiting -= 1
        working += 1
        // Its result was paid for, so it isn't lost if the row can't be updated: after an abort, or without the
        // database. The next work of the attempt tries again, and fails with the error.
        await resume().catch(ignore)
      }
    },
    end() {
      hasEnded = true
      clearTimeout(timer)
      leavePlace()
    },
  }
}

function ignore(): void {}
