/** Helpers of long responses: their number by account, and waiting for the next look. */
import { Fault } from '../errors.ts'

export interface EventStreams {
  /** Counts a stream of the account, until the returned function is called for the first time. Throws `rate_limited`. */
  enter(accountId: string): () => void
}

const retrySeconds = 5

/** `streamsMax`: most streams of an account at the same time. `name`: for the message, in the plural. */
export function createEventStreams(streamsMax: number, name = 'event streams'): EventStreams {
  /** How many streams are open, by account. */
  const open = new Map<string, number>()
  return {
    enter(accountId) {
      const count = open.get(accountId) ?? 0
      if (count >= streamsMax) {
        const message = `The account has ${streamsMax} open ${name}, the maximum. Close one, or retry in ${retrySeconds} s.`
        throw new Fault('rate_limited', message, { limit: streamsMax, retryAfterSeconds: retrySeconds })
      }
      open.set(accountId, count + 1)
      let isIn = true
      return () => {
        if (!isIn) return
        isIn = false
        const left = (open.get(accountId) ?? 1) - 1
        if (left > 0) open.set(accountId, left)
        else open.delete(accountId)
      }
    },
  }
}

export interface WakeUp {
  wake(): void
  wait(msMax: number): Promise<void>
}

/** If it rings while nothing waits, the next wait ends immediately. */
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
