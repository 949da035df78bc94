/** The records as of one moment, row by row, while other connections write. */
import { type Kysely, sql } from 'kysely'
import { type ExportedTable, type Row, readRows } from './exported-tables.ts'
import { namesOfDone } from './migrate.ts'
import type { Database } from './open.ts'
import type { Schema } from './schema.ts'
import { rankOf } from './sql/execution-row.ts'

export interface Snapshot {
  /** Names of the migrations that have made its tables. */
  migrations: string[]
  rows(table: ExportedTable): AsyncGenerator<Row[], void>
}

/** While the work runs, only the snapshot may query this database: on SQLite there is one connection. */
export function withSnapshot<Result>(
  { kysely, dialect }: Pick<Database, 'kysely' | 'dialect'>,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  return kysely.connection().execute(async (connection) => {
    for (const statement of dialect.beginSnapshot) await sql.raw(statement).execute(connection)
    try {
      const migrations = await namesOfDone(connection)
      return await work({
        migrations,
        rows: (table) =>
          table.table === 'executions' ? waitingExecutions(connection, table) : readRows(connection, table),
      })
    } finally {
      // The transaction has written nothing, so a broken connection loses nothing.
      await sql`rollback`.execute(connection).catch(() => {})
    }
  })
}

/** A running execution becomes a waiting one, as after an orderly shutdown: its attempt keeps its number and doesn't count. */
async function* waitingExecutions(db: Kysely<Schema>, executions: ExportedTable): AsyncGenerator<Row[], void> {
  for await (const rows of readRows(db, executions)) {
    yield rows.map((row) =>
      row.status === 'running'
        ? {
            ...row,
            status: 'pending',
            started_at: null,
            steps: '[]',
            // One more than there are: a client that resumes gets a snapshot of the waiting execution.
            event_count: Number(row.event_count) + 1,
            attempts_released: Number(row.attempts_released) + 1,
            parked: 0,
            rank: rankOf.startedBefore,
            worker_id: null,
          }
        : row,
    )
  }
}

/** The given images, fonts and calls that have a record now. Only after the snapshot has ended. */
export async function findExisting({ kysely }: Pick<Database, 'kysely'>, ids: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = []
  for (const id of ids) {
    for (const table of ['images', 'binned_images', 'fonts', 'provider_calls'] as const) {
      const row = await kysely.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()
      if (row !== undefined) found.push(id)
    }
  }
  return found
}
