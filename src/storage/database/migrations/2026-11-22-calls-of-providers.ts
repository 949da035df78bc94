import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Calls of AI providers, what they cost, what may be spent, and with which key an execution was begun. */
export const callsOfProviders: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('provider_calls')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('execution_id', 'text', (column) => column.notNull().references('executions.id'))
      .addColumn('workflow_id', 'text', (column) => column.notNull())
      .addColumn('key_id', 'text')
      .addColumn('node', 'text', (column) => column.notNull())
      .addColumn('item', 'integer', (column) => column.notNull())
      .addColumn('ordinal', 'integer', (column) => column.notNull())
      .addColumn('sequence', 'integer', (column) => column.notNull())
      .addColumn('capability', 'text', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('model', 'text', (column) => column.notNull())
      .addColumn('request_hash', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('handle', 'text')
      .addColumn('answer', 'text')
      .addColumn('problem', 'text')
      .addColumn('reserved_micros', 'bigint', (column) => column.notNull())
      .addColumn('cost_micros', 'bigint')
      .addColumn('cost_source', 'text')
      .addColumn('request_id', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('ended_at', 'bigint')
      .addUniqueConstraint('provider_calls_place', ['execution_id', 'node', 'item', 'ordinal', 'sequence'])
      .execute()
    await schema
      .createIndex('provider_calls_open')
      .on('provider_calls')
      .columns(['updated_at', 'id'])
      .where(sql.ref('ended_at'), 'is', null)
      .execute()
    await schema
      .createIndex('provider_calls_ended')
      .on('provider_calls')
      .column('ended_at')
      .where(sql.ref('ended_at'), 'is not', null)
      .execute()
    await schema
      .createTable('budgets')
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('period', 'text', (column) => column.notNull())
      .addColumn('spent', 'bigint', (column) => column.notNull())
      .addColumn('reserved', 'bigint', (column) => column.notNull())
      .addColumn('unknown_costs', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('budgets_primary', ['scope', 'period'])
      .execute()
    await schema
      .createTable('usage_days')
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('workflow_id', 'text', (column) => column.notNull())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('model', 'text', (column) => column.notNull())
      .addColumn('capability', 'text', (column) => column.notNull())
      .addColumn('calls', 'bigint', (column) => column.notNull())
      .addColumn('failures', 'bigint', (column) => column.notNull())
      .addColumn('cost', 'bigint', (column) => column.notNull())
      .addColumn('unknown_costs', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('usage_days_primary', [
        'account_id',
        'day',
        'workflow_id',
        'key_id',
        'model',
        'capability',
      ])
      .execute()
    await schema.alterTable('accounts').addColumn('monthly_budget_micros', 'bigint').execute()
    await schema.alterTable('executions').addColumn('key_id', 'text').execute()
  },
}
