import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The step cache, what failed executions leave for those that resume them, and which execution resumes which. */
export const yieldsOfSteps: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('step_results')
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('blob_key', 'text')
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('facts', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('used_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('step_results_primary', ['account_id', 'key'])
      .execute()
    // With the size, so that they are summed and evicted without a look at the rows.
    await schema
      .createIndex('step_results_least_used')
      .on('step_results')
      .columns(['account_id', 'used_at', 'key', 'size'])
      .execute()
    await schema.createIndex('step_results_of_blob').on('step_results').column('blob_key').execute()
    await schema
      .createTable('kept_steps')
      .addColumn('execution_id', 'text', (column) => column.notNull())
      .addColumn('task', 'text', (column) => column.notNull())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('key', 'text')
      .addColumn('blob_key', 'text')
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('facts', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('kept_steps_primary', ['execution_id', 'task'])
      .execute()
    await schema.createIndex('kept_steps_oldest').on('kept_steps').column('created_at').execute()
    await schema.createIndex('kept_steps_of_account').on('kept_steps').columns(['account_id', 'size']).execute()
    await schema.createIndex('kept_steps_of_blob').on('kept_steps').column('blob_key').execute()
    await schema.alterTable('executions').addColumn('resumed_from', 'text').execute()
  },
}
