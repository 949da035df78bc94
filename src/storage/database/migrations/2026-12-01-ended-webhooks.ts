import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { execute } from '../dialect.ts'

/** The retention of an account finds its ended deliveries without reading those that wait. */
export const endedWebhooks: Migration = {
  async up(db: Kysely<unknown>) {
    await execute(db, [
      `create index webhook_deliveries_of_account_ended on webhook_deliveries (account_id, created_at, id)
        where ended_at is not null`,
    ])
  },
}
