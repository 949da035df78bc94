/** Long work on a tenant's data, in turns between which the event loop does other work. */
import { setImmediate } from 'node:timers/promises'
import { elapsedSince, monotonicMs } from './clock.ts'

/** How long one piece of work may keep the event loop. */
const turnMs = 10

export interface Turns {
  /** Call it between the parts of the work. Resolves immediately or, if the turn has lasted too long, in the next one. */
  next(): Promise<void>
}

/** The first turn starts now. */
export function createTurns(): Turns {
  let startMs = monotonicMs()
  return {
    async next() {
      if (elapsedSince(startMs) < turnMs) return
      await setImmediate()
      startMs = monotonicMs()
    },
  }
}
