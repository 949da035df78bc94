import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What became of an execution, line by line; empty of those that are older than this. */
export const logsOfExecutions: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable('executions')
      .addColumn('events', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  },
}
