import type { Kysely } from 'kysely'
import { execute, isPostgres } from '../dialect.ts'
import type { LockingMigration } from '../migrate.ts'

/**
 * Counts the running executions of each account next to those that wait, and keeps their limit there, so that a claim counts no rows, reads no other table
 * to find an account, and passes over none at its limit.
 *
 * On PostgreSQL an update writes to no index and stays on its page (HOT) if it changes no indexed value. So the index has `may_start`, and not the numbers,
 * and pages have room.
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
      'alter table account_queues add column running_max bigint not null default 0',
      `alter table account_queues add column may_start integer
        generated always as (case when waiting <= 0 then null when running < running_max then 1 else 0 end) ${kind}`,
      `update account_queues set
        running = (select count(*) from executions where account_id = account_queues.account_id and status = 'running'),
        running_max = (select ${runningMax('plan')} from accounts where id = account_queues.account_id)`,
      'create index account_queues_next on account_queues (may_start, pass, account_id) where may_start is not null',
      ...(isPostgres(db) ? postgresTriggers : sqliteTriggers),
      // Only several processes have leases.
      ...(isPostgres(db)
        ? [`create index executions_of_worker on executions (worker_id) where status = 'running'`]
        : []),
    ])
  },
}

/** `runningMax` of `domain/accounts/plan.ts`. Another limit needs a migration with other triggers; `test/contract/fair-queue.ts` compares both. */
const runningMax = (plan: string) =>
  `case ${plan} when 'starter' then 20 when 'pro' then 80 when 'enterprise' then 180 else 0 end`

const waitingTriggers = ['added', 'removed', 'started', 'again'].map((name) => `executions_waiting_${name}`)
const dropSqliteTriggers = waitingTriggers.map((name) => `drop trigger ${name}`)
const dropPostgresTriggers = [
  ...waitingTriggers.map((name) => `drop trigger ${name} on executions`),
  'drop function add_waiting()',
  'drop function remove_waiting()',
]

const isQueued = (row: 'new' | 'old') => `${row}.status in ('pending', 'running')`
const addQueue = `insert into account_queues (account_id, running_max) values (new.id, ${runningMax('new.plan')});`
const changeLimit = `update account_queues set running_max = ${runningMax('new.plan')} where account_id = new.id;`

const sqliteTriggers = [
  sqliteTrigger('added', 'insert', `when ${isQueued('new')}`, ['new']),
  sqliteTrigger('removed', 'delete', `when ${isQueued('old')}`, ['old']),
  sqliteTrigger('moved', 'update of status', 'when new.status <> old.status', ['new', 'old']),
  'drop trigger accounts_queued',
  `create trigger accounts_queued after insert on accounts begin ${addQueue} end`,
  `create trigger accounts_plan_changed after update of plan on accounts begin ${changeLimit} end`,
]

function sqliteTrigger(name: string, event: string, when: string, rows: ('new' | 'old')[]): string {
  const change = (status: string) =>
    rows.map((row) => `${row === 'new' ? '+' : '-'} (${row}.status = '${status}')`).join(' ')
  return `create trigger executions_queue_${name} after ${event} on executions ${when}
    begin update account_queues set waiting = waiting ${change('pending')}, running = running ${change('running')}
      where account_id = ${rows[0]}.account_id; end`
}

/** Triggers of rows: `old` is null in one of an insert, and `new` in one of a delete. */
const postgresTriggers = [
  `create function count_in_queue() returns trigger language plpgsql as $$
    declare
      waits integer := (new.status is not distinct from 'pending')::integer - (old.status is not distinct from 'pending')::integer;
      runs integer := (new.status is not distinct from 'running')::integer - (old.status is not distinct from 'running')::integer;
    begin
      update account_queues
        set waiting = waiting + waits, running = running + runs
        where account_id = coalesce(new.account_id, old.account_id);
      return null;
    end $$`,
  postgresTrigger('added', 'insert', isQueued('new')),
  postgresTrigger('removed', 'delete', isQueued('old')),
  postgresTrigger('moved', 'update of status', 'new.status <> old.status'),
  `create or replace function add_account_queue() returns trigger language plpgsql as $$
    begin ${addQueue} return null; end $$`,
  `create function change_running_max() returns trigger language plpgsql as $$ begin ${changeLimit} return null; end $$`,
  `create trigger accounts_plan_changed after update of plan on accounts for each row
    when (new.plan <> old.plan) execute function change_running_max()`,
]

function postgresTrigger(name: string, event: string, when: string): string {
  return `create trigger executions_queue_${name} after ${event} on executions for each row when (${when})
    execute function count_in_queue()`
}
