/** Remembers failures for some time, so that not each request tries again. */
import { createBoundedCache } from '../../bounded-cache.ts'
import type { Clock } from '../../domain/clock.ts'
import { limits } from '../../limits.ts'

export interface FailureCache<Failure> {
  /** Undefined if there was none in this time. */
  find(key: string): Failure | undefined
  add(accountId: string, key: string, failure: Failure): void
}

/** Remembers each failure for `seconds`, the newest ones of each account. */
export function createFailureCache<Failure extends object>(seconds: number, clock: Clock): FailureCache<Failure> {
  const failures = createBoundedCache<{ until: number; failure: Failure }>({
    bytesMax: limits.knownFailuresBytesMax,
    accountBytesMax: limits.knownFailuresAccountBytesMax,
  })
  return {
    find(key) {
      const found = failures.get(key)
      if (found === undefined) return undefined
      // Longer only if the clock was set back.
      const leftMs = found.until - clock.now()
      return leftMs > 0 && leftMs <= seconds * 1_000 ? found.failure : undefined
    },

    add(accountId, key, failure) {
      const bytes = 2 * (key.length + JSON.stringify(failure).length) + ownBytes
      failures.set(key, { until: clock.now() + seconds * 1_000, failure }, { accountId, bytes })
    },
  }
}

/** Memory of an entry and of an error, with its message and its stack. */
const ownBytes = 3_000
