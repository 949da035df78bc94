/** Shows whether the tables of a database are those that the migrations of this version make. */
import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { isPostgres } from './dialect.ts'
import { exportedTables, omittedTables } from './exported-tables.ts'

/** The migrator's own tables, and one whose columns always depended on the engine. */
const ignoredTables = new Set(['kysely_migration', 'kysely_migration_lock', 'list_totals'])

/** Tables that a later migration drops: hashes of the migrations before it include them. */
export const formerTables = ['webhook_bodies', 'webhook_stored_bodies']

const tables = [
  ...exportedTables.map(({ table }) => String(table)),
  ...Object.keys(omittedTables),
  ...formerTables,
].filter((table) => !ignoredTables.has(table))

/** Hash of the names of all columns. Tables, indexes and triggers that an operator has added don't count. */
export async function columnsHash<DB>(db: Kysely<DB>): Promise<string> {
  const names = sql.join(tables)
  const query = isPostgres(db)
    ? sql<{ name: string }>`
        select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = current_schema() and table_name in (${names})`
    : sql<{ name: string }>`
        select made.name || '.' || columns.name as name from sqlite_master as made, pragma_table_info(made.name) as columns
        where made.type = 'table' and made.name in (${names})`
  const { rows } = await query.execute(db)
  const list = rows.map(({ name }) => name).sort()
  return createHash('sha256').update(list.join('\n')).digest('hex').slice(0, 16)
}
