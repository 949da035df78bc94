/** Remembers failures for some time, so that not each request tries again. */
import type { Clock } from '../domain/clock.ts'

export interface KnownFailures<Failure> {
  /** Undefined if there was none in this time. */
  find(key: string): Failure | undefined
  add(key: string, failure: Failure): void
}

const failuresMax = 1_000

/** Remembers each failure for `seconds`, and the newest 1,000 of them. */
export function createKnownFailures<Failure>(seconds: number, clock: Clock): KnownFailures<Failure> {
  /** The oldest come first. */
  const failures = new Map<string, { until: number; failure: Failure }>()
  return {
    find(key) {
      const found = failures.get(key)
      return found && found.until > clock.now() ? found.failure : undefined
    },

    add(key, failure) {
      failures.delete(key)
      failures.set(key, { until: clock.now() + seconds * 1_000, failure })
      const [oldest] = failures.keys()
      if (failures.size > failuresMax && oldest !== undefined) failures.delete(oldest)
    },
  }
}
