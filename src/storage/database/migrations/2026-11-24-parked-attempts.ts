import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whether an attempt only waits, for a provider say: then the loss of its process isn't its fault. */
export const parkedAttempts: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable('executions')
      .addColumn('parked', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
