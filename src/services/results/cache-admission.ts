/** Decides whether a result is worth its cost in the cache, from measured read and write times. */
import { monotonicMs } from '../../domain/clock.ts'

export interface CacheAdmission {
  wasRead(bytes: number, durationMs: number): void
  wasStored(bytes: number): void
  /** Whether a result that took this long to compute is worth storing. */
  isWorth(bytes: number, durationMs: number): boolean
  /** Whether it is worth a row alone, because its bytes are stored anyway. */
  isRowWorth(bytes: number, durationMs: number): boolean
}

/** A look at the table, a file opened; measured on a machine of two cores and an SSD. */
const readMs = 0.5
const readMsPerMegabyte = 0.35
/** A share of a commit. */
const rowMs = 2
const storeMs = 1
const storeMsPerMegabyte = 2.2
/** The share of one core for cache writes. A write that takes less than this share of the time to compute the result is free. */
const share = 0.05
/** The burst of the token bucket. */
const burstMs = 1_000
/** The weight of the newest measurement in the average. */
const newest = 0.1
/** A measurement counts as this many times the average at most, so that one slow read doesn't keep results out for hours. */
const outlierMax = 4

export function createCacheAdmission(now = monotonicMs): CacheAdmission {
  let readPerMegabyte = readMsPerMegabyte
  let budgetMs = burstMs
  let filledAt = now()

  /** CPU time, without the time of waiting for a disk or a network. */
  const writeMs = (bytes: number) => storeMs + (bytes / 1e6) * storeMsPerMegabyte
  const isRowWorth = (bytes: number, durationMs: number) =>
    durationMs > rowMs + readMs + (bytes / 1e6) * readPerMegabyte

  return {
    isRowWorth,
    isWorth(bytes, durationMs) {
      if (!isRowWorth(bytes, durationMs)) return false
      budgetMs = Math.min(burstMs, budgetMs + (now() - filledAt) * share)
      filledAt = now()
      return budgetMs > 0 || durationMs * share > writeMs(bytes)
    },
    wasStored(bytes) {
      // No debt that outlasts a busy minute.
      budgetMs = Math.max(-burstMs, budgetMs - writeMs(bytes))
    },
    wasRead(bytes, durationMs) {
      // Smaller reads measure mostly the opening.
      if (bytes < 100_000) return
      const average = Math.max(readPerMegabyte, readMsPerMegabyte)
      const measured = Math.min(outlierMax * average, Math.max(0, durationMs - readMs) / (bytes / 1e6))
      readPerMegabyte += newest * (measured - readPerMegabyte)
    },
  }
}
