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
  insert into rate_limit_windows as present (key, points, expire) values ($1, 1, $2::bigint + ${rateWindowSeconds * 1_000})
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
  /** Accounts over their limit: until their window ends, their requests need no query. */
  const over = new Map<string, { used: number; until: number }>()

  function noteOver(accountId: string, used: number, now: number, until: number): void {
    for (const [id, limit] of over) if (limit.until <= now) over.delete(id)
    over.set(accountId, { used, until })
  }

  function clean(now: number): void {
    if (now - cleanedAt < cleanEveryMs) return
    cleanedAt = now
    query('delete from rate_limit_windows where expire < $1', [now - retentionMs]).catch(onError)
  }

  async function countShared(accountId: string, now: number) {
    try {
      const { rows } = await query(countOne, [accountId, now])
      return rows[0] as { points: number; expire: number }
    } catch (error) {
      onError(error)
    }
  }

  return {
    async count(accountId, limit) {
      const now = clock.now()
      const known = over.get(accountId)
      // Not if the limit has been raised in the meantime.
      if (known && known.until > now && known.used > limit) return { used: known.used, resetsInMs: known.until - now }
      clean(now)
      const shared = await countShared(accountId, now)
      const { used, resetsInMs } = shared
        ? { used: shared.points, resetsInMs: Math.max(0, shared.expire - clock.now()) }
        : await alone.count(accountId, limit)
      if (used > limit) noteOver(accountId, used, now, now + resetsInMs)
      return { used, resetsInMs }
    },
  }
}
