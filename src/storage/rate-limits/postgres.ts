import { type RateCounter, rateWindowSeconds } from '../../domain/accounts/rate.ts'
import type { Clock } from '../../domain/clock.ts'
import { createMemoryRates } from './memory.ts'

/** A query with the signature of node-postgres. */
export type Query = (text: string, values: readonly unknown[]) => Promise<{ rows: unknown[] }>

interface Options {
  query: Query
  /** Called with the error of each count that the database did not respond to. */
  onError(error: unknown): void
  /** The same for all processes, or one process ends the windows of another too early. */
  clock: Clock
}

const cleanEveryMs = 300_000
/** Expired windows stay in the table for this time. */
const retentionMs = 3_600_000

/** The first request after the end of a window begins a new one. */
const countOne = `
  insert into rate_limit_windows as present (key, points, expire) values ($1, 1, $2::bigint + $3::bigint)
  on conflict (key) do update set
    points = case when present.expire <= $2 then 1 else present.points + 1 end,
    expire = case when present.expire <= $2 then excluded.expire else present.expire end
  returning points, expire`

/**
 * Counts in a table that all processes share. Each process removes old windows every five minutes. While the database
 * doesn't respond, each process counts only its own requests.
 */
export function createPostgresRates({ query, onError, clock }: Options): RateCounter {
  const alone = createMemoryRates()
  let cleanedAt = clock.now()
  /** Ids over their limit: until their window ends, their requests need no query. */
  const over = new Map<string, { used: number; until: number }>()

  function noteOver(id: string, used: number, now: number, until: number): void {
    for (const [other, limit] of over) if (limit.until <= now) over.delete(other)
    over.set(id, { used, until })
  }

  function clean(now: number): void {
    if (now - cleanedAt < cleanEveryMs) return
    cleanedAt = now
    query('delete from rate_limit_windows where expire < $1', [now - retentionMs]).catch(onError)
  }

  async function countShared(id: string, now: number, windowSeconds: number) {
    try {
      const { rows } = await query(countOne, [id, now, windowSeconds * 1_000])
      return rows[0] as { points: number; expire: number }
    } catch (error) {
      onError(error)
    }
  }

  return {
    async count(id, limit, windowSeconds = rateWindowSeconds) {
      const now = clock.now()
      const known = over.get(id)
      // Not if the limit has been raised in the meantime.
      if (known && known.until > now && known.used > limit) return { used: known.used, resetsInMs: known.until - now }
      clean(now)
      const shared = await countShared(id, now, windowSeconds)
      const { used, resetsInMs } = shared
        ? { used: shared.points, resetsInMs: Math.max(0, shared.expire - clock.now()) }
        : await alone.count(id, limit, windowSeconds)
      if (used > limit) noteOver(id, used, now, now + resetsInMs)
      return { used, resetsInMs }
    },
  }
}
