/**
 * Whether an attempt works or only waits. While it waits, its row is parked: a crash of the process is then not counted as one
 * of its attempts. The row is parked a moment late, and no longer parked before any work begins, so a crash that the
 * execution may have caused is always counted.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { AttemptActivity } from '../domain/attempt-activity.ts'
import { elapsedSince, monotonicMs } from '../domain/clock.ts'
import type { Execution, ExecutionStore } from '../domain/execution.ts'
import { Unavailable } from './interruptions.ts'
import type { Turn } from './turns.ts'

export interface WorkerActivity extends AttemptActivity {
  /** Resolves when the attempt may run. Rejects with the reason of the signal, and with `Unavailable`. */
  begin(): Promise<void>
  end(): void
}

/** Waits that are shorter are not worth two writes. */
const parkAfterMs = 100

const recordEveryMs = 1_000
const recordSeconds = 30

export function createActivity(
  { id, attempt, isLastAttempt }: Pick<Execution, 'id' | 'attempt' | 'isLastAttempt'>,
  turn: Turn,
  executions: Pick<ExecutionStore, 'park'>,
  signal: AbortSignal,
): WorkerActivity {
  let working = 0
  let waiting = 0
  /** As recorded, or about to be. */
  let isParked = isLastAttempt === true
  let hasEnded = false
  let timer: NodeJS.Timeout | undefined
  let written: Promise<void> = Promise.resolve()

  function look(): void {
    const isIdle = waiting > 0 && working <= 0
    if (!isIdle || isParked || hasEnded) return
    timer ??= setTimeout(() => {
      timer = undefined
      park()
      turn.leave()
    }, parkAfterMs)
  }

  function park(): void {
    isParked = true
    // If it can't be recorded, the attempt counts.
    written = written.then(() => executions.park(id, attempt, true)).then(ignore, ignore)
  }

  async function unpark(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (isParked && !hasEnded) {
      isParked = false
      written = written.then(recordWork)
      // The next one who begins to work tries again.
      written.catch(() => {
        isParked = true
        written = Promise.resolve()
      })
    }
    await written
  }

  /** Whether the attempt still has its right is found out elsewhere. */
  async function recordWork(): Promise<void> {
    const startMs = monotonicMs()
    for (;;) {
      try {
        return void (await executions.park(id, attempt, false))
      } catch (error) {
        signal.throwIfAborted()
        if (elapsedSince(startMs) > recordSeconds * 1_000) throw new Unavailable(error)
        await pause(recordEveryMs, undefined, { signal }).catch(() => signal.throwIfAborted())
      }
    }
  }

  async function goOn(): Promise<void> {
    if (isParked && !hasEnded) turn.takeBack()
    await unpark()
  }

  return {
    async begin() {
      if (turn.mustWait() && !isParked) park()
      await turn.take(signal)
      await unpark()
    },
    async working(work) {
      working += 1
      try {
        await goOn()
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
        await goOn()
      }
    },
    end() {
      hasEnded = true
      clearTimeout(timer)
      turn.leave()
    },
  }
}

function ignore(): void {}
