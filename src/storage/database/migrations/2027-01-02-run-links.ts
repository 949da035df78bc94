/**
 * Adds run links to API keys: the only workflow that such a key can run, the most executions that it starts per minute, and the image that its
 * page shows first. Null for the keys that exist.
 */
import type { Kysely } from 'kysely'
import { execute, textByBytes } from '../dialect.ts'
import type { LockingMigration } from '../migrate.ts'

export const runLinks: LockingMigration = {
  tables: ['keys'],
  async up(db: Kysely<unknown>) {
    const text = textByBytes(db)
    await execute(db, [
      `alter table keys add column workflow_id ${text}`,
      'alter table keys add column executions_per_minute integer',
      `alter table keys add column example_image_id ${text}`,
    ])
  },
}
