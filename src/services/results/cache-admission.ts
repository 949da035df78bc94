/** Decides whether a result is worth its cost in the cache, from measured read and write times. */
import { monotonicMs } from '../../domain/clock.ts'

export interface CacheAdmission {
  wasRead(bytes: number, durationMs: number): void
  wasStored(bytes: number): void
  /** Whether a result that took so long is worth storing. */
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
const purseMs = 1_000
/** The weight of the newest measurement in the average. */
const newest = 0.1

export function createCacheAdmission(now = monotonicMs): CacheAdmission {
  let perMegabyte = readMsPerMegabyte
  let purse = purseMs
  let filledAt = now()

  function readBack(bytes: number): number {
    return readMs + (bytes / 1e6) * perMegabyte
  }

  /** The CPU time, not the time of waiting for a disk or a network. */
  function storing(bytes: number): number {
    return storeMs + (bytes / 1e6) * storeMsPerMegabyte
  }

  return {
    wasRead(bytes, durationMs) {
      // Smaller reads measure mostly the opening.
      if (bytes < 100_000) return
      const measured = Math.max(0, durationMs - readMs) / (bytes / 1e6)
      perMegabyte += newest * (measured - perMegabyte)
    },
    wasStored(bytes) {
      purse -= storing(bytes)
    },
    isWorth(bytes, durationMs) {
      if (durationMs <= rowMs + readBack(bytes)) return false
      purse = Math.min(purseMs, purse + (now() - filledAt) * share)
      filledAt = now()
      return purse > 0 || durationMs * share > storing(bytes)
    },
    isRowWorth: (bytes, durationMs) => durationMs > rowMs + readBack(bytes),
  }
}
