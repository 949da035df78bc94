import { type Kysely, sql } from 'kysely'
import { execute, isPostgres } from '../dialect.ts'
import type { LockingMigration } from '../migrate.ts'
import { type Counted, triggersOf } from './init-bytes.ts'

/**
 * Lists of executions and of webhook deliveries have no totals, and each webhook delivery has its own body. The bytes of the files of delivery URLs are a total, which the retention reads. Deleted workflows are leftovers
 * until their files are removed.
 */
export const retention: LockingMigration = {
  tables: [
    'executions',
    'webhook_deliveries',
    'webhook_bodies',
    'webhook_stored_bodies',
    'derived_files',
    'channel_leftovers',
    'workflows',
    'accounts',
    'list_totals',
  ],
  async up(db: Kysely<unknown>) {
    await execute(db, [copyBodies, ...(isPostgres(db) ? postgresBodies : sqliteBodies)])
    await execute(db, triggersOf(db, derivedFiles))
    const columns = sql.raw(isPostgres(db) ? 'id, account_id, list, value, total' : 'account_id, list, value, total')
    const id = sql.raw(isPostgres(db) ? `'derived_file_bytes ' || account_id, ` : '')
    await sql`insert into list_totals (${columns})
      select ${id} account_id, 'derived_file_bytes', '', sum(size + 500) from derived_files group by account_id`.execute(
      db,
    )
    await execute(db, [leftovers])
    await execute(db, isPostgres(db) ? postgresTotals : sqliteTotals)
    await sql`delete from list_totals where list in (${sql.join(uncounted)})`.execute(db)
  },
}

/** A file of unknown size counts as its row. */
const derivedFiles: Counted = {
  table: 'derived_files',
  list: 'derived_file_bytes',
  bytes: (row) => `${row}size + 500`,
  isCounted: () => '1 = 1',
  changing: 'size',
}

const copyBodies = `update webhook_deliveries
  set body = (select b.body from webhook_bodies as b where b.id = webhook_deliveries.body_id)
  where exists (select 1 from webhook_bodies as b where b.id = webhook_deliveries.body_id)`

/** No process of another release has the file open. */
const sqliteBodies = [
  'alter table webhook_deliveries drop column body_id',
  'drop table webhook_bodies',
  'drop table webhook_stored_bodies',
]

/**
 * Processes of the release before still write a body and then its deliveries, and read the body of a delivery without a `body_id` from its row. The
 * next release can drop both tables, the column and the trigger.
 */
const postgresBodies = [
  'update webhook_deliveries set body_id = null where body_id is not null',
  'delete from webhook_bodies',
  'delete from webhook_stored_bodies',
  'alter table webhook_bodies drop constraint webhook_bodies_account_id_fkey',
  `create function copy_webhook_body() returns trigger language plpgsql as $$ begin
    select b.body into strict new.body from webhook_bodies as b where b.id = new.body_id;
    new.body_id := null;
    return new;
  end $$`,
  `create trigger webhook_deliveries_body before insert on webhook_deliveries for each row
    when (new.body_id is not null) execute function copy_webhook_body()`,
]

const leftovers = `insert into channel_leftovers (workflow_id)
  select id from workflows where deleted_at is not null
    and exists (select 1 from derived_files as f where f.owner_id = workflows.id)
    and not exists (select 1 from channel_leftovers as l where l.workflow_id = workflows.id)`

const uncounted = [
  'executions',
  'executions_of_workflow',
  'executions_in_status',
  'executions_of_workflow_in_status',
  'webhook_deliveries_in_status',
  'webhook_deliveries_of_endpoint_in_status',
]
const changes = ['added', 'removed', 'moved']
const sqliteTotals = uncounted.flatMap((list) => changes.map((change) => `drop trigger ${list}_${change}`))
const postgresTotals = ['executions', 'webhook_deliveries'].flatMap((table) => [
  ...changes.map((change) => `drop trigger ${table}_${change} on ${table}`),
  `drop function count_${table}()`,
  `drop function move_${table}()`,
])
