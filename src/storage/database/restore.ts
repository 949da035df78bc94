/** Rows of an archive into an empty database. */
import { type Kysely, sql } from 'kysely'
import { monthOf } from '../../domain/accounts/quota.ts'
import { type ExportedTable, lineOf, type Row, readRows } from './exported-tables.ts'
import { namesOfDone, unknownMigration } from './migrate.ts'
import { migrations, unreleased } from './migrations/index.ts'
import type { Database } from './open.ts'
import type { Schema } from './schema.ts'

const rowsAtOnce = 200

export type Transaction = Kysely<Schema>

/** The migrations of this version that make the tables of an archive, given those of its manifest. */
export function migrationsFor(names: string[]): string[] {
  return names.at(-1) === unreleased.lastMigration ? Object.keys(migrations).slice(0, 1) : names
}

/** The reason why an archive with the tables of these migrations can't be imported into this database; undefined if it can. */
export async function importProblem(
  { kysely }: Pick<Database, 'kysely'>,
  names: string[],
): Promise<string | undefined> {
  const known = Object.keys(migrations)
  const unknown = unknownMigration(names, known)
  if (unknown?.isEarlier) {
    return `The archive was written by a version from before the first release (migration ${unknown.name}), and this version can't read it. Import it with commit ${unreleased.commit}, export it again there, and import the new archive.`
  }
  if (unknown !== undefined) {
    return `The archive was written by a newer version, and this version doesn't know its migration ${unknown.name}. Import it with that version or a later one.`
  }
  if (names.some((name, i) => name !== known[i]))
    return 'The archive lacks a migration between its first and last. Export it again.'
  const done = await namesOfDone(kysely)
  if (done.length > 0 && (await hasAccounts(kysely))) {
    return 'The database is not empty: it has accounts. Import the archive into an empty database.'
  }
  if (done.length > names.length) {
    return `The archive is older than this database, which also has the migrations ${done.slice(names.length).join(', ')}. Import it into a new database: the import creates the tables of the archive, then migrates them.`
  }
  return undefined
}

export async function hasAccounts(db: Kysely<Schema>): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).execute()).length > 0
}

/** The accounts without those that were being deleted when the archive was written: their deletion continues. */
export async function accountsOf(db: Kysely<Schema>) {
  const { rows } = await sql<{ id: string; name: string; images: number; workflows: number; keys: number }>`
    select id, name,
      (select count(*) from images where account_id = a.id) as images,
      (select count(*) from workflows where account_id = a.id and deleted_at is null) as workflows,
      (select count(*) from keys where account_id = a.id) as keys
    from accounts as a where deleted_at is null order by created_at, id`.execute(db)
  return Object.fromEntries(
    rows.map(({ id, name, images, workflows, keys }) => [
      id,
      { name, images: Number(images), workflows: Number(workflows), keys: Number(keys) },
    ]),
  )
}

/** Counts the executions of this month: triggers only count those that have not ended. */
export async function countMonths(db: Kysely<Schema>, now: number): Promise<void> {
  const { month, monthStart, monthEnd } = monthOf(now)
  await sql`update account_queues set month = ${month}, month_executions = (
    select count(*) from executions
    where account_id = account_queues.account_id and created_at >= ${monthStart} and created_at < ${monthEnd})`.execute(
    db,
  )
}

/** Turns off the time-out of a transaction that waits for the next part of the archive. */
export async function allowPauses(trx: Kysely<Schema>, { dialect }: Pick<Database, 'dialect'>): Promise<void> {
  for (const statement of dialect.allowPauses) await sql.raw(statement).execute(trx)
}

export async function insertRows(trx: Kysely<Schema>, { table }: ExportedTable, rows: Row[]): Promise<void> {
  const anyTable = trx as unknown as Kysely<Record<string, Row>>
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    await anyTable
      .insertInto(table)
      .values(rows.slice(at, at + rowsAtOnce))
      .execute()
  }
}

/** Every row of the table as a line. */
export async function* readLines(trx: Kysely<Schema>, table: ExportedTable): AsyncGenerator<string, void> {
  for await (const rows of readRows(trx, table)) for (const row of rows) yield lineOf(row)
}

/** Notes that these jobs started at this time, so that they start again only when their interval has passed since then. */
export async function postponeJobs(db: Kysely<Schema>, names: readonly string[], startedAt: number): Promise<void> {
  await db
    .insertInto('background_jobs')
    .values(names.map((name) => ({ name, started_at: startedAt })))
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ started_at: startedAt }))
    .execute()
}
