/**
 * Records an execution as running, in the transaction of its insert instead of a separate claim. Only if no execution waits: so it overtakes
 * none, and takes the turn of no account.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Month, monthOf } from '../../../domain/accounts/quota.ts'
import type { StoredEvent } from '../../../domain/executions/execution.ts'
import type { Dialect } from '../dialect.ts'
import type { ExecutionRow, Schema } from '../schema.ts'
import { type Appended, appended, changeAndAppend, withEvents } from '../stores/execution-events.ts'
import { latestTurn, shortestStride, startOfTurn } from './claim-next.ts'
import { waitingAccounts } from './insert-waiting.ts'
import { prepared } from './prepared.ts'
import type { Quotas } from './quotas.ts'

/** False, with nothing written, if it has to wait. `worker`: the process that runs it, if several claim. */
export type InsertRunning = (db: Kysely<Schema>, row: ExecutionRow, by: { worker?: string }) => Promise<boolean>

type Values = Omit<ExecutionRow, 'event_count'> & Month & { eventCount: number }

/** The fields of an execution that starts as it is recorded. */
export function startedOn(now: number) {
  return { status: 'running', attempt: 1, startedAt: now } as const
}

export function insertingRunning(db: Kysely<Schema>, dialect: Dialect, quotas: Quotas): InsertRunning {
  const insert = inserting(db, dialect, quotas)
  return async (within, row, { worker = null }) => {
    const { status, attempt, startedAt } = startedOn(row.created_at)
    const { event_count: _, ...values } = { ...row, status, attempt, started_at: startedAt, worker_id: worker }
    const events: StoredEvent[] = [
      { status: 'pending', at: row.created_at },
      { status, at: startedAt },
    ]
    return (await insert(within, { ...values, ...monthOf(row.created_at) }, events)).length === 1
  }
}

function inserting(
  db: Kysely<Schema>,
  dialect: Dialect,
  quotas: Quotas,
): (within: Kysely<Schema>, values: Omit<Values, 'eventCount'>, events: StoredEvent[]) => Promise<unknown[]> {
  if (!dialect.changesInOneStatement) {
    return withEvents(db, dialect, (values: Values) => {
      const from = sql`account_queues as q where q.account_id = ${values.account_id} and ${mayStart(db)} and ${quotas.admits(values)}`
      return insertFrom(db, values, from)
    })
  }
  // Moves the pass, as a claim does. PostgreSQL compares the numbers again after it has waited for another claim or start of the account.
  const start = startOfTurn(sql`q.pass`)
  const insert = prepared((values: Values & Appended) => {
    const moved = sql`update account_queues as q
      set pass = ${start} + ${sql.lit(shortestStride)}, last_pass = ${start}
      from ${latestTurn}
      where q.account_id = ${values.account_id} and ${mayStart(db)} and ${quotas.admits(values)}
      returning q.account_id`
    const { eventCount, events, endedAt, ...row } = values
    const change = insertFrom(db, { ...row, eventCount }, sql`moved`)
    return changeAndAppend(db, change, { eventCount, events, endedAt }, { before: { moved } })
  })
  return async (within, values, events) => (await insert(within, { ...values, ...appended(events) })).rows
}

function insertFrom(db: Kysely<Schema>, of: Values, from: RawBuilder<unknown>) {
  const { eventCount, month: _, monthStart: __, monthEnd: ___, ...columnValues } = of
  const row = { ...columnValues, event_count: eventCount }
  const columns = Object.keys(row) as (keyof ExecutionRow)[]
  const values = sql<ExecutionRow>`select ${sql.join(columns.map((name) => sql`${row[name]}`))} from ${from}`
  return db.insertInto('executions').columns(columns).expression(values).returning(['id', 'event_count'])
}

/** Whether nothing waits, and the account in the row `q` may run another execution. */
function mayStart(db: Kysely<Schema>): RawBuilder<unknown> {
  const waiting = waitingAccounts(db).select(sql.lit(1).as('one'))
  return sql`q.waiting = 0 and not exists ${waiting} and q.running < q.running_max`
}
