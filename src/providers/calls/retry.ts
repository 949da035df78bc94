/** Waiting that ends when it should, and records that are worth writing again and again. */
import { setTimeout as pause } from 'node:timers/promises'
import pRetry from 'p-retry'
import { randomFraction } from '../../domain/ids.ts'
import { Fault, Unreachable } from '../../errors.ts'

/** Rejects with the signal's reason. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await pause(Math.min(ms, timerMsMax), undefined, { signal }).catch(() => signal.throwIfAborted())
}

/** A longer one would end at once. */
const timerMsMax = 2 ** 31 - 1

/** Full jitter: anything up to a bound that doubles with each try, so that those who failed together do not come back together. */
export function backOffMs(tries: number, { firstMs = 1_000, mostMs = 20_000 } = {}): number {
  return randomFraction() * Math.min(mostMs, firstMs * 2 ** tries)
}

/** As long as a database takes to start again, or another to take its place. */
const persistMs = 30_000
const persistEveryMs = 1_000

/**
 * What was paid for is worth writing down: again and again, until it is. The signal ends the waiting, not a write.
 * Rejects with its reason, or with `Unreachable`.
 */
export async function persist<Value>(write: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
  let written: { value: Value } | undefined
  const once = async () => {
    written = { value: await write() }
    return written.value
  }
  try {
    return await pRetry(once, {
      retries: Number.POSITIVE_INFINITY,
      factor: 1,
      minTimeout: persistEveryMs,
      maxRetryTime: persistMs,
      ...(signal && { signal }),
    })
  } catch (error) {
    // The signal counts for less than what is in the records by now.
    if (written) return written.value
    signal?.throwIfAborted()
    throw unreachable(error)
  }
}

/** Before anything is sent, whoever cannot read the records says so at once: the execution comes again. */
export async function orUnreachable<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading
  } catch (error) {
    throw unreachable(error)
  }
}

function unreachable(error: unknown): Error {
  return error instanceof Fault || error instanceof Unreachable ? error : new Unreachable(error)
}
