/** What an export carries of the records, and what it leaves behind. A test holds both against the schema. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

export interface Carried {
  table: keyof Schema
  /** The columns of its primary key: the order in which rows are written, read back and hashed. */
  key: readonly string[]
}

/** In an order in which each row comes after those that it refers to. Those with bytes stand last: see export.ts. */
export const carried: readonly Carried[] = [
  { table: 'accounts', key: ['id'] },
  { table: 'keys', key: ['id'] },
  { table: 'projects', key: ['id'] },
  { table: 'workflows', key: ['id'] },
  { table: 'workflow_versions', key: ['workflow_id', 'version'] },
  { table: 'drafts', key: ['workflow_id'] },
  { table: 'executions', key: ['id'] },
  { table: 'idempotency_keys', key: ['account_id', 'key'] },
  { table: 'budgets', key: ['scope', 'period'] },
  { table: 'usage_days', key: ['account_id', 'day', 'workflow_id', 'key_id', 'model', 'capability'] },
  { table: 'request_days', key: ['account_id', 'day'] },
  { table: 'provider_calls', key: ['id'] },
  { table: 'images', key: ['id'] },
  { table: 'fonts', key: ['id'] },
]

/** Those whose rows have bytes. */
export const carriedWithBytes: readonly Carried[] = carried.filter(
  ({ table }) => table === 'images' || table === 'fonts' || table === 'provider_calls',
)

/** Why each of the others stays behind. */
export const notCarried: Record<string, string> = {
  blob_removals: 'bytes whose record is gone already: they are not in the archive',
  step_results: 'a cache: it fills again',
  kept_steps: 'a failed execution is resumed within days, where it failed',
  previews: 'they are kept for some days, and made anew when somebody asks for them',
  chores: 'when this installation last did what it does now and then',
  sessions: 'whoever is signed in signs in again, where the console is now',
  execution_days: 'added up again from the executions',
  addresses: 'where clients reach the one is not where they reach the other',
  list_totals: 'triggers count what is inserted',
  account_queues: 'triggers count the executions that are inserted',
  workers: 'processes of this installation',
  kysely_migration: 'the manifest names what was done',
  kysely_migration_lock: 'the migrator’s own',
}

/** A row of any table. */
export type Row = Record<string, string | number | null>

/** One line of an archive: the same row gives the same line on every engine. */
export function lineOf(row: Row): string {
  return `${JSON.stringify(row, Object.keys(row).sort())}\n`
}

const pageRowsMax = 1_000
/** Roughly: so many rows are read at once as have had this size before. */
const pageChars = 4_194_304

/** All rows of a table in the order of its key, in pages that are small where rows are large. */
export async function* readRows(db: Kysely<Schema>, { table, key }: Carried): AsyncGenerator<Row[], void> {
  const columns = sql.join(key.map((name) => sql.ref(name)))
  let rowsMax = 50
  for (let last: Row | undefined; ; ) {
    const found = last
    const after = found && sql`where (${columns}) > (${sql.join(key.map((name) => found[name]))})`
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)} ${after ?? sql``} order by ${columns} limit ${rowsMax}`.execute(db)
    if (rows.length > 0) yield rows
    if (rows.length < rowsMax) return
    last = rows.at(-1)
    const charsEach = rows.reduce((chars, row) => chars + charsOf(row), 0) / rows.length
    rowsMax = Math.max(10, Math.min(pageRowsMax, Math.floor(pageChars / charsEach)))
  }
}

function charsOf(row: Row): number {
  return Object.values(row).reduce<number>((chars, value) => chars + (typeof value === 'string' ? value.length : 8), 0)
}
