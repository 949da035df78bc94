import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const addresses: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('addresses')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('url', 'text', (column) => column.notNull())
      .execute()
  },
}
