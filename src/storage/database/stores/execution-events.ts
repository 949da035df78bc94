/** Events of executions. They are written in the statement or transaction of the change that they report, so an attempt that was lost adds none. */
import { type CompiledQuery, type Kysely, type OperationNodeSource, type RawBuilder, sql } from 'kysely'
import { isTerminal, type StoredEvent } from '../../../domain/execution.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { inTransaction } from '../sql/in-transaction.ts'
import { prepared } from '../sql/prepared.ts'

/** A statement that changes executions, adds `eventCount` to their `event_count` and returns at least `id` and `event_count`. */
type Change<Row> = OperationNodeSource & { compile(): CompiledQuery<Row> }

interface Changed {
  id: string
  event_count: number
}

/** Events as values of a statement, whatever their number. */
export interface Appended {
  eventCount: number
  /** JSON: an array of JSON texts. */
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
      changeAndAppend(db, dialect, build(values as unknown as Values), {
        eventCount: values.eventCount,
        events,
        endedAt,
      }),
    )
    return async (within, values, events) => (await run(within, { ...values, ...appended(events) } as never)).rows
  }
  const change = prepared(build)
  const append = appendingEvents(db, dialect)
  return (within, values, events) =>
    inTransaction(within, async (trx) => {
      const { rows } = await change(trx, { ...values, eventCount: events.length } as Values)
      for (const row of rows) await append(trx, row, events)
      return rows
    })
}

/** One statement that runs the change and appends the events. `before`: queries that the change refers to, by name. */
export function changeAndAppend<Row>(
  db: Kysely<Schema>,
  dialect: Dialect,
  change: Change<Row>,
  { eventCount, events, endedAt }: Appended,
  before: Record<string, OperationNodeSource> = {},
): { compile(): CompiledQuery<Row> } {
  const first = Object.entries(before).map(([name, query]) => sql`${sql.id(name)} as (${query}), `)
  const rows = eventRows(dialect, {
    ...{ id: sql.ref('changed.id'), sequence: sql.ref('changed.event_count'), from: sql`changed, ` },
    ...{ eventCount, events, endedAt },
  })
  const statement = sql<Row>`
    with ${sql.join(first, sql``)}changed as (${change}), appended as (${rows}) select * from changed`
  return { compile: () => statement.compile(db) }
}

/** Makes a function that appends events to an execution, within the transaction of their change. */
export function appendingEvents(db: Kysely<Schema>, dialect: Dialect) {
  const insert = prepared(({ id, sequence, ...events }: { id: string; sequence: number } & Appended) => {
    const rows = eventRows(dialect, {
      ...{ id: sql`${id}`, sequence: sql`cast(${sequence} as bigint)`, from: sql`` },
      ...events,
    })
    return { compile: () => rows.compile(db) }
  })
  return (trx: Kysely<Schema>, { id, event_count }: Changed, events: readonly StoredEvent[]) =>
    insert(trx, { id, sequence: event_count, ...appended(events) })
}

/** Inserts a row for each event. `sequence`: the number of the last one. */
function eventRows(
  dialect: Dialect,
  row: Appended & { id: RawBuilder<unknown>; sequence: RawBuilder<unknown>; from: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const count = sql`cast(${row.eventCount} as bigint)`
  return sql`
    insert into execution_events (execution_id, sequence, event, ended_at)
    select ${row.id}, ${row.sequence} - ${count} + each.n, each.text,
      case when each.n = ${count} then cast(${row.endedAt} as bigint) end
    from ${row.from}${dialect.elementsOf(sql`${row.events}`)} as each`
}

export function appended(events: readonly StoredEvent[]): Appended {
  const last = events.at(-1)
  const hasEnded = last !== undefined && 'status' in last && isTerminal(last.status)
  return {
    eventCount: events.length,
    events: JSON.stringify(events.map((event) => JSON.stringify(event))),
    endedAt: hasEnded ? last.at : null,
  }
}
