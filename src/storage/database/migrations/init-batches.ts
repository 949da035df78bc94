/** The part of the first schema for batches: `schema-batches.ts` describes the columns. */
import type { Kysely } from 'kysely'
import { isPostgres } from '../dialect.ts'

export const batchTables = (text: string): string[] => [
  `create table batches (
    id ${text} primary key,
    account_id ${text} not null references accounts (id),
    workflow_id ${text} not null,
    workflow_version integer not null,
    name ${text} not null,
    status ${text} not null check (status in ('created', 'running', 'paused', 'completed', 'cancelled')),
    pause_reason ${text},
    max_cost_micros bigint,
    webhook_url ${text},
    key_id ${text},
    total integer not null default 0,
    upload integer not null default 0,
    uploads integer not null default 0,
    uploading integer,
    uploading_until bigint,
    is_active integer not null default 0,
    has_leftovers integer not null default 0,
    runner_id ${text},
    runner_until bigint,
    run_started_at bigint,
    run_ended_before integer not null default 0,
    idle_since bigint,
    created_at bigint not null,
    started_at bigint,
    completed_at bigint,
    deleted_at bigint,
    -- Long values come last: SQLite reads through them to get to the columns after them.
    brand ${text},
    defaults ${text} not null,
    foreign key (workflow_id, workflow_version) references workflow_versions (workflow_id, version))`,

  `create table batch_items (
    batch_id ${text} not null references batches (id),
    upload integer not null,
    row_number integer not null,
    account_id ${text} not null,
    key ${text} not null,
    state ${text} not null default 'open' check (state in ('open', 'completed', 'failed', 'cancelled')),
    execution_id ${text},
    resumed_from ${text},
    ended_at bigint,
    parameters ${text} not null,
    primary key (batch_id, upload, row_number))`,
]

export const batchIndexes = [
  'create index batches_newest on batches (account_id, created_at, id) where deleted_at is null',
  'create index batches_active on batches (created_at, id) where is_active = 1',
  'create index batches_with_leftovers on batches (id) where has_leftovers = 1',
  'create index batches_idle on batches (idle_since) where idle_since is not null',
  'create unique index batch_items_by_key on batch_items (batch_id, upload, key)',
  // Of the open rows, only those of the window have an execution: the first without one is found among few others.
  `create index batch_items_open on batch_items (batch_id, upload, row_number) where state = 'open'`,
  `create index batch_items_in_state on batch_items (batch_id, upload, state, row_number) where state <> 'open'`,
  `create index batch_items_ended on batch_items (batch_id, upload, ended_at, row_number) where ended_at is not null`,
  'create unique index batch_items_of_execution on batch_items (execution_id) where execution_id is not null',
  `create index executions_of_batch_open on executions (batch_id, status)
    where batch_id is not null and completed_at is null`,
]

/** The end of an execution ends its row, in the same transaction. */
export function batchTriggers(db: Kysely<unknown>): string[] {
  const ends = `new.batch_id is not null and new.status in ('completed', 'failed') and old.status in ('pending', 'running')`
  if (!isPostgres(db)) {
    const body = endOfRow((key) => `new.error ->> '$.details.${key}'`)
    return [
      `create trigger executions_of_batches_ended after update of status on executions when ${ends} begin ${body} end`,
    ]
  }
  const body = endOfRow((key) => `new.error::json #>> '{details,${key}}'`)
  return [
    `create function end_batch_item() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
    `create trigger executions_of_batches_ended after update of status on executions for each row when (${ends})
      execute function end_batch_item()`,
  ]
}

/**
 * A row that the budget of its batch stopped hasn't failed: it waits again, and the batch is paused until the budget is higher. Its next
 * execution resumes this one.
 */
function endOfRow(detail: (key: string) => string): string {
  const isOverBudget = `(new.status = 'failed' and coalesce(${detail('budget')}, '') = 'batch')`
  return `
    update batches set status = 'paused', pause_reason = 'budget', is_active = 0
      where id = new.batch_id and status = 'running' and ${isOverBudget};
    update batch_items set
      state = case when ${isOverBudget} then 'open'
        when new.status = 'completed' then 'completed'
        when coalesce(${detail('reason')}, '') = 'cancelled' then 'cancelled'
        else 'failed' end,
      execution_id = case when ${isOverBudget} then null else execution_id end,
      resumed_from = case when ${isOverBudget} then new.id else resumed_from end,
      ended_at = case when ${isOverBudget} then null else new.completed_at end
      where execution_id = new.id;`
}
