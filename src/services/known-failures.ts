/** Failures that are known for some time, so that not each request tries again. */
import type { Clock } from '../domain/clock.ts'
import type { Fault } from '../errors.ts'

export interface KnownFailures {
  /** Undefined if there was none in this time. */
  find(key: string): Fault | undefined
  add(key: string, fault: Fault): void
}

const failuresMax = 1_000

/** Remembers each failure for `seconds`, and the newest 1,000 of them. */
export function createKnownFailures(seconds: number, clock: Clock): KnownFailures {
  /** The oldest come first. */
  const failures = new Map<string, { until: number; fault: Fault }>()
  return {
    find(key) {
      const found = failures.get(key)
      return found && found.until > clock.now() ? found.fault : undefined
    },

    add(key, fault) {
      failures.delete(key)
      failures.set(key, { until: clock.now() + seconds * 1_000, fault })
      const [oldest] = failures.keys()
      if (failures.size > failuresMax && oldest !== undefined) failures.delete(oldest)
    },
  }
}
