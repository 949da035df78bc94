/**
 * Notes jumps of the clock, so that one that is wrong by up to a day removes nothing before the time that a caller was promised.
 *
 * A jump ahead is time that passed since the last observation without an explanation: more than the monotonic clock has counted, or in which no process
 * looked at the clock, such as a restart after hours or an import. It is unknown whether it was time or a mistake. So records that were created before the jump stay
 * for this time longer, at most a day. The first observation is a jump: images of an imported archive can be older than the database. Records that were created after it have their times from the same clock.
 */
import type { Kysely } from 'kysely'
import { dayMs } from '../../../domain/accounts/activity.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { inTransaction } from '../sql/in-transaction.ts'

/** A smaller jump is not noted: records stay for as long after their time. */
export const jumpMsMin = 300_000

export interface ClockWatch {
  /** Compares the time with the last observation of any process. Call it before each removal by a time. */
  observe(now: number): Promise<Jump>
}

/** The last jump. Records from before it stay longer by `lagMs`. */
export interface Jump {
  at: number
  lagMs: number
}

/** The time before which records are removed, from the time without a jump. As long as records from before the jump are among them, all stay longer. */
export function heldTime(before: number, { at, lagMs }: Jump): number {
  return at < before - lagMs ? before : before - lagMs
}

export function createClockWatch(db: Kysely<Schema>, dialect: Dialect, elapsedMs: () => number): ClockWatch {
  /** The last observation of this process. */
  let last: { now: number; elapsed: number } | undefined

  return {
    async observe(now) {
      const elapsed = elapsedMs()
      const jump = await inTransaction(db, async (trx) => {
        const row = await dialect
          .lockRows(trx.selectFrom('observed_clock').selectAll().where('id', '=', 1))
          .executeTakeFirst()
        const { seen_at: seenAt, jumped_at: jumpedAt, lag_ms: lag } = row ?? { seen_at: 0, jumped_at: 0, lag_ms: 0 }
        const counted = last !== undefined && seenAt === last.now ? elapsed - last.elapsed : 0
        const jumpMs = now - seenAt - counted
        const observed =
          jumpMs >= jumpMsMin
            ? { seen_at: now, jumped_at: now, lag_ms: Math.min(dayMs, lag + Math.round(jumpMs)) }
            : // If the clock was set back, the jump ahead was before now.
              { seen_at: now, jumped_at: Math.min(jumpedAt, now), lag_ms: lag }
        await trx
          .insertInto('observed_clock')
          .values({ id: 1, ...observed })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(observed))
          .execute()
        return { at: observed.jumped_at, lagMs: observed.lag_ms }
      })
      last = { now, elapsed }
      return jump
    },
  }
}
