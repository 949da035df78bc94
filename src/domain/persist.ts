/** Reads and writes of records that can be unavailable for a while. */
import pRetry from 'p-retry'
import { DependencyUnavailable, Fault } from '../errors.ts'

/** Time in which writes are retried: as long as a database takes to restart or to fail over. */
const persistMs = 30_000
const persistEveryMs = 1_000

/**
 * Retries a write of a result that is expensive to make again. The signal ends the waiting between retries, not a write. Rejects with
 * the reason of the signal, or with `DependencyUnavailable`.
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
    throw unavailable(error)
  }
}

/** Throws `unavailable` for reads that are not retried here: the execution is retried instead. */
export async function orUnavailable<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading
  } catch (error) {
    throw unavailable(error)
  }
}

function unavailable(error: unknown): Error {
  return error instanceof Fault || error instanceof DependencyUnavailable ? error : new DependencyUnavailable(error)
}
