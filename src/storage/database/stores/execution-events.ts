/** Events of executions. They are written in the statement or transaction of the change that they report, so an attempt that was lost adds none. */
import { type CompiledQuery, type Kysely, type OperationNodeSource, sql } from 'kysely'
import { isTerminal, type StoredEvent } from '../../../domain/executions/execution.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { inTransaction } from '../sql/in-transaction.ts'
import { prepared } from '../sql/prepared.ts'

/** A statement that changes executions, adds `eventCount` to their `event_count` and returns at least `id` and `event_count`. */
type Change<Row> = OperationNodeSource & { compile(): CompiledQuery<Row> }

type Queries = Record<string, OperationNodeSource>

interface Changed {
  id: string
  event_count: number
}

/** Events as values of a statement, whatever their number. */
export interface Appended {
  eventCount: number
  /** JSON: StoredEvent[] */
  events: string
  endedAt: number | null
}

/**
 * Makes a function that runs a change and appends the same events to each execution that it changes, both or nothing. The function returns the
 * changed rows.
 */
export function withEvents<Values extends { eventCount: number }, Row extends Changed>(
  db: Kysely<Schema>,
  dialect: Dialect,
  build: (values: Values) => Change<Row>,
): (within: Kysely<Schema>, values: Omit<Values, 'eventCount'>, events: readonly StoredEvent[]) => Promise<Row[]> {
  if (dialect.changesInOneStatement) {
    const run = prepared(({ events, endedAt, ...values }: Values & Appended) =>
      changeAndAppend(db, build(values as unknown as Values), { eventCount: values.eventCount, events, endedAt }),
    )
    return async (within, values, events) => (await run(within, { ...values, ...appended(events) } as never)).rows
  }
  const change = prepared(build)
  const append = appendingEvents(db)
  return (within, values, events) =>
    inTransaction(within, async (trx) => {
      const { rows } = await change(trx, { ...values, eventCount: events.length } as Values)
      if (events.length > 0) for (const row of rows) await append(trx, row, events)
      return rows
    })
}

/**
 * One statement that runs the change and appends the events. `before`: queries that the change refers to, by name. `after`: queries that refer to
 * the rows of `changed`.
 */
export function changeAndAppend<Row>(
  db: Kysely<Schema>,
  change: Change<Row>,
  { eventCount, events, endedAt }: Appended,
  { before = {}, after = {} }: { before?: Queries; after?: Queries } = {},
): { compile(): CompiledQuery<Row> } {
  const named = (queries: Queries) => Object.entries(queries).map(([name, query]) => sql`${sql.id(name)} as (${query})`)
  const appended = sql`appended as (
      insert into execution_events (execution_id, sequence, events, ended_at)
      select id, event_count, ${events}, cast(${endedAt} as bigint) from changed where cast(${eventCount} as bigint) > 0)`
  const statement = sql<Row>`
    with ${sql.join([...named(before), sql`changed as (${change})`, appended, ...named(after)])}
    select * from changed`
  return { compile: () => statement.compile(db) }
}

/** Makes a function that appends events to an execution, within the transaction of their change. */
export function appendingEvents(db: Kysely<Schema>) {
  const insert = prepared(({ id, sequence, events, endedAt }: { id: string; sequence: number } & Appended) =>
    db.insertInto('execution_events').values({ execution_id: id, sequence, events, ended_at: endedAt }),
  )
  return (trx: Kysely<Schema>, { id, event_count }: Changed, events: readonly StoredEvent[]) =>
    insert(trx, { id, sequence: event_count, ...appended(events) })
}

export function appended(events: readonly StoredEvent[]): Appended {
  const last = events.at(-1)
  const hasEnded = last !== undefined && 'status' in last && isTerminal(last.status)
  return {
    eventCount: events.length,
    events: JSON.stringify(events),
    endedAt: hasEnded ? last.at : null,
  }
}
