import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Sign-ins of the console. */
export const sessions: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('sessions')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('key_id', 'text', (column) => column.notNull().references('keys.id'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createIndex('sessions_of_key_newest')
      .on('sessions')
      .columns(['key_id', 'created_at desc', 'hash'])
      .execute()
    await schema.createIndex('sessions_expiring').on('sessions').column('expires_at').execute()
  },
}
