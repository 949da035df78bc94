import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Small pictures of what steps gave, and which executions were asked to keep them. */
export const previews: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('previews')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('key', 'text')
      .addColumn('width', 'integer', (column) => column.notNull())
      .addColumn('height', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('used_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex('previews_of_key').on('previews').columns(['account_id', 'key']).execute()
    await schema.createIndex('previews_least_shown').on('previews').column('used_at').execute()
    await schema.alterTable('executions').addColumn('previews', 'integer').execute()
  },
}
