import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'

/**
 * Brings a database to the newest schema, or leaves it as it was and throws. All of it is one transaction that holds
 * the engine's lock (SQLite: the write lock; PostgreSQL: an advisory one), so processes that start together take turns
 * and the second finds nothing to do.
 */
export async function migrate<DB>(db: Kysely<DB>, migrations: Record<string, Migration>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}
