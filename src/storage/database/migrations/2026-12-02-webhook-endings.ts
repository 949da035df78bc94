import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { execute } from '../dialect.ts'

/** Queues of deleted and disabled endpoints are set aside, and their deliveries end in parts. */
export const webhookEndings: Migration = {
  async up(db: Kysely<unknown>) {
    await execute(db, [
      'alter table webhook_queues add column ending_at bigint',
      'create index webhook_queues_ending on webhook_queues (ending_at) where ending_at is not null',
    ])
  },
}
