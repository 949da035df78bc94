import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import { type RateCounter, rateWindowSeconds } from '../../domain/accounts/rate.ts'

/** Counts for one process. A restart begins a new window. */
export function createMemoryRates(): RateCounter {
  const counts = createMemoryCounts()
  return {
    async count(id, _limit, windowSeconds = rateWindowSeconds) {
      const { consumedPoints, msBeforeNext } = await counts.consume(id, 1, { customDuration: windowSeconds })
      return { used: consumedPoints, resetsInMs: msBeforeNext }
    },
  }
}

/** One limiter for all plans: it only counts, and the plan says how much is too much. */
export function createMemoryCounts(): RateLimiterMemory {
  return new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: rateWindowSeconds })
}
