import type { Kysely } from 'kysely'
import { execute, isPostgres } from '../dialect.ts'
import type { LockingMigration } from '../migrate.ts'

/** Gives the twin of an account, which has its executions with test keys, a smaller limit of running executions. */
export const twins: LockingMigration = {
  tables: ['accounts', 'account_queues'],
  async up(db: Kysely<unknown>) {
    await execute(db, isPostgres(db) ? postgresFunctions : sqliteTriggers)
  },
}

/** `runningMax` of `domain/accounts/plan.ts`. `least` of SQLite is `min`. */
const runningMax = (least: 'min' | 'least') => {
  const ofPlan = `case
    when new.suspended_at is not null or new.deleted_at is not null then 0
    when new.plan = 'starter' then 20 when new.plan = 'pro' then 80 when new.plan = 'enterprise' then 180 else 0 end`
  return `case when substr(new.id, length(new.id) - 4) = '_test' then ${least}(5, ${ofPlan}) else ${ofPlan} end`
}
const addQueue = (least: 'min' | 'least') =>
  `insert into account_queues (account_id, running_max) values (new.id, ${runningMax(least)});`
const changeLimit = (least: 'min' | 'least') =>
  `update account_queues set running_max = ${runningMax(least)} where account_id = new.id;`

const sqliteTriggers = [
  'drop trigger accounts_queued',
  'drop trigger accounts_plan_changed',
  `create trigger accounts_queued after insert on accounts begin ${addQueue('min')} end`,
  `create trigger accounts_plan_changed after update of plan, suspended_at, deleted_at on accounts begin ${changeLimit('min')} end`,
]

const postgresFunctions = [
  `create or replace function add_account_queue() returns trigger language plpgsql as $$
    begin ${addQueue('least')} return null; end $$`,
  `create or replace function change_running_max() returns trigger language plpgsql as $$
    begin ${changeLimit('least')} return null; end $$`,
]
