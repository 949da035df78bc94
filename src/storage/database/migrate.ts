import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'

/**
 * Brings a database to the newest schema, or leaves it as it was and throws. All of it is one transaction that holds
 * the engine's lock (SQLite: the write lock; PostgreSQL: an advisory one), so processes that start together take turns
 * and the second finds nothing to do.
 */
export async function migrate<DB>(db: Kysely<DB>, migrations: Record<string, Migration>): Promise<void> {
  const done = await namesOfDone(db)
  const unknown = done.filter((name) => !Object.hasOwn(migrations, name))
  if (unknown.length > 0) {
    throw new Error(`This database was written by a newer release, whose ${unknown.join(', ')} this one does not know.`)
  }
  if (done.length === Object.keys(migrations).length) return
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}

/** Oldest first. None where the migrator's table is not there yet; any other trouble the migrator meets too. */
export async function namesOfDone<DB>(db: Kysely<DB>): Promise<string[]> {
  const query = sql<{ name: string }>`select name from kysely_migration`
  return query.execute(db).then(
    ({ rows }) => rows.map(({ name }) => name).sort(),
    () => [],
  )
}
