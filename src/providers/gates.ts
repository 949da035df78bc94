/** The gate of a provider: how many calls go to it at once, and whether it is worth asking at all. Of this process. */
import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhenResult,
} from 'cockatiel'
import PQueue from 'p-queue'
import { elapsedSince, monotonicMs } from '../domain/clock.ts'
import type { ProblemKind } from './define.ts'

export interface Gate {
  /**
   * Waits for a place; gives the function that leaves it. The signal ends only the waiting: rejects with its reason, and
   * then there is nothing to leave.
   */
  enter(signal: AbortSignal): Promise<() => void>
  /** Until when nobody is let in, in milliseconds from now; 0: no longer. */
  pausedMs(): number
  /** Lets nobody in for so long: the provider has had too much. */
  pause(ms: number): void
  /** Does the work, unless too many went wrong lately. `wentWrong`: the kind of problem of what it came to, if there was one. */
  guard<Value>(
    work: () => Promise<Value>,
    wentWrong: (value: Value) => ProblemKind | undefined,
  ): Promise<Value | 'open'>
  close(): void
}

/** What says that the provider is not well; whatever else it answers says that it is. */
const counted: ReadonlySet<ProblemKind> = new Set(['down', 'timeout', 'outcome_unknown'])

const failuresMax = 5
/** For how long it is not asked, the first time and at most. */
const openMs = { initialDelay: 5_000, maxDelay: 120_000 }

/** Whoever is told to wait for a day tries earlier with one call, and is told so again. */
const pausedMsMax = 300_000

export function createGate(concurrency: number, opening: { initialDelay: number; maxDelay: number } = openMs): Gate {
  const queue = new PQueue({ concurrency })
  const isBad = (value: unknown) => value instanceof Went && value.isBad
  const breaker = circuitBreaker(handleWhenResult(isBad), {
    breaker: new ConsecutiveBreaker(failuresMax),
    halfOpenAfter: new ExponentialBackoff(opening),
  })
  let paused = { sinceMs: 0, ms: 0 }
  let timer: NodeJS.Timeout | undefined
  const pausedMs = () => Math.max(0, paused.ms - elapsedSince(paused.sinceMs))

  return {
    pausedMs,
    async enter(signal) {
      signal.throwIfAborted()
      // The queue would let the next one in when the signal of one that is inside aborts.
      const waiting = new AbortController()
      const onAbort = () => waiting.abort(signal.reason)
      signal.addEventListener('abort', onAbort, { once: true })
      const inside = Promise.withResolvers<void>()
      const leaving = Promise.withResolvers<void>()
      queue
        .add(
          () => {
            inside.resolve()
            return leaving.promise
          },
          { signal: waiting.signal },
        )
        .catch(inside.reject)
      try {
        await inside.promise
        return () => leaving.resolve()
      } finally {
        signal.removeEventListener('abort', onAbort)
      }
    },
    pause(wantedMs) {
      const ms = Math.min(wantedMs, pausedMsMax)
      if (ms <= pausedMs()) return
      paused = { sinceMs: monotonicMs(), ms }
      queue.pause()
      clearTimeout(timer)
      timer = setTimeout(() => queue.start(), ms)
      timer.unref()
    },
    async guard(work, wentWrong) {
      // One call tries whether it is well again; the others need not wait for what that comes to.
      if (breaker.state === CircuitState.HalfOpen) return 'open'
      try {
        const { value } = await breaker.execute(async () => {
          const value = await work()
          const kind = wentWrong(value)
          return new Went(value, kind !== undefined && counted.has(kind))
        })
        return value
      } catch (error) {
        if (error instanceof BrokenCircuitError) return 'open'
        throw error
      }
    },
    close() {
      clearTimeout(timer)
      queue.start()
    },
  }
}

class Went<Value> {
  readonly value: Value
  readonly isBad: boolean
  constructor(value: Value, isBad: boolean) {
    this.value = value
    this.isBad = isBad
  }
}
