import type { Kysely } from 'kysely'
import { execute } from '../dialect.ts'
import type { LockingMigration } from '../migrate.ts'

/**
 * Times after which images are removed, with the defaults of projects, and orders and filters of the list of images. `observed_clock` has at most one row:
 * what the retention knows about jumps of the clock. See retention/clock-watch.ts.
 */
export const expiry: LockingMigration = {
  tables: ['images', 'executions', 'projects'],
  async up(db: Kysely<unknown>) {
    await execute(db, [
      'alter table images add column expires_at bigint',
      'alter table executions add column expires_in integer',
      'alter table projects add column uploads_expire_in integer',
      'alter table projects add column outputs_expire_in integer',
      'create index images_expiring on images (expires_at, created_at, id) where expires_at is not null',
      'create index images_by_size on images (account_id, size, id)',
      'create index images_uploaded_newest on images (account_id, created_at, id) where execution_id is null',
      'create index images_of_executions_newest on images (account_id, created_at, id) where execution_id is not null',
      `create table observed_clock (
        id integer primary key,
        seen_at bigint not null,
        jumped_at bigint not null,
        lag_ms bigint not null)`,
    ])
  },
}
