import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { executeFor } from '../dialect.ts'

/**
 * One queue per account: how many of its executions wait, and when its next turn is. Triggers count the waiting executions
 * in the transaction of every change, so that a limit can be exact and doesn't cost a count of the rows.
 */
export const turnsOfAccounts: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db
    await schema
      .alterTable('executions')
      .addColumn('rank', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
    await schema.alterTable('executions').addColumn('worker', 'text').execute()
    await schema
      .createTable('account_queues')
      .addColumn('account_id', 'text', (column) => column.primaryKey())
      .addColumn('waiting', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('pass', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('last_pass', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await schema
      .createTable('workers')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createIndex('account_queues_waiting')
      .on('account_queues')
      .columns(['pass', 'account_id'])
      .where(sql.ref('waiting'), '>', sql.lit(0))
      .execute()
    await schema.createIndex('account_queues_last').on('account_queues').column('last_pass').execute()
    await schema.dropIndex('executions_pending').execute()
    await schema.dropIndex('executions_pending_again').execute()
    await schema
      .createIndex('executions_waiting')
      .on('executions')
      .columns(['account_id', 'rank', 'created_at', 'id'])
      .where(sql.ref('status'), '=', sql.lit('pending'))
      .execute()
    // The triggers come first: they lock their tables, so the counts below include every row that they have not counted.
    await executeFor(db, { sqlite: [...sqliteTriggers, ...fill], postgres: [...postgresTriggers, ...fill] })
  },
}

const fill = [
  'insert into account_queues (account_id) select id from accounts',
  `update account_queues set waiting = (
    select count(*) from executions where executions.account_id = account_queues.account_id and status = 'pending')`,
  `update executions set rank = 0 where status = 'pending' and attempt > 0`,
]

const add = (row: 'new' | 'old', n: string) =>
  `update account_queues set waiting = waiting + ${n} where account_id = ${row}.account_id;`
const waits = (row: 'new' | 'old') => `${row}.status = 'pending'`

const sqliteTriggers = [
  `create trigger accounts_queued after insert on accounts
    begin insert into account_queues (account_id) values (new.id); end`,
  `create trigger executions_waiting_added after insert on executions when ${waits('new')}
    begin ${add('new', '1')} end`,
  `create trigger executions_waiting_removed after delete on executions when ${waits('old')}
    begin ${add('old', '-1')} end`,
  `create trigger executions_waiting_ended after update of status on executions when ${waits('old')} and not ${waits('new')}
    begin ${add('old', '-1')} end`,
  `create trigger executions_waiting_again after update of status on executions when ${waits('new')} and not ${waits('old')}
    begin ${add('new', '1')} end`,
]

const postgresTriggers = [
  `create function add_account_queue() returns trigger language plpgsql as $$
    begin insert into account_queues (account_id) values (new.id); return null; end $$`,
  `create function add_waiting() returns trigger language plpgsql as $$
    begin ${add('new', '1')} return null; end $$`,
  `create function remove_waiting() returns trigger language plpgsql as $$
    begin ${add('old', '-1')} return null; end $$`,
  `create trigger accounts_queued after insert on accounts for each row execute function add_account_queue()`,
  `create trigger executions_waiting_added after insert on executions for each row when (${waits('new')})
    execute function add_waiting()`,
  `create trigger executions_waiting_removed after delete on executions for each row when (${waits('old')})
    execute function remove_waiting()`,
  `create trigger executions_waiting_ended after update of status on executions for each row
    when (${waits('old')} and not ${waits('new')}) execute function remove_waiting()`,
  `create trigger executions_waiting_again after update of status on executions for each row
    when (${waits('new')} and not ${waits('old')}) execute function add_waiting()`,
]
