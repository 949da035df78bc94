import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'

/**
 * Brings a database to the newest schema, or leaves it as it was and throws. All migrations are one transaction with the
 * lock of the engine (SQLite: the write lock; PostgreSQL: an advisory lock), so processes that start together take turns
 * and the second finds nothing to do. Throws `OtherVersion`.
 */
export async function migrate<DB>(db: Kysely<DB>, migrations: Record<string, Migration>): Promise<void> {
  const done = await requireKnown(db, Object.keys(migrations))
  if (done.length === Object.keys(migrations).length) return
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}

/** The migrations of a database, all of them known ones. Throws `OtherVersion`. */
export async function requireKnown<DB>(db: Kysely<DB>, known: readonly string[]): Promise<string[]> {
  const done = await namesOfDone(db)
  const unknown = unknownMigration(done, known)
  if (unknown !== undefined) throw new OtherVersion(unknown)
  return done
}

/** A migration that this version doesn't have. */
export interface UnknownMigration {
  name: string
  /**
   * Whether the tables are from before the first migration of this version, and so of a version that was never
   * released. See `unreleased`.
   */
  isEarlier: boolean
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
