/** The clock of the database server, so that processes on machines with different clocks agree on the time. */
import { type Clock, monotonicMs } from '../../domain/clock.ts'

type Query = (text: string) => Promise<{ rows: unknown[] }>

export interface DatabaseClock extends Clock {
  /** Compares with the database again. Throws if the database doesn't respond; the clock then continues as before. */
  measure(): Promise<void>
  stop(): void
}

const measureSeconds = 60
/** The first query is slow, because it opens a connection. */
const measurementsAtStart = 3
/** Milliseconds since the epoch, as PostgreSQL counts them. */
export const postgresNow = '(extract(epoch from clock_timestamp()) * 1000)::bigint'
const text = 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now'

/**
 * Measures the database's time a few times now, and then every minute, and counts on with the monotonic clock, so a change of this machine's
 * date has no effect. The clock never goes back: if it is ahead of a new measurement, it stops until time catches up.
 */
export async function startDatabaseClock(query: Query, local: () => number = monotonicMs): Promise<DatabaseClock> {
  let offset: number | undefined
  let latest = 0

  async function measure(): Promise<void> {
    const sentMs = local()
    const { rows } = await query(text)
    const receivedMs = local()
    const { now } = rows[0] as { now: number }
    // The server read its clock between sending and receiving. An offset that fits both stays, so a slow response can't spoil it.
    const [min, max] = [now - receivedMs, now - sentMs]
    offset = offset === undefined ? (min + max) / 2 : Math.min(Math.max(offset, min), max)
  }

  for (let i = 0; i < measurementsAtStart; i++) await measure()
  const timer = setInterval(() => measure().catch(() => {}), measureSeconds * 1_000).unref()
  return {
    now() {
      latest = Math.max(latest, Math.floor(local() + (offset ?? 0)))
      return latest
    },
    measure,
    stop: () => clearInterval(timer),
  }
}
