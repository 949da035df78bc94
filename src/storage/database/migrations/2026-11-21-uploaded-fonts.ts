import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const uploadedFonts: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('fonts')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('format', 'text', (column) => column.notNull())
      .addColumn('family', 'text', (column) => column.notNull())
      .addColumn('weight_min', 'integer', (column) => column.notNull())
      .addColumn('weight_max', 'integer', (column) => column.notNull())
      .addColumn('is_italic', 'integer', (column) => column.notNull())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('sha256', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex('fonts_newest').on('fonts').columns(['account_id', 'created_at desc', 'id desc']).execute()
  },
}
