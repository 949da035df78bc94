import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const vacatedBlobs: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('blob_removals')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('requested_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex('blob_removals_oldest').on('blob_removals').columns(['requested_at', 'key']).execute()
    await schema
      .createTable('chores')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('begun_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
