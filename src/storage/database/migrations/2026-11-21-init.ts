import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The first schema. Every index serves one list order, one filter or one look-up of a store; its name says which. */
export const init: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of tables(db)) await table.execute()
    for (const index of indexes(db)) await index.execute()
  },
}

function tables(db: Kysely<unknown>): CreateTableBuilder<string, string>[] {
  const { schema } = db
  return [
    schema
      .createTable('accounts')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('plan', 'text', (column) => column.notNull())
      .addColumn('rate_limit', 'integer')
      .addColumn('created_at', 'bigint', (column) => column.notNull()),

    schema
      .createTable('keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('prefix', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('permissions', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('revoked_at', 'bigint')
      .addColumn('last_used_at', 'bigint'),

    schema
      .createTable('projects')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('is_default', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull()),

    schema
      .createTable('workflows')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('project_id', 'text', (column) => column.notNull().references('projects.id'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('deleted_at', 'bigint'),

    schema
      .createTable('workflow_versions')
      .addColumn('workflow_id', 'text', (column) => column.notNull().references('workflows.id'))
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('document', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('workflow_versions_primary', ['workflow_id', 'version']),

    // execution_id refers to nothing by force: an image outlives the record of the execution that made it.
    schema
      .createTable('images')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('project_id', 'text', (column) => column.references('projects.id'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('format', 'text', (column) => column.notNull())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('width', 'integer', (column) => column.notNull())
      .addColumn('height', 'integer', (column) => column.notNull())
      .addColumn('sha256', 'text', (column) => column.notNull())
      .addColumn('execution_id', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull()),

    schema
      .createTable('executions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('workflow_id', 'text', (column) => column.notNull())
      .addColumn('workflow_version', 'integer', (column) => column.notNull())
      .addColumn('parameters', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) =>
        column.notNull().check(sql`status in ('pending', 'running', 'completed', 'failed')`),
      )
      .addColumn('attempt', 'integer', (column) => column.notNull())
      .addColumn('attempts_released', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('output', 'text')
      .addColumn('error', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('started_at', 'bigint')
      .addColumn('completed_at', 'bigint')
      .addColumn('steps', 'text', (column) => column.notNull())
      .addForeignKeyConstraint('executions_of_version', ['workflow_id', 'workflow_version'], 'workflow_versions', [
        'workflow_id',
        'version',
      ]),

    schema
      .createTable('idempotency_keys')
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('method', 'text', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull().check(sql`state in ('running', 'done')`))
      .addColumn('response', 'text')
      .addColumn('execution_id', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('idempotency_keys_primary', ['account_id', 'key']),
  ]
}

function indexes({ schema }: Kysely<unknown>) {
  const newest = ['created_at desc', 'id desc'] as const
  return [
    schema.createIndex('accounts_oldest').on('accounts').columns(['created_at', 'id']),
    schema
      .createIndex('keys_newest')
      .on('keys')
      .columns([...newest]),
    schema
      .createIndex('keys_of_account_newest')
      .on('keys')
      .columns(['account_id', ...newest]),
    schema
      .createIndex('projects_newest')
      .on('projects')
      .columns(['account_id', ...newest]),
    schema
      .createIndex('projects_one_default')
      .unique()
      .on('projects')
      .column('account_id')
      .where(sql.ref('is_default'), '=', sql.lit(1)),
    schema
      .createIndex('workflows_newest')
      .on('workflows')
      .columns(['account_id', ...newest])
      .where(sql.ref('deleted_at'), 'is', null),
    schema
      .createIndex('workflows_of_project_newest')
      .on('workflows')
      .columns(['account_id', 'project_id', ...newest])
      .where(sql.ref('deleted_at'), 'is', null),
    schema
      .createIndex('workflows_by_name')
      .on('workflows')
      .columns(['account_id', 'name', ...newest])
      .where(sql.ref('deleted_at'), 'is', null),
    schema
      .createIndex('images_newest')
      .on('images')
      .columns(['account_id', ...newest]),
    schema
      .createIndex('images_of_project_newest')
      .on('images')
      .columns(['account_id', 'project_id', ...newest]),
    schema
      .createIndex('images_by_hash')
      .on('images')
      .columns(['account_id', 'sha256', ...newest]),
    schema
      .createIndex('executions_newest')
      .on('executions')
      .columns(['account_id', ...newest]),
    schema
      .createIndex('executions_of_workflow_newest')
      .on('executions')
      .columns(['account_id', 'workflow_id', ...newest]),
    schema
      .createIndex('executions_in_status_newest')
      .on('executions')
      .columns(['account_id', 'status', ...newest]),
    schema
      .createIndex('executions_pending')
      .on('executions')
      .columns(['created_at', 'id'])
      .where(sql.ref('status'), '=', sql.lit('pending')),
    schema
      .createIndex('executions_running')
      .on('executions')
      .column('id')
      .where(sql.ref('status'), '=', sql.lit('running')),
    schema.createIndex('idempotency_keys_oldest').on('idempotency_keys').column('created_at'),
  ]
}
