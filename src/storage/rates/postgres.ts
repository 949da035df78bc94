import { RateLimiterPostgres } from 'rate-limiter-flexible'
import { type Clock, systemClock } from '../../domain/clock.ts'
import { type RateCounter, rateWindowSeconds } from '../../domain/rate.ts'
import { createMemoryCounts } from './memory.ts'

/** A query of text and values, as node-postgres has it. */
export type Query = (text: string, values: readonly unknown[]) => Promise<{ rows: unknown[] }>

interface Options {
  query: Query
  /** Has the columns key, points, expire. */
  table: string
  /** Told of each count that the database did not answer. */
  onError(error: unknown): void
  clock?: Clock
}

/**
 * Counts in a table that all processes share; each removes rows that have expired for an hour, every five minutes. While
 * the database does not answer, each process counts for itself.
 */
export function createPostgresRates({ query, table, onError, clock = systemClock }: Options): RateCounter {
  async function told({ text, values }: { text: string; values: unknown[] }) {
    try {
      return await query(text, values)
    } catch (error) {
      onError(error)
      throw error
    }
  }

  const counts = new RateLimiterPostgres({
    storeClient: { query: told },
    storeType: 'pool',
    tableName: table,
    tableCreated: true,
    points: Number.MAX_SAFE_INTEGER,
    duration: rateWindowSeconds,
    insuranceLimiter: createMemoryCounts(),
  })
  /** Accounts over their limit: until their window ends the database need not be asked, however many requests come. */
  const over = new Map<string, { used: number; until: number }>()

  function noteOver(accountId: string, used: number, now: number, resetsInMs: number): void {
    for (const [id, { until }] of over) if (until <= now) over.delete(id)
    over.set(accountId, { used, until: now + resetsInMs })
  }

  return {
    async count(accountId, limit) {
      const now = clock.now()
      const known = over.get(accountId)
      // Not past a limit that has been raised meanwhile.
      if (known && known.until > now && known.used > limit) return { used: known.used, resetsInMs: known.until - now }
      const { consumedPoints: used, msBeforeNext: resetsInMs } = await counts.consume(accountId)
      if (used > limit) noteOver(accountId, used, now, resetsInMs)
      return { used, resetsInMs }
    },
  }
}
