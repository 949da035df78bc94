import type { Kysely } from 'kysely'
import { execute, textByBytes } from '../dialect.ts'
import type { LockingMigration } from '../migrate.ts'

/** The work that started an execution, a batch or a delivery, so that the process that continues it adds to the same trace. */
export const traces: LockingMigration = {
  tables: ['executions', 'batches', 'webhook_deliveries'],
  async up(db: Kysely<unknown>) {
    const text = textByBytes(db)
    await execute(db, [
      `alter table executions add column traceparent ${text}`,
      `alter table batches add column traceparent ${text}`,
      `alter table webhook_deliveries add column traceparent ${text}`,
    ])
  },
}
