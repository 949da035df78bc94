/** The records as they stand at one moment, row by row, while others go on writing. */
import { type Kysely, sql } from 'kysely'
import { logLine } from '../../domain/execution-log.ts'
import { type Carried, type Row, readRows } from './carried.ts'
import { namesOfDone } from './migrate.ts'
import type { Database } from './open.ts'
import type { Schema } from './schema.ts'

export interface Snapshot {
  /** Names of the migrations that have made its tables. */
  migrations: string[]
  rows(carried: Carried): AsyncGenerator<Row[], void>
}

/** Nothing but the snapshot may be asked of this database while the work lasts: on SQLite there is one connection. */
export function withSnapshot<Result>(
  { kysely, dialect }: Pick<Database, 'kysely' | 'dialect'>,
  now: number,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  return kysely.connection().execute(async (connection) => {
    for (const statement of dialect.beginSnapshot) await sql.raw(statement).execute(connection)
    try {
      const migrations = await namesOfDone(connection)
      return await work({
        migrations,
        rows: (each) => (each.table === 'executions' ? asWaiting(connection, each, now) : readRows(connection, each)),
      })
    } finally {
      // It has written nothing: should the connection be broken, there is nothing to lose.
      await sql`rollback`.execute(connection).catch(() => {})
    }
  })
}

/** What runs is not running where it is read again: it waits there, as after an orderly end, with its attempt's number kept. */
async function* asWaiting(db: Kysely<Schema>, carried: Carried, now: number): AsyncGenerator<Row[], void> {
  for await (const rows of readRows(db, carried)) {
    yield rows.map((row) =>
      row.status === 'running'
        ? {
            ...row,
            status: 'pending',
            started_at: null,
            steps: '[]',
            events: row.events + logLine({ status: 'pending', at: now }),
            attempts_released: Number(row.attempts_released) + 1,
            ...('parked' in row && { parked: 0 }),
            ...('rank' in row && { rank: 0, worker: null }),
          }
        : row,
    )
  }
}

/** Which of these images, fonts and calls have a record now: to be asked once the snapshot has been left. */
export async function stillThere({ kysely }: Pick<Database, 'kysely'>, ids: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = []
  for (const id of ids) {
    for (const table of ['images', 'fonts', 'provider_calls'] as const) {
      const row = await kysely.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()
      if (row !== undefined) found.push(id)
    }
  }
  return found
}
