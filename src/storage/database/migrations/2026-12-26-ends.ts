import type { Kysely } from 'kysely'
import { execute } from '../dialect.ts'
import type { LockingMigration } from '../migrate.ts'

/** An index for both filters of the audit log: of a million entries, one key can have made nearly all, and one action can be rare. */
export const ends: LockingMigration = {
  tables: ['audit_log'],
  async up(db: Kysely<unknown>) {
    await execute(db, [
      'create index audit_log_of_action_and_key_newest on audit_log (account_id, action, key_id, created_at, id)',
    ])
  },
}
