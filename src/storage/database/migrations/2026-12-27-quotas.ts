import type { Kysely } from 'kysely'
import { execute, isPostgres } from '../dialect.ts'
import type { LockingMigration } from '../migrate.ts'

/**
 * Counts, in the update of `account_queues` that each execution makes in any case, the executions that an account started this month, and the images that
 * its executions in progress are going to add.
 */
export const quotas: LockingMigration = {
  tables: ['executions', 'account_queues'],
  async up(db: Kysely<unknown>) {
    const text = isPostgres(db) ? 'text collate "C"' : 'text'
    const { month, monthStartMs } = isPostgres(db) ? postgresNow : sqliteNow
    await execute(db, [
      // Executions of a process of the release before have one.
      'alter table executions add column images_reserved integer not null default 1',
      'alter table account_queues add column images_reserved bigint not null default 0',
      'alter table account_queues add column month_executions bigint not null default 0',
      `alter table account_queues add column month ${text} not null default ''`,
      `update account_queues set month = ${month},
        images_reserved = (select count(*) from executions
          where account_id = account_queues.account_id and status in ('pending', 'running')),
        month_executions = (select count(*) from executions
          where account_id = account_queues.account_id and created_at >= ${monthStartMs})`,
      ...(isPostgres(db) ? postgresTriggers : sqliteTriggers),
    ])
  },
}

const sqliteNow = {
  month: `strftime('%Y-%m', 'now')`,
  monthStartMs: `1000 * cast(strftime('%s', 'now', 'start of month') as integer)`,
}
const postgresNow = {
  month: `to_char(now() at time zone 'UTC', 'YYYY-MM')`,
  monthStartMs: `1000 * extract(epoch from date_trunc('month', now() at time zone 'UTC') at time zone 'UTC')`,
}

const isQueued = (row: 'new' | 'old') => `${row}.status in ('pending', 'running')`

/** Counts the executions of another month again, because the clock of the last execution or of this one can be wrong. */
const monthCount = (month: string, { from, to }: { from: string; to: string }) => `case when month = ${month}
      then month_executions + 1
      else (select count(*) from executions where account_id = new.account_id and created_at >= ${from} and created_at < ${to}) end`

const sqliteSecondsOfNew = `new.created_at / 1000, 'unixepoch'`
const sqliteMonthOfNew = `strftime('%Y-%m', ${sqliteSecondsOfNew})`
const sqliteMonthCount = monthCount(sqliteMonthOfNew, {
  from: `1000 * unixepoch(${sqliteSecondsOfNew}, 'start of month')`,
  to: `1000 * unixepoch(${sqliteSecondsOfNew}, 'start of month', '+1 month')`,
})

const sqliteTriggers = [
  ...['added', 'removed', 'moved'].map((name) => `drop trigger executions_queue_${name}`),
  sqliteTrigger(
    'added',
    'insert',
    `when ${isQueued('new')}`,
    ['new'],
    `,
      month_executions = ${sqliteMonthCount},
      month = ${sqliteMonthOfNew}`,
  ),
  sqliteTrigger('removed', 'delete', `when ${isQueued('old')}`, ['old']),
  sqliteTrigger('moved', 'update of status', 'when new.status <> old.status', ['new', 'old']),
]

function sqliteTrigger(name: string, event: string, when: string, rows: ('new' | 'old')[], more = ''): string {
  const change = (value: (row: 'new' | 'old') => string) =>
    rows.map((row) => `${row === 'new' ? '+' : '-'} ${value(row)}`).join(' ')
  return `create trigger executions_queue_${name} after ${event} on executions ${when}
    begin update account_queues set
      waiting = waiting ${change((row) => `(${row}.status = 'pending')`)},
      running = running ${change((row) => `(${row}.status = 'running')`)},
      images_reserved = images_reserved ${change((row) => `(${isQueued(row)}) * ${row}.images_reserved`)}${more}
      where account_id = ${rows[0]}.account_id; end`
}

/** The triggers that call it stay. `old` is null in an insert, and `new` in a delete. */
const postgresTriggers = [
  `create or replace function count_in_queue() returns trigger language plpgsql as $$
    declare
      waits integer := (new.status is not distinct from 'pending')::integer - (old.status is not distinct from 'pending')::integer;
      runs integer := (new.status is not distinct from 'running')::integer - (old.status is not distinct from 'running')::integer;
      reserves integer := coalesce((${isQueued('new')})::integer * new.images_reserved, 0)
        - coalesce((${isQueued('old')})::integer * old.images_reserved, 0);
      started timestamp := case when tg_op = 'INSERT' then date_trunc('month', to_timestamp(new.created_at / 1000) at time zone 'UTC') end;
      started_month text := to_char(started, 'YYYY-MM');
      started_ms bigint := 1000 * extract(epoch from started);
      ended_ms bigint := 1000 * extract(epoch from started + interval '1 month');
    begin
      update account_queues set
        waiting = waiting + waits,
        running = running + runs,
        images_reserved = images_reserved + reserves,
        month_executions = case when started is null then month_executions else ${monthCount('started_month', { from: 'started_ms', to: 'ended_ms' })} end,
        month = coalesce(started_month, month)
        where account_id = coalesce(new.account_id, old.account_id);
      return null;
    end $$`,
]
