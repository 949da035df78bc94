import type { Kysely } from 'kysely'
import { execute } from '../dialect.ts'
import type { LockingMigration } from '../migrate.ts'

/**
 * An index for both filters of the audit log: of a million entries, one key can have made nearly all, and one action can be rare. And the last use of long
 * brand values of executions, with an index of the executions that have them: a hash has 64 characters.
 */
export const ends: LockingMigration = {
  tables: ['audit_log', 'executions', 'execution_brands'],
  async up(db: Kysely<unknown>) {
    await execute(db, [
      'create index audit_log_of_action_and_key_newest on audit_log (account_id, action, key_id, created_at, id)',
      'alter table execution_brands add column used_at bigint not null default 0',
      'create index execution_brands_least_used on execution_brands (used_at)',
      'create index executions_of_brand on executions (account_id, brand) where length(brand) = 64',
    ])
  },
}
