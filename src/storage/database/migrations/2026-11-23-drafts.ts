import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Drafts, what the executions of drafts run, and notes of versions.
 *
 * The id of a draft that was never published belongs to a row of `workflows` at version 0, deleted until it is published,
 * with a version 0 that has no document: executions of the draft refer to it, as all refer to a version.
 */
export const drafts: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('drafts')
      .addColumn('workflow_id', 'text', (column) => column.primaryKey().references('workflows.id'))
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('base_version', 'integer', (column) => column.notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .addColumn('document', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute()
    // By what does not change with each save: a save then touches no index.
    await schema
      .createIndex('drafts_newest')
      .on('drafts')
      .columns(['account_id', 'created_at desc', 'workflow_id desc'])
      .execute()
    await schema
      .alterTable('workflows')
      .addColumn('draft_revisions', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await schema.alterTable('workflow_versions').addColumn('note', 'text').execute()
    await schema.alterTable('executions').addColumn('document', 'text').execute()
    await schema.alterTable('executions').addColumn('node', 'text').execute()
  },
}
