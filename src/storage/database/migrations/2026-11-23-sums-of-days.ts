import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Requests of an account by day, its executions by the day on which they ended, and the way to those of the last days. */
export const sumsOfDays: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('request_days')
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('requests', 'bigint', (column) => column.notNull())
      .addColumn('refused', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('request_days_primary', ['account_id', 'day'])
      .execute()
    await schema
      .createTable('execution_days')
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('failures', 'text', (column) => column.notNull())
      .addColumn('durations', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('execution_days_primary', ['account_id', 'day'])
      .execute()
    // All that is asked of completed ones is in it: no row is looked at.
    await schema
      .createIndex('executions_ended')
      .on('executions')
      .columns(['account_id', 'status', 'completed_at', 'created_at'])
      .where(sql.ref('completed_at'), 'is not', null)
      .execute()
  },
}
