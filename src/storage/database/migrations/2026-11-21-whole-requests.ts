import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * A request's key is written together with what the request makes. A key that was begun before that and has made nothing
 * is forgotten: no process works on it any more.
 */
export const wholeRequests: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      delete from idempotency_keys where state = 'running'
        and not exists (select 1 from executions where executions.id = idempotency_keys.execution_id)`.execute(db)
    await db.schema.alterTable('idempotency_keys').renameColumn('execution_id', 'resource_id').execute()
  },
}
