/** The limiter of a provider in this process: concurrency, pauses after 429, and a circuit breaker. */
import { setTimeout as pause } from 'node:timers/promises'
import { CircuitState, ConsecutiveBreaker, circuitBreaker, ExponentialBackoff, handleWhenResult } from 'cockatiel'
import { monotonicMs } from '../../domain/clock.ts'
import { createFairQueue } from '../../domain/fair-queue.ts'
import type { ProblemKind } from '../define.ts'

/** The outcome of a call for the circuit breaker. Undefined: nothing was sent, or the call was cancelled. */
export type BreakerOutcome = 'answered' | ProblemKind | undefined

export interface ProviderLimiter {
  /**
   * Waits for a slot and for the end of a pause of the model. Returns the function that releases the slot. The signal ends only
   * the waiting: then it rejects with the reason of the signal, and there is nothing to release.
   */
  enter(signal: AbortSignal, model?: string): Promise<() => void>
  /** How long the model is still paused; 0: it isn't. */
  pausedMs(model?: string): number
  /** Pauses a model. Other models of the provider may have separate limits, and continue. */
  pause(ms: number, model?: string): void
  /**
   * Does the work and reports its outcome, unless too many calls failed recently: then returns `open`. Reports nothing if the
   * work rejects.
   */
  guard<Value>(work: () => Promise<Value>, outcomeOf: (value: Value) => BreakerOutcome): Promise<Value | 'open'>
  /** Reports the outcome of work that started elsewhere. */
  report(outcome: BreakerOutcome): Promise<void>
  close(): void
}

/** Outcomes that count as failures of the provider. */
const failures: ReadonlySet<ProblemKind> = new Set(['down', 'timeout', 'outcome_unknown'])

const failuresMax = 5
/** How long the circuit stays open, the first time and at most. */
const openMs = { initialDelay: 5_000, maxDelay: 120_000 }

/** If a provider asks for a longer pause, the next call tries earlier, and gets 429 again. */
const pausedMsMax = 300_000

export function createLimiter(
  concurrency: number,
  opening: { initialDelay: number; maxDelay: number } = openMs,
): ProviderLimiter {
  const queue = createFairQueue({ slots: concurrency })
  const breaker = createBreaker(opening)
  /** End of pauses by model, in the time of `monotonicMs`. Only models of the table are called, so there are few. */
  const pausedUntil = new Map<string, number>()
  const pausedMs = (model = '') => Math.max(0, (pausedUntil.get(model) ?? 0) - monotonicMs())
  const closing = new AbortController()

  /** Ends early when the limiter closes. */
  async function waitOut(model: string | undefined, signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, closing.signal])
    await pause(pausedMs(model), undefined, { signal: either, ref: false }).catch(() => signal.throwIfAborted())
  }

  return {
    pausedMs,
    async enter(signal, model) {
      for (;;) {
        if (pausedMs(model) > 0 && !closing.signal.aborted) await waitOut(model, signal)
        const release = await queue.enter({ signal })
        if (pausedMs(model) === 0 || closing.signal.aborted) return release
        // The pause started while this call waited for its slot.
        release()
      }
    },
    pause(requestedMs, model = '') {
      pausedUntil.set(model, monotonicMs() + Math.max(pausedMs(model), Math.min(requestedMs, pausedMsMax)))
    },
    async guard(work, outcomeOf) {
      const turn = breaker.turn()
      if (turn === undefined) return 'open'
      try {
        const value = await work()
        await turn.report(outcomeOf(value))
        return value
      } finally {
        turn.end()
      }
    },
    report: breaker.report,
    close() {
      closing.abort()
    },
  }
}

/** Permission for one call. It may end without a report. */
interface Turn {
  report(outcome: BreakerOutcome): Promise<void>
  end(): void
}

/**
 * Calls report to the breaker when they have ended, because many outcomes say nothing about the provider. If the breaker ran the
 * work itself, it would count them as successes.
 */
function createBreaker(opening: { initialDelay: number; maxDelay: number }) {
  const breaker = circuitBreaker(
    handleWhenResult((result) => result === 'failure'),
    {
      breaker: new ConsecutiveBreaker(failuresMax),
      halfOpenAfter: new ExponentialBackoff(opening),
    },
  )
  const is = (state: CircuitState) => breaker.state === state
  /** The one call that tests a half-open circuit. `isTaken`: it has been sent. */
  let trial = { isTaken: false, decide: (_: TrialOutcome) => {}, decided: Promise.resolve() }

  /** Calls that were sent before the circuit opened don't count for a provider that is being tested. */
  async function report(outcome: BreakerOutcome): Promise<void> {
    if (outcome === undefined || !is(CircuitState.Closed)) return
    await breaker.execute(async () => trialOutcomeOf(outcome))
  }

  function openTrial(): void {
    const { promise, resolve: decide } = Promise.withResolvers<TrialOutcome>()
    // Runs as soon as it is time for a test, otherwise rejects.
    const decided = breaker
      .execute(() => promise)
      .then(
        () => undefined,
        () => undefined,
      )
    if (is(CircuitState.HalfOpen)) trial = { isTaken: false, decide, decided }
  }

  return {
    report,
    turn(): Turn | undefined {
      if (is(CircuitState.Open)) openTrial()
      if (is(CircuitState.Closed)) return { report, end: () => {} }
      // Other calls don't wait for the result of the test.
      if (is(CircuitState.Open) || trial.isTaken) return undefined
      const ownTrial = trial
      ownTrial.isTaken = true
      return {
        async report(outcome) {
          if (outcome === undefined) return
          ownTrial.decide(trialOutcomeOf(outcome))
          await ownTrial.decided
        },
        // If it reported nothing, the next call is the test.
        end: () => {
          ownTrial.isTaken = false
        },
      }
    },
  }
}

type TrialOutcome = 'success' | 'failure'

function trialOutcomeOf(outcome: Exclude<BreakerOutcome, undefined>): TrialOutcome {
  return outcome !== 'answered' && failures.has(outcome) ? 'failure' : 'success'
}
