/** The gate of a provider: how many calls go to it at once, and whether it is worth asking at all. Of this process. */
import { setTimeout as pause } from 'node:timers/promises'
import { CircuitState, ConsecutiveBreaker, circuitBreaker, ExponentialBackoff, handleWhenResult } from 'cockatiel'
import PQueue from 'p-queue'
import { monotonicMs } from '../domain/clock.ts'
import type { ProblemKind } from './define.ts'

/** What became of what was sent: answered, or the kind of its problem. Undefined: nothing was, or nobody waited for it. */
export type Sign = 'answered' | ProblemKind | undefined

export interface Gate {
  /**
   * Waits for a place, and for the pause of the model; gives the function that leaves it. The signal ends only the waiting:
   * rejects with its reason, and then there is nothing to leave.
   */
  enter(signal: AbortSignal, model?: string): Promise<() => void>
  /** Until when no call of the model is let in, in milliseconds from now; 0: no longer. */
  pausedMs(model?: string): number
  /** Lets no call of the model in for this long. Other models of the provider may have separate limits, and continue. */
  pause(ms: number, model?: string): void
  /**
   * Does the work, unless too many went wrong lately. `signOf`: what its end tells of the provider. A rejection tells
   * nothing.
   */
  guard<Value>(work: () => Promise<Value>, signOf: (value: Value) => Sign): Promise<Value | 'open'>
  /** Of work that was begun elsewhere. */
  tell(sign: Sign): Promise<void>
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
  const health = createHealth(opening)
  /** By model: until when, as `monotonicMs`. Only models of the table are called, so there are few. */
  const pausedUntil = new Map<string, number>()
  const pausedMs = (model = '') => Math.max(0, (pausedUntil.get(model) ?? 0) - monotonicMs())
  const closing = new AbortController()

  /** Ends early when the gate closes. */
  async function waitOut(model: string | undefined, signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, closing.signal])
    await pause(pausedMs(model), undefined, { signal: either, ref: false }).catch(() => signal.throwIfAborted())
  }

  return {
    pausedMs,
    async enter(signal, model) {
      for (;;) {
        if (pausedMs(model) > 0 && !closing.signal.aborted) await waitOut(model, signal)
        const leave = await enterQueue(signal)
        if (pausedMs(model) === 0 || closing.signal.aborted) return leave
        // The pause began while this one waited for its place.
        leave()
      }
    },
    pause(wantedMs, model = '') {
      pausedUntil.set(model, monotonicMs() + Math.max(pausedMs(model), Math.min(wantedMs, pausedMsMax)))
    },
    async guard(work, signOf) {
      const turn = health.turn()
      if (turn === undefined) return 'open'
      try {
        const value = await work()
        await turn.tell(signOf(value))
        return value
      } finally {
        turn.end()
      }
    },
    async tell(sign) {
      await health.tell(sign)
    },
    close() {
      closing.abort()
    },
  }

  async function enterQueue(signal: AbortSignal): Promise<() => void> {
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
  }
}

/** A turn to ask; it may end without anything told. */
interface Turn {
  tell(sign: Sign): Promise<void>
  end(): void
}

/**
 * The breaker is told of calls when they have ended, rather than being handed the work: many of them say nothing about
 * the provider, and for the breaker whatever is no failure is a success.
 */
function createHealth(opening: { initialDelay: number; maxDelay: number }) {
  const breaker = circuitBreaker(
    handleWhenResult((result) => result === 'bad'),
    {
      breaker: new ConsecutiveBreaker(failuresMax),
      halfOpenAfter: new ExponentialBackoff(opening),
    },
  )
  const is = (state: CircuitState) => breaker.state === state
  /** While the breaker waits for the one call that tries; `isTaken`: one has been sent to try. */
  let trial = { isTaken: false, decide: (_: 'well' | 'bad') => {}, decided: Promise.resolve() }

  /** Whoever was sent while it was still well tells nothing new of one that is being tried. */
  async function tell(sign: Sign): Promise<void> {
    if (sign === undefined || !is(CircuitState.Closed)) return
    await breaker.execute(async () => verdictOf(sign))
  }

  function openTrial(): void {
    const { promise, resolve: decide } = Promise.withResolvers<'well' | 'bad'>()
    // It lets this one in as soon as it is time to try, and else rejects.
    const decided = breaker
      .execute(() => promise)
      .then(
        () => undefined,
        () => undefined,
      )
    if (is(CircuitState.HalfOpen)) trial = { isTaken: false, decide, decided }
  }

  return {
    tell,
    turn(): Turn | undefined {
      if (is(CircuitState.Open)) openTrial()
      if (is(CircuitState.Closed)) return { tell, end: () => {} }
      // The others need not wait for what the one that tries comes to.
      if (is(CircuitState.Open) || trial.isTaken) return undefined
      const mine = trial
      mine.isTaken = true
      return {
        async tell(sign) {
          if (sign === undefined) return
          mine.decide(verdictOf(sign))
          await mine.decided
        },
        // Where it has told nothing, the next one tries.
        end: () => {
          mine.isTaken = false
        },
      }
    },
  }
}

function verdictOf(sign: Exclude<Sign, undefined>): 'well' | 'bad' {
  return sign !== 'answered' && counted.has(sign) ? 'bad' : 'well'
}
