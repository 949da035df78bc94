/** Requests and executions of an account by day. */
import { type Kysely, sql } from 'kysely'
import {
  type ActivityStore,
  type DayRange,
  dayMs,
  dayOf,
  type EndedExecutions,
  roundedDuration,
} from '../../../domain/accounts/activity.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import type { ExecutionsDailyRow } from '../schema-daily.ts'

type DayOfExecutions = EndedExecutions & { day: string }

/** Executions of about 15 ms of SQLite, in which the process does nothing else. */
const executionsAtOnce = 10_000

/** `atOnce`: how many executions a statement adds up. */
export function createActivityStore(
  db: Kysely<Schema>,
  dialect: Dialect,
  atOnce: number = executionsAtOnce,
): ActivityStore {
  const endedOn = sql<number>`completed_at / ${sql.lit(dayMs)}`

  /** Times between which at most `atOnce` executions ended, or all of one millisecond. */
  async function* pieces(accountId: string, status: 'completed' | 'failed', fromMs: number, untilMs: number) {
    for (let start = fromMs; start < untilMs; ) {
      const next = await endedExecutions(db, { accountId, status, from: start, before: untilMs })
        .select('completed_at')
        .orderBy('completed_at')
        .offset(atOnce)
        .limit(1)
        .executeTakeFirst()
      const end = next ? Math.max(Number(next.completed_at), start + 1) : untilMs
      yield endedExecutions(db, { accountId, status, from: start, before: end })
      start = end
    }
  }

  async function addUp(accountId: string, fromMs: number, untilMs: number): Promise<DayOfExecutions[]> {
    const days = new Map<number, { failures: Map<string, number>; durations: Map<number, number> }>()
    const sumsOf = (endedOn: number) => {
      const sums = days.get(endedOn) ?? { failures: new Map(), durations: new Map() }
      days.set(endedOn, sums)
      return sums
    }
    const took = sql<number>`completed_at - created_at`
    for await (const piece of pieces(accountId, 'completed', fromMs, untilMs)) {
      const durations = await piece
        .select((eb) => [endedOn.as('ended_on'), took.as('took'), eb.fn.countAll<number>().as('n')])
        .groupBy(['ended_on', 'took'])
        .execute()
      for (const { ended_on, took: durationMs, n } of durations)
        addTo(sumsOf(Number(ended_on)).durations, roundedDuration(durationMs), n)
    }
    const reason = sql<string>`coalesce(${dialect.textIn('error', 'details', 'reason')}, ${dialect.textIn('error', 'code')})`
    for await (const piece of pieces(accountId, 'failed', fromMs, untilMs)) {
      const failures = await piece
        .select((eb) => [endedOn.as('ended_on'), reason.as('reason'), eb.fn.countAll<number>().as('n')])
        .groupBy(['ended_on', 'reason'])
        .execute()
      for (const { ended_on, reason, n } of failures) addTo(sumsOf(Number(ended_on)).failures, reason, n)
    }
    return [...days]
      .sort(([a], [b]) => a - b)
      .map(([endedOn, sums]) => ({
        day: dayOf(endedOn * dayMs),
        failures: [...sums.failures].map(([reason, count]) => ({ reason, count })),
        durations: [...sums.durations].sort(([a], [b]) => a - b),
      }))
  }

  return {
    async addRequests(counts) {
      // In the same order everywhere, or two processes could deadlock.
      const rows = counts
        .map(({ accountId, ...count }) => ({ account_id: accountId, ...count }))
        .sort((a, b) => (a.account_id < b.account_id ? -1 : a.account_id > b.account_id ? 1 : a.day < b.day ? -1 : 1))
      // All or none: the next call writes counts that were not written.
      await db.transaction().execute(async (trx) => {
        for (let at = 0; at < rows.length; at += rowsAtOnce) {
          await trx
            .insertInto('requests_daily')
            .values(rows.slice(at, at + rowsAtOnce))
            .onConflict((conflict) =>
              conflict.columns(['account_id', 'day']).doUpdateSet((eb) => ({
                requests: eb('requests_daily.requests', '+', eb.ref('excluded.requests')),
                refused: eb('requests_daily.refused', '+', eb.ref('excluded.refused')),
              })),
            )
            .execute()
        }
      })
    },

    async requestsOf(accountId, range) {
      const rows = await inRange(db.selectFrom('requests_daily').where('account_id', '=', accountId), range)
        .selectAll()
        .orderBy('day')
        .execute()
      return rows.map(({ day, requests, refused }) => ({ day, requests, refused }))
    },

    async executionsOf(accountId, range) {
      // Read first: a day that is closed in between is read twice, with the same result.
      const closed = await lastClosedDay(db, accountId)
      const rows = await inRange(db.selectFrom('executions_daily').where('account_id', '=', accountId), range)
        .selectAll()
        .orderBy('day')
        .execute()
      const openMs = closed === undefined ? 0 : Date.parse(closed) + dayMs
      const open = await addUp(accountId, Math.max(Date.parse(range.from), openMs), Date.parse(range.to) + dayMs)
      const closedDays = rows.map(toDay)
      const days = new Set(closedDays.map(({ day }) => day))
      return [...closedDays, ...open.filter(({ day }) => !days.has(day))]
    },

    async closeNextDay(accountId, before) {
      const closed = await lastClosedDay(db, accountId)
      const openMs = closed === undefined ? 0 : Date.parse(closed) + dayMs
      const first = await Promise.all(
        (['completed', 'failed'] as const).map((status) =>
          endedExecutions(db, { accountId, status, from: openMs, before: Date.parse(before) })
            .select('completed_at')
            .orderBy('completed_at')
            .limit(1)
            .executeTakeFirst(),
        ),
      )
      const times = first.flatMap((row) => (row ? [Number(row.completed_at)] : []))
      if (times.length === 0) return undefined
      const day = dayOf(Math.min(...times))
      const [sums] = await addUp(accountId, Date.parse(day), Date.parse(day) + dayMs)
      if (sums === undefined) return undefined
      await db
        .insertInto('executions_daily')
        .values(toRow(accountId, sums))
        .onConflict((conflict) => conflict.columns(['account_id', 'day']).doNothing())
        .execute()
      return day
    },
  }
}

const rowsAtOnce = 200

interface EndedInRange {
  accountId: string
  status: 'completed' | 'failed'
  /** Executions that ended at this time or later, in milliseconds. */
  from: number
  before: number
}

/** Reads only the index of ended executions, if nothing but its columns is selected. */
export function endedExecutions(db: Kysely<Schema>, { accountId, status, from, before }: EndedInRange) {
  return db
    .selectFrom('executions')
    .where('account_id', '=', accountId)
    .where('status', '=', sql.lit(status))
    .where('completed_at', '>=', from)
    .where('completed_at', '<', before)
}

/** The last day whose executions are added up; undefined if there is none. */
export async function lastClosedDay(db: Kysely<Schema>, accountId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('executions_daily')
    .select('day')
    .where('account_id', '=', accountId)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.day
}

function inRange<Query extends { where(column: 'day', operator: '>=' | '<=', value: string): Query }>(
  query: Query,
  { from, to }: DayRange,
): Query {
  return query.where('day', '>=', from).where('day', '<=', to)
}

function addTo<Key>(counts: Map<Key, number>, key: Key, count: number | string): void {
  counts.set(key, (counts.get(key) ?? 0) + Number(count))
}

function toDay(row: ExecutionsDailyRow): DayOfExecutions {
  return {
    day: row.day,
    failures: JSON.parse(row.failures) as EndedExecutions['failures'],
    durations: JSON.parse(row.durations) as EndedExecutions['durations'],
  }
}

function toRow(accountId: string, { day, failures, durations }: DayOfExecutions): ExecutionsDailyRow {
  return {
    account_id: accountId,
    day,
    failures: JSON.stringify(failures),
    durations: JSON.stringify(durations),
  }
}
