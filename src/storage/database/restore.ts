/** Rows of an archive into an empty database. */
import { type Kysely, sql } from 'kysely'
import { type Carried, lineOf, type Row, readRows } from './carried.ts'
import { namesOfDone } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import type { Database } from './open.ts'
import type { Schema } from './schema.ts'

const rowsAtOnce = 200

export type Transaction = Kysely<Schema>

/** Why an archive whose tables were made by these migrations cannot be read into this database; undefined where it can. */
export async function whyNot({ kysely }: Pick<Database, 'kysely'>, names: string[]): Promise<string | undefined> {
  const known = Object.keys(migrations)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    return `The archive was written by a newer release, whose ${unknown.join(', ')} this one does not know.`
  }
  if (names.some((name, i) => name !== known[i])) return 'The archive lacks a migration that came before its others.'
  const done = await namesOfDone(kysely)
  if (done.length > 0 && (await hasAccounts(kysely))) {
    return 'The database is not empty: it has accounts. An archive is imported into a new one.'
  }
  if (done.length > names.length) {
    return `The archive is of an older release than the tables of this database, which are there already (${done.slice(names.length).join(', ')}). Import it into a new database: the tables are then made as they were, and brought to what they are now.`
  }
  return undefined
}

export async function hasAccounts(db: Kysely<Schema>): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).execute()).length > 0
}

/** Within a transaction that may wait for the archive's next part. */
export async function bePatient(trx: Kysely<Schema>, { dialect }: Pick<Database, 'dialect'>): Promise<void> {
  for (const statement of dialect.patience) await sql.raw(statement).execute(trx)
}

export async function insertRows(trx: Kysely<Schema>, { table }: Carried, rows: Row[]): Promise<void> {
  const anyTable = trx as unknown as Kysely<Record<string, Row>>
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    await anyTable
      .insertInto(table)
      .values(rows.slice(at, at + rowsAtOnce))
      .execute()
  }
}

/** Every line that the table now gives. */
export async function* readBack(trx: Kysely<Schema>, carried: Carried): AsyncGenerator<string, void> {
  for await (const rows of readRows(trx, carried)) for (const row of rows) yield lineOf(row)
}

/** As if they had been begun at this time. */
export async function postponeChores(db: Kysely<Schema>, names: readonly string[], begunAt: number): Promise<void> {
  await db
    .insertInto('chores')
    .values(names.map((name) => ({ name, begun_at: begunAt })))
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ begun_at: begunAt }))
    .execute()
}
