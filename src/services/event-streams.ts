/** Helpers of long responses: their number by account, and waiting for the next look. */

import { createFairQueue } from '../domain/fair-queue.ts'
import { Fault } from '../errors.ts'

export interface EventStreams {
  /**
   * Counts a stream until the returned function is called, or the signal aborts: a stream that is never read does not end by itself.
   * `countedId`: of the account, or of the key of a run link. Throws `rate_limited`.
   */
  enter(countedId: string, signal: AbortSignal): () => void
}

/** A request for a stream of events. */
export interface StreamRequest {
  /** Aborts when the client has gone. */
  signal: AbortSignal
  /** Request id for the log. */
  requestId: string
}

/** A request for a status that waits for the end. */
export interface StatusWait {
  seconds: number
  /** Aborts when the client has gone. */
  signal: AbortSignal
}

const retrySeconds = 5

/** `streamsMax`: most streams of an account, or of a run link, at the same time. `name`: for the message, in the plural. */
export function createEventStreams(streamsMax: number, name = 'event streams and requests with `wait`'): EventStreams {
  const slots = createFairQueue({ perAccount: streamsMax })
  return {
    enter(countedId, signal) {
      const leave = slots.tryEnter({ account: countedId })
      if (leave === undefined) {
        const message = `The account has ${streamsMax} open ${name}, the maximum. Close one, or retry in ${retrySeconds} s.`
        throw new Fault('rate_limited', message, { limit: streamsMax, retryAfterSeconds: retrySeconds })
      }
      signal.addEventListener('abort', leave)
      if (signal.aborted) leave()
      return leave
    },
  }
}

export interface WakeUp {
  wake(): void
  wait(msMax: number): Promise<void>
}

/** If it is woken while nothing waits, the next wait ends immediately. */
export function createWakeUp(): WakeUp {
  let isWoken = false
  let resolveWait: (() => void) | undefined
  return {
    wake() {
      isWoken = true
      resolveWait?.()
    },
    async wait(msMax) {
      if (!isWoken) {
        const { promise, resolve } = Promise.withResolvers<void>()
        resolveWait = resolve
        const timer = setTimeout(resolve, msMax)
        await promise
        clearTimeout(timer)
        resolveWait = undefined
      }
      isWoken = false
    },
  }
}
