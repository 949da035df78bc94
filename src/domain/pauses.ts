/**
 * Pauses of long loops in JavaScript, so that other work of this process continues: the API answers requests, the executor receives
 * cancellations. Loops of statements need none: see `storage/database/sqlite.ts`.
 */
import { setImmediate } from 'node:timers/promises'
import { elapsedSince, monotonicMs } from './clock.ts'

/** Time that a loop may keep the event loop. */
const pieceMs = 10

/** Returns a function to call between the parts of a loop. It pauses if the parts since the last pause have lasted too long. */
export function createPauses(): () => Promise<void> {
  let startMs = monotonicMs()
  return async () => {
    if (elapsedSince(startMs) < pieceMs) return
    await nextPause()
    startMs = monotonicMs()
  }
}

let lastPause: Promise<unknown> = Promise.resolve()

/** One round of the event loop for each caller: several loops that pause don't continue in the same round. */
export function nextPause(): Promise<void> {
  const pause = lastPause.then(() => setImmediate())
  lastPause = pause
  return pause
}
