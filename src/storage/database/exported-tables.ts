/** The tables that an export contains, and why it omits the others. A test compares both lists with the schema. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

export interface ExportedTable {
  table: keyof Schema
  /** The columns of its primary key: rows are written, read back and hashed in this order. */
  key: readonly string[]
}

/** Each table comes after those that it refers to, and tables with blobs come last: see export.ts. */
export const exportedTables: readonly ExportedTable[] = [
  { table: 'accounts', key: ['id'] },
  { table: 'keys', key: ['id'] },
  { table: 'signing_keys', key: ['id'] },
  { table: 'projects', key: ['id'] },
  { table: 'brands', key: ['owner_id'] },
  { table: 'workflows', key: ['id'] },
  { table: 'workflow_versions', key: ['workflow_id', 'version'] },
  { table: 'workflow_uses', key: ['workflow_id', 'version', 'name'] },
  { table: 'workflow_users', key: ['used_workflow_id', 'workflow_id'] },
  { table: 'workflow_channels', key: ['workflow_id', 'name'] },
  { table: 'channel_moves', key: ['workflow_id', 'channel', 'sequence'] },
  { table: 'channel_leftovers', key: ['workflow_id'] },
  { table: 'drafts', key: ['workflow_id'] },
  { table: 'execution_brands', key: ['account_id', 'hash'] },
  { table: 'executions', key: ['id'] },
  { table: 'batches', key: ['id'] },
  { table: 'batch_items', key: ['batch_id', 'upload', 'row_number'] },
  { table: 'idempotency_keys', key: ['account_id', 'key'] },
  { table: 'budgets', key: ['scope', 'period'] },
  { table: 'usage_daily', key: ['account_id', 'day', 'workflow_id', 'key_id', 'model', 'capability'] },
  { table: 'requests_daily', key: ['account_id', 'day'] },
  { table: 'provider_calls', key: ['id'] },
  { table: 'webhook_endpoints', key: ['id'] },
  { table: 'webhook_secrets', key: ['account_id'] },
  { table: 'webhook_notices', key: ['id'] },
  { table: 'audit_log', key: ['id'] },
  { table: 'images', key: ['id'] },
  { table: 'binned_images', key: ['id'] },
  { table: 'fonts', key: ['id'] },
]

/** Tables whose rows have blobs. */
export const tablesWithBlobs: readonly ExportedTable[] = exportedTables.filter(({ table }) =>
  ['images', 'binned_images', 'fonts', 'provider_calls'].includes(table),
)

/** The reason why an export omits each of the other tables. */
export const omittedTables: Record<string, string> = {
  execution_events: 'kept for some days only; a client that resumes a stream gets a snapshot instead',
  blob_removals: 'blobs without a record, which are not in the archive',
  step_results: 'a cache, which fills again',
  step_result_images: 'of a cache, which fills again',
  step_checkpoints: 'kept for some days only, for a resume where the execution failed',
  previews: 'kept for some days only; executions make new ones',
  derived_files: 'files of delivery URLs, which are made again',
  derived_file_images: 'of files of delivery URLs, which are made again',
  observed_clock: 'what this installation knows about its clock',
  background_jobs: 'when the jobs of this installation last ran',
  sessions: 'people sign in again at the new console',
  executions_daily: 'computed again from the executions',
  service_urls: 'the new installation has another URL',
  list_totals: 'triggers count the rows that are inserted',
  account_queues: 'the import counts the executions again',
  workers: 'processes of this installation',
  webhook_events: 'the former installation delivers its events',
  webhook_deliveries: 'the former installation delivers them, and the log is kept for some days only',
  webhook_queues: 'of deliveries, which stay with the former installation',
  kysely_migration: 'the manifest lists the migrations',
  kysely_migration_lock: 'internal to the migrator',
}

/** A row of any table. */
export type Row = Record<string, string | number | null>

/** One line of an archive. Every engine writes the same line for the same row. */
export function lineOf(row: Row): string {
  return `${JSON.stringify(row, Object.keys(row).sort())}\n`
}

const pageRowsMax = 1_000
/** Approximate number of characters of a page; its number of rows follows from the size of the rows before. */
const pageChars = 4_194_304

/** All rows of a table in the order of its key. Pages of large rows have fewer rows. */
export async function* readRows(db: Kysely<Schema>, { table, key }: ExportedTable): AsyncGenerator<Row[], void> {
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
