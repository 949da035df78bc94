/** Requests for the status of a call, repeated until the provider knows. They are free and change nothing. */
import { elapsedSince, monotonicMs } from '../../domain/clock.ts'
import type { Handle, ProviderCall } from '../../domain/models/provider-call.ts'
import { limits } from '../../limits.ts'
import { type Polled, ProviderProblem, type ProviderResult, type Started } from '../define.ts'
import type { ClassifiedError } from './classify-error.ts'
import type { ProviderClient } from './provider-client.ts'
import { backOffMs, sleep } from './retry.ts'
import type { StopControl } from './stop.ts'

export interface JobToPoll {
  client: ProviderClient
  stops: StopControl
  /** The row as it is stored now: `onHandle` may change it. */
  row(): ProviderCall
  /** Stores a new handle. */
  onHandle(handle: Handle): Promise<void>
}

/** Pause between two polls of a job if the provider doesn't say: at first, and at most. */
const firstPollMs = 400
const pollMsMax = 5_000
const pollGrowth = 1.5

/** Throws `ProviderProblem` when the job ends without a result, and the reason of the stop. */
export async function pollUntilDone(job: JobToPoll, firstWaitMs = firstPollMs): Promise<ProviderResult> {
  let waitMs = firstWaitMs
  let grownMs = firstPollMs
  let errors = 0
  for (;;) {
    await sleep(waitMs, job.stops.signal)
    const polled = await pollOnce(job, errors)
    if (typeof polled === 'number') {
      errors += 1
      waitMs = polled
      continue
    }
    errors = 0
    if ('done' in polled) return polled.done
    grownMs = Math.min(pollMsMax, grownMs * pollGrowth)
    waitMs = polled.pending.waitMs ?? grownMs
    if (polled.pending.handle) await job.onHandle(polled.pending.handle)
  }
}

/** Returns the milliseconds to wait after an error that may pass. */
async function pollOnce({ client, stops, row }: JobToPoll, errors: number): Promise<Polled | number> {
  const { signal, secondsLeft } = stops
  let polled: Polled | undefined
  try {
    polled = await client.poll(row(), { signal, secondsLeft })
  } catch (error) {
    signal.throwIfAborted()
    const { kind, message, facts, next } = client.classify(error, 'poll')
    if (next === 'retry') return facts.retryAfterMs ?? firstPollMs + backOffMs(errors)
    // A failed job is free unless the provider says otherwise. After any other error the job may have run.
    const billed = error instanceof ProviderProblem && kind !== 'expired' ? 'no' : 'unknown'
    throw new ProviderProblem(kind, message, { billed, ...facts })
  }
  if (polled) return polled
  throw new ProviderProblem('bad_output', 'the adapter cannot poll a job')
}

/** A handle is stored with the call. */
export function isSmall(handle: Handle): boolean {
  return Buffer.byteLength(JSON.stringify(handle)) <= limits.providerHandleBytesMax
}

/** A request may still be in transit this long after its connection, or the process that sent it, is gone. */
const inTransitMs = 2_000
/** The request of a call that is older has arrived long ago. */
const arrivedMs = 30_000

/**
 * Finds out what became of a request that may have been sent, for providers that know calls by our id. `not_received`: it never
 * arrived. `ageMs`: since the call was recorded. Throws the reason of the stop.
 */
export async function findUntilKnown(
  client: ProviderClient,
  row: ProviderCall,
  stops: StopControl,
  ageMs: () => number,
): Promise<Started | 'not_received' | Pick<ClassifiedError, 'kind' | 'message' | 'facts'>> {
  const startMs = monotonicMs()
  for (let tries = 0; ; tries++) {
    let waitMs = 500
    try {
      const found = await client.find(row, { signal: stops.sendSignal, secondsLeft: stops.secondsLeft })
      if (found) return found
      if (elapsedSince(startMs) > inTransitMs || ageMs() > arrivedMs) return 'not_received'
    } catch (error) {
      stops.signal.throwIfAborted()
      const { kind, message, facts, next } = client.classify(error, 'poll')
      if (next !== 'retry') return { kind: 'outcome_unknown', message: message || kind, facts: { billed: 'unknown' } }
      waitMs = facts.retryAfterMs ?? 300 + backOffMs(tries)
    }
    await sleep(waitMs, stops.signal)
  }
}
