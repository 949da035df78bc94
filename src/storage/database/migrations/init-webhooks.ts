/** The part of the first schema for webhooks: `schema-webhooks.ts` describes the columns. */
import type { Kysely } from 'kysely'
import { isPostgres } from '../dialect.ts'

export const webhookTables = (text: string): string[] => [
  `create table webhook_endpoints (
    id ${text} primary key,
    account_id ${text} not null references accounts (id),
    url ${text} not null,
    description ${text} not null,
    event_types ${text},
    secret ${text} not null,
    previous_secret ${text},
    previous_until bigint,
    disabled_at bigint,
    disabled_reason ${text},
    failing_since bigint,
    created_at bigint not null,
    updated_at bigint not null)`,

  `create table webhook_secrets (
    account_id ${text} primary key references accounts (id),
    secret ${text} not null,
    previous_secret ${text},
    previous_until bigint)`,

  // The outbox: events that have no deliveries yet. Triggers write those of executions and workflows. See below.
  `create table webhook_events (
    id ${text} primary key,
    account_id ${text} not null,
    type ${text} not null,
    subject ${text},
    data ${text},
    url ${text},
    for_endpoints integer not null,
    created_at bigint not null)`,

  `create table webhook_deliveries (
    id ${text} primary key,
    account_id ${text} not null references accounts (id),
    endpoint_id ${text} not null,
    url ${text} not null,
    event_id ${text} not null,
    event_type ${text} not null,
    body ${text} not null,
    body_id ${text},
    status ${text} not null check (status in ('pending', 'delivered', 'failed')),
    attempts integer not null,
    next_attempt_at bigint,
    problem ${text},
    log ${text} not null,
    created_at bigint not null,
    ended_at bigint)`,

  // The deliveries of an event share its body. No reference between the two: SQLite would search all deliveries for each body that is removed.
  `create table webhook_bodies (
    id ${text} primary key,
    account_id ${text} not null references accounts (id),
    bytes integer not null,
    deliveries integer not null,
    body ${text} not null)`,

  `create table webhook_stored_bodies (
    account_id ${text} primary key,
    bytes bigint not null)`,

  `create table webhook_queues (
    account_id ${text} not null,
    endpoint_id ${text} not null,
    waiting bigint not null,
    waiting_bytes bigint not null default 0,
    next_at bigint,
    ending_at bigint,
    primary key (account_id, endpoint_id))`,

  `create table webhook_notices (
    id ${text} primary key,
    created_at bigint not null)`,
]

export const webhookIndexes = [
  'create index webhook_endpoints_newest on webhook_endpoints (account_id, created_at, id)',
  'create index webhook_endpoints_enabled on webhook_endpoints (account_id) where disabled_at is null',
  'create index webhook_events_of_account_oldest on webhook_events (account_id, created_at, id)',
  'create index webhook_deliveries_newest on webhook_deliveries (account_id, created_at, id)',
  `create index webhook_deliveries_of_endpoint_newest
    on webhook_deliveries (account_id, endpoint_id, created_at, id)`,
  `create index webhook_deliveries_in_status_newest
    on webhook_deliveries (account_id, status, created_at, id)`,
  // With an index of one of the two filters, both engines would read all rows that only the other filter excludes.
  `create index webhook_deliveries_of_endpoint_in_status_newest
    on webhook_deliveries (account_id, endpoint_id, status, created_at, id) where ended_at is not null`,
  // The retention of an account finds its ended deliveries without reading those that wait.
  `create index webhook_deliveries_of_account_ended on webhook_deliveries (account_id, created_at, id)
    where ended_at is not null`,
  `create index webhook_deliveries_waiting on webhook_deliveries (account_id, endpoint_id, next_attempt_at, id)
    where status = 'pending'`,
  'create index webhook_deliveries_ended on webhook_deliveries (ended_at) where ended_at is not null',
  'create index webhook_queues_next on webhook_queues (next_at) where next_at is not null',
  'create index webhook_queues_ending on webhook_queues (ending_at) where ending_at is not null',
  'create index webhook_notices_oldest on webhook_notices (created_at)',
]

export function webhookTriggers(db: Kysely<unknown>): string[] {
  return isPostgres(db) ? postgresTriggers : sqliteTriggers
}

/**
 * The events of webhooks, however an execution ends or a version is written. Accounts without an endpoint pay one look-up in an index. The id
 * of an event is that of its execution or version, so there is only one.
 */
const endpoints = (account: string) =>
  `exists (select 1 from webhook_endpoints as e where e.account_id = ${account} and e.disabled_at is null)`
const columnsOfEvent = '(id, account_id, type, subject, url, for_endpoints, created_at)'
const ends = `new.status in ('completed', 'failed') and old.status in ('pending', 'running')`
const insertEnded = `
  insert into webhook_events ${columnsOfEvent}
    select 'evt_' || substr(new.id, 6), new.account_id, 'execution.' || new.status, new.id, new.webhook_url,
      case when new.document is null then 1 else 0 end, new.completed_at
    where new.webhook_url is not null or (new.document is null and ${endpoints('new.account_id')});`
const insertPublished = `
  insert into webhook_events ${columnsOfEvent}
    select 'evt_' || substr(new.workflow_id, 4) || 'v' || new.version, w.account_id, 'workflow.published',
      new.workflow_id || ' ' || new.version, null, 1, new.created_at
    from workflows as w where w.id = new.workflow_id and ${endpoints('w.account_id')};`

/** A batch completes again after a retry of its failed rows. */
const insertBatch = `
  insert into webhook_events ${columnsOfEvent}
    select 'evt_' || substr(new.id, 7) || '_' || new.completed_at, new.account_id, 'batch.completed', new.id, new.webhook_url,
      1, new.completed_at
    where new.webhook_url is not null or ${endpoints('new.account_id')};`
const completes = `new.status = 'completed' and old.status <> 'completed'`

const sqliteTriggers = [
  `create trigger executions_ended after update of status on executions when ${ends} begin ${insertEnded} end`,
  `create trigger workflow_versions_published after insert on workflow_versions
    begin ${insertPublished} end`,
  `create trigger batches_completed after update of status on batches when ${completes} begin ${insertBatch} end`,
]

const postgresTriggers = [
  `create function note_ended_execution() returns trigger language plpgsql as $$
    begin ${insertEnded} return null; end $$`,
  `create function note_published_version() returns trigger language plpgsql as $$
    begin ${insertPublished} return null; end $$`,
  `create trigger executions_ended after update of status on executions for each row when (${ends})
    execute function note_ended_execution()`,
  `create trigger workflow_versions_published after insert on workflow_versions for each row
    execute function note_published_version()`,
  `create function note_completed_batch() returns trigger language plpgsql as $$
    begin ${insertBatch} return null; end $$`,
  `create trigger batches_completed after update of status on batches for each row when (${completes})
    execute function note_completed_batch()`,
]
