/** Waiting that can be aborted, and writes that are retried. */
import { setTimeout as pause } from 'node:timers/promises'
import pRetry from 'p-retry'
import { randomFraction } from '../../domain/ids.ts'
import { Fault, Unreachable } from '../../errors.ts'

/** Rejects with the reason of the signal. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await pause(Math.min(ms, timerMsMax), undefined, { signal }).catch(() => signal.throwIfAborted())
}

/** A longer timer would fire immediately. */
const timerMsMax = 2 ** 31 - 1

/** Full jitter: a random time up to a bound that doubles with each try, so that calls that failed together are spread out. */
export function backOffMs(tries: number, { firstMs = 1_000, mostMs = 20_000 } = {}): number {
  return randomFraction() * Math.min(mostMs, firstMs * 2 ** tries)
}

/** As long as a database takes to restart or to fail over. */
const persistMs = 30_000
const persistEveryMs = 1_000

/**
 * Retries a write, because it records a result that was paid for. The signal ends the waiting between retries, not a write.
 * Rejects with the reason of the signal, or with `Unreachable`.
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
    // A write that succeeded counts more than the signal.
    if (written) return written.value
    signal?.throwIfAborted()
    throw unreachable(error)
  }
}

/** For reads before a request is sent: they are not retried here, because the execution is. */
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
