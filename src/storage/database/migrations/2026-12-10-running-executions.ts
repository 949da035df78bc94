import { type Kysely, sql } from 'kysely'
import { execute, isPostgres } from '../dialect.ts'
import type { LockingMigration } from '../migrate.ts'

/**
 * Counts the running executions of each account next to those that wait, so that a claim counts no rows, and passes over no account at its limit.
 *
 * `is_full`: set by the start that reaches the limit, and cleared by each end and by a change of the plan. A hint, because plans can change between
 * releases: a claim compares the numbers as well.
 *
 * On PostgreSQL an update writes to no index and stays on its page (HOT) if it changes no indexed value. So the indexes have `may_start`, and not the number
 * of waiting executions, and pages have room.
 */
export const runningExecutions: LockingMigration = {
  tables: ['executions', 'accounts', 'account_queues'],
  async up(db: Kysely<unknown>) {
    const kind = isPostgres(db) ? 'stored' : 'virtual'
    await execute(db, [
      ...(isPostgres(db) ? dropPostgresTriggers : dropSqliteTriggers),
      'drop index account_queues_waiting',
      ...(isPostgres(db) ? ['alter table account_queues set (fillfactor = 50)'] : []),
      'alter table account_queues add column running bigint not null default 0',
      'alter table account_queues add column is_full integer not null default 0',
      `alter table account_queues add column may_start integer
        generated always as (case when waiting <= 0 then null else 1 - is_full end) ${kind}`,
      `update account_queues set running = (
        select count(*) from executions where account_id = account_queues.account_id and status = 'running')`,
      'create index account_queues_next on account_queues (may_start, pass, account_id) where may_start is not null',
      ...(isPostgres(db) ? postgresTriggers : sqliteTriggers),
      // Only several processes have leases.
      ...(isPostgres(db)
        ? [`create index executions_of_worker on executions (worker_id) where status = 'running'`]
        : []),
    ])
    if (isPostgres(db)) await sql`analyze account_queues`.execute(db)
  },
}

const waitingTriggers = ['added', 'removed', 'started', 'again'].map((name) => `executions_waiting_${name}`)
const dropSqliteTriggers = waitingTriggers.map((name) => `drop trigger ${name}`)
const dropPostgresTriggers = [
  ...waitingTriggers.map((name) => `drop trigger ${name} on executions`),
  'drop function add_waiting()',
  'drop function remove_waiting()',
]

const isQueued = (row: 'new' | 'old') => `${row}.status in ('pending', 'running')`
const hasRoomAgain = 'update account_queues set is_full = 0 where account_id = new.id and is_full = 1;'

const sqliteTriggers = [
  sqliteTrigger('added', 'insert', `when ${isQueued('new')}`, ['new']),
  sqliteTrigger('removed', 'delete', `when ${isQueued('old')}`, ['old']),
  sqliteTrigger('moved', 'update of status', 'when new.status <> old.status', ['new', 'old']),
  `create trigger accounts_plan_changed after update of plan on accounts begin ${hasRoomAgain} end`,
]

function sqliteTrigger(name: string, event: string, when: string, rows: ('new' | 'old')[]): string {
  const change = (status: string) =>
    rows.map((row) => `${row === 'new' ? '+' : '-'} (${row}.status = '${status}')`).join(' ')
  const isFull = rows.includes('old') ? `case when old.status = 'running' then 0 else is_full end` : 'is_full'
  return `create trigger executions_queue_${name} after ${event} on executions ${when}
    begin update account_queues
      set waiting = waiting ${change('pending')}, running = running ${change('running')}, is_full = ${isFull}
      where account_id = ${rows[0]}.account_id; end`
}

/** In a trigger of an insert, `old` is null, and in one of a delete, `new`. */
const postgresTriggers = [
  `create function count_in_queue() returns trigger language plpgsql as $$
    declare
      waits integer := (new.status is not distinct from 'pending')::integer - (old.status is not distinct from 'pending')::integer;
      runs integer := (new.status is not distinct from 'running')::integer - (old.status is not distinct from 'running')::integer;
    begin
      update account_queues
        set waiting = waiting + waits, running = running + runs, is_full = case when runs < 0 then 0 else is_full end
        where account_id = coalesce(new.account_id, old.account_id);
      return null;
    end $$`,
  postgresTrigger('added', 'insert', isQueued('new')),
  postgresTrigger('removed', 'delete', isQueued('old')),
  postgresTrigger('moved', 'update of status', 'new.status <> old.status'),
  `create function note_plan() returns trigger language plpgsql as $$ begin ${hasRoomAgain} return null; end $$`,
  `create trigger accounts_plan_changed after update of plan on accounts for each row
    when (new.plan <> old.plan) execute function note_plan()`,
]

function postgresTrigger(name: string, event: string, when: string): string {
  return `create trigger executions_queue_${name} after ${event} on executions for each row when (${when})
    execute function count_in_queue()`
}
