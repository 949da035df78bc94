/**
 * Shares the connection to SQLite between clients. Its statements run in the main thread, and so does the work on their results. One user at a time
 * has the connection, and clients take turns. After a few milliseconds, other work of the event loop comes first. A client whose turn was long has its
 * next one after as much time for others.
 */
import { clientOfWork } from '../../domain/client-of-work.ts'
import { elapsedSince, monotonicMs } from '../../domain/clock.ts'
import { createLines } from './lines.ts'

export interface ThreadTurns {
  /** Resolves when the caller has the connection, until it calls `leave`. */
  enter(): Promise<void> | undefined
  leave(): void
}

/** No user begins in a turn of the event loop after this time. */
const turnMs = 10
const restMsMax = 100

export function createThreadTurns(): ThreadTurns {
  const lines = createLines()
  /** Clients that had a long turn, with the time at which their rest ends. */
  const resting = new Map<string, number>()
  let isHeld = false
  /** Whether users wait although no one has the connection. */
  let isPaused = false
  /** Whether the pause lasts until the event loop has had other work. */
  let isYielding = false
  /** Of the user that began last. */
  let client: string | undefined
  let startedMs = 0
  /** Whether `end` follows for the statements since `startedMs`. */
  let isEnding = false
  /** Of the users since the event loop has had other work. */
  let spentMs = 0
  let restTimer: NodeJS.Timeout | undefined

  const mayStart = (name: string | undefined) => name === undefined || (resting.get(name) ?? 0) <= monotonicMs()

  function begin(name: string | undefined): void {
    isHeld = true
    client = name
    if (!isEnding) startedMs = monotonicMs()
  }

  function leave(): void {
    isHeld = false
    // Most users are alone and short: the next statement of the same request doesn't wait.
    isPaused ||= !lines.isEmpty() || elapsedSince(startedMs) >= turnMs
    if (isEnding) return
    isEnding = true
    // Node runs callbacks of promises before those of `nextTick`.
    queueMicrotask(endInNextTick)
  }

  function endInNextTick(): void {
    process.nextTick(end)
  }

  /** When the users and all that waits for their results have run, until they wait for input or output. */
  function end(): void {
    isEnding = false
    const ms = elapsedSince(startedMs)
    spentMs += ms
    if (ms >= turnMs && client !== undefined) resting.set(client, monotonicMs() + Math.min(ms, restMsMax))
    // So that the time of a user that has the connection now is not counted twice.
    startedMs += ms
    // `leave` follows, and so does another end.
    if (isHeld || isYielding) return
    if (spentMs < turnMs) startNext()
    else {
      isPaused = true
      isYielding = true
      setImmediate(startNext)
    }
  }

  function startNext(): void {
    if (isYielding) spentMs = 0
    isYielding = false
    isPaused = false
    if (isHeld || lines.isEmpty()) return
    const next = lines.take(mayStart)
    if (next === undefined) {
      wakeLater()
      return
    }
    begin(next.client)
    next.start()
  }

  function wakeLater(): void {
    if (restTimer !== undefined) return
    const ends = [...lines.clients()].map((name) => (name === undefined ? 0 : (resting.get(name) ?? 0)))
    // The clock of a timer has whole milliseconds.
    restTimer = setTimeout(
      () => {
        restTimer = undefined
        if (!isHeld && !isPaused) startNext()
      },
      Math.max(0, Math.min(...ends) - monotonicMs()) + 1,
    )
  }

  function forgetRested(): void {
    const now = monotonicMs()
    for (const [name, end] of resting) if (end <= now) resting.delete(name)
  }

  return {
    enter() {
      const name = clientOfWork()
      if (resting.size > 0) forgetRested()
      if (!isHeld && !isPaused && mayStart(name)) {
        begin(name)
        return undefined
      }
      return new Promise((resolve) => {
        lines.add(name, resolve)
        if (!isHeld && !isPaused) wakeLater()
      })
    },
    leave,
  }
}
