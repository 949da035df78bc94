import type { Kysely } from 'kysely'
import { execute, isPostgres } from '../dialect.ts'
import type { LockingMigration } from '../migrate.ts'

/**
 * Counts the bytes of a row of a batch whose parameters change. Without it, the removal of the row took
 * away more or fewer bytes than its insert had added.
 */
export const editedRows: LockingMigration = {
  tables: ['batch_items', 'list_totals'],
  async up(db: Kysely<unknown>) {
    await execute(db, isPostgres(db) ? postgresTriggers : [sqliteTrigger])
  },
}

const difference = 'octet_length(new.parameters) - octet_length(old.parameters)'
const when = 'octet_length(new.parameters) <> octet_length(old.parameters)'

const sqliteTrigger = `create trigger batch_items_bytes_changed after update of parameters on batch_items when ${when}
  begin insert into list_totals (account_id, list, value, total) values (new.account_id, 'stored_bytes', '', ${difference})
    on conflict do update set total = total + excluded.total; end`

const postgresTriggers = [
  `create function batch_items_bytes_changed() returns trigger language plpgsql as $$
    begin perform add_to_list(new.account_id, 'stored_bytes', '', (${difference})::bigint); return null; end $$`,
  `create trigger batch_items_bytes_changed after update of parameters on batch_items for each row when (${when})
    execute function batch_items_bytes_changed()`,
]
