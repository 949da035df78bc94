import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { execute, textByBytes } from '../dialect.ts'

/**
 * The deliveries of an event share its body. Deliveries from before have theirs in `webhook_deliveries.body`, until the retention removes them. No
 * reference between the two tables: SQLite would search all deliveries for each body that is removed.
 */
export const webhookBodies: Migration = {
  async up(db: Kysely<unknown>) {
    const text = textByBytes(db)
    await execute(db, [
      `create table webhook_bodies (
        id ${text} primary key,
        account_id ${text} not null references accounts (id),
        bytes integer not null,
        deliveries integer not null,
        body ${text} not null)`,
      `create table webhook_stored_bodies (
        account_id ${text} primary key,
        bytes bigint not null)`,
      `alter table webhook_deliveries add column body_id ${text}`,
      'alter table webhook_queues add column waiting_bytes bigint not null default 0',
      // 500: see deliveryRowBytes.
      `update webhook_queues set waiting_bytes = coalesce((
        select sum(octet_length(d.body) + 500) from webhook_deliveries as d
        where d.account_id = webhook_queues.account_id and d.endpoint_id = webhook_queues.endpoint_id
          and d.status = 'pending'), 0)`,
    ])
  },
}
