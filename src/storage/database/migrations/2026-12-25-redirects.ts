import type { Kysely } from 'kysely'
import { execute } from '../dialect.ts'
import type { LockingMigration } from '../migrate.ts'

/** Whether the workflow of a file lets its delivery URLs redirect to `IMAGES_URL`. */
export const redirects: LockingMigration = {
  tables: ['derived_files'],
  async up(db: Kysely<unknown>) {
    await execute(db, ['alter table derived_files add column redirects integer not null default 0'])
  },
}
