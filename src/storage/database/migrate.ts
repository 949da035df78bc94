import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { elapsedSince, monotonicMs } from '../../domain/clock.ts'
import { columnsHash } from './columns-hash.ts'
import { isPostgres } from './dialect.ts'
import { migrationHashes, unreleasedColumns } from './migrations/hashes.ts'

export interface LockingMigration extends Migration {
  /**
   * The existing tables that it locks on PostgreSQL: those that it changes, and those that a new foreign key refers to. In the order in which requests lock
   * them, as far as they have one: a table before those that it refers to.
   */
  tables?: readonly string[]
}

/**
 * Brings a database to the newest schema, or leaves it as it was and throws. All migrations are one transaction with the
 * lock of the engine (SQLite: the write lock; PostgreSQL: an advisory lock), so processes that start together take turns
 * and the second finds nothing to do. Throws `OtherVersion`.
 *
 * On PostgreSQL, processes of the previous release may be at work. Their requests lock tables in another order than migrations, so the transaction
 * begins with all locks that it needs. If it doesn't get them in a moment, it gives up those that it has, lets the requests end, and tries again.
 */
export async function migrate<DB>(
  db: Kysely<DB>,
  migrations: Record<string, LockingMigration>,
  secondsMax = 60,
): Promise<void> {
  const startMs = monotonicMs()
  for (let attempt = 0; ; attempt += 1) {
    const done = await requireKnown(db, Object.keys(migrations))
    const pending = Object.entries(migrations).filter(([name]) => !done.includes(name))
    if (pending.length === 0) return
    const tables = isPostgres(db) ? [...new Set(pending.flatMap(([, migration]) => migration.tables ?? []))] : []
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => lockingFirst(migrations, tables, lockMs[attempt % lockMs.length]) },
    })
    const { error } = await migrator.migrateToLatest()
    if (error === undefined) return
    if (!isConflict(error)) throw error
    if (elapsedSince(startMs) > secondsMax * 1_000) {
      const reason = `could not lock ${tables.join(', ')} for ${secondsMax} s, because other processes use them.`
      throw new Error(`The migration ${reason} Wait until exports and backups have ended, and start again.`, {
        cause: error,
      })
    }
    await pause(pauseMs)
  }
}

/** Autovacuum ends for a lock that has waited for a second (`deadlock_timeout`). */
const vacuumLockMs = 5_000
/**
 * Times to get the locks that keep out requests, one for each attempt. Short ones, because a request that waits for the migration can keep it waiting.
 * Long ones for a busy server. After a second, PostgreSQL looks for deadlocks and ends a transaction that is part of one: never a request, because the
 * migration gives up earlier.
 */
const lockMs = [50, 100, 200, 400, 700]
/** Longer than most requests. */
const pauseMs = 200

/** The same migrations. The first one that runs locks the tables. */
function lockingFirst(
  migrations: Record<string, Migration>,
  tables: readonly string[],
  ms = 0,
): Record<string, Migration> {
  let isLocked = tables.length === 0
  const entries = Object.entries(migrations).map(([name, migration]): [string, Migration] => [
    name,
    {
      async up(db) {
        if (!isLocked) await lock(db, tables, ms)
        isLocked = true
        await migration.up(db)
      },
    },
  ])
  return Object.fromEntries(entries)
}

async function lock<DB>(db: Kysely<DB>, tables: readonly string[], ms: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${sql.val(tables)}::text[]) with ordinality as listed (name, n)
    where to_regclass(name) is not null order by n`.execute(db)
  if (rows.length === 0) return
  const existing = sql.join(rows.map(({ name }) => sql.table(name)))
  await sql`set local lock_timeout = ${sql.lit(vacuumLockMs)}`.execute(db)
  // No request waits for this lock.
  await sql`lock table ${existing} in share update exclusive mode`.execute(db)
  // One statement, so that the time is for all tables together. `lock_timeout` is for each of them.
  await sql`set local statement_timeout = ${sql.lit(ms)}`.execute(db)
  await sql`lock table ${existing} in access exclusive mode`.execute(db)
  await sql`set local statement_timeout = 0`.execute(db)
}

/** Deadlock, time-out of a lock, time-out of a statement. */
const conflictCodes = ['40P01', '55P03', '57014']

function isConflict(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: unknown }
  return conflictCodes.includes(code ?? '') || (cause instanceof Error && isConflict(cause))
}

/** The migrations of a database, all of them known ones that made its tables. Throws `OtherVersion`. */
export async function requireKnown<DB>(db: Kysely<DB>, known: readonly string[]): Promise<string[]> {
  for (;;) {
    const done = await namesOfDone(db)
    const last = done.at(-1)
    const unknown = unknownMigration(done, known)
    const expected =
      last &&
      (unknown?.isEarlier
        ? unreleasedColumns[last]
        : migrationHashes[last]?.[isPostgres(db) ? 'postgres' : 'sqlite'].columns)
    const isChanged = last !== undefined && expected !== undefined && expected !== (await columnsHash(db))
    // Another process can migrate between the two reads.
    if (isChanged && last !== (await namesOfDone(db)).at(-1)) continue
    if (isChanged) throw new OtherVersion({ name: last, isEarlier: false, ...unknown, isChanged })
    if (unknown !== undefined) throw new OtherVersion(unknown)
    return done
  }
}

/** A migration that this version doesn't have. */
export interface UnknownMigration {
  name: string
  /**
   * Whether the tables are from before the first migration of this version, and so of a version that was never
   * released. See `unreleased`.
   */
  isEarlier: boolean
  /** Whether the migration was another one when it made these tables: only the commit that made them reads them. */
  isChanged?: true
}

/** The tables were made by a version that this one can't follow. */
export class OtherVersion extends Error {
  readonly unknown: UnknownMigration
  constructor(unknown: UnknownMigration) {
    super(`the database has the unknown migration ${unknown.name}`)
    this.name = 'OtherVersion'
    this.unknown = unknown
  }
}

/** The first of these migrations that is not among the known ones; both in their order. */
export function unknownMigration(names: readonly string[], known: readonly string[]): UnknownMigration | undefined {
  const name = names.find((migration) => !known.includes(migration))
  return name === undefined ? undefined : { name, isEarlier: name < String(known[0]) }
}

/** The migrations of a database, oldest first. None if the migrator's table doesn't exist; the migrator meets any other error too. */
export async function namesOfDone<DB>(db: Kysely<DB>): Promise<string[]> {
  const query = sql<{ name: string }>`select name from kysely_migration`
  return query.execute(db).then(
    ({ rows }) => rows.map(({ name }) => name).sort(),
    () => [],
  )
}
