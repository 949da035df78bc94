import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { execute, isPostgres, textByBytes } from '../dialect.ts'
import { batchIndexes, batchTables, batchTriggers } from './init-batches.ts'
import { bytesTriggers } from './init-bytes.ts'
import { dailyTables } from './init-daily.ts'
import { deliveryIndexes, deliveryTables } from './init-delivery.ts'
import { triggers } from './init-triggers.ts'
import { webhookIndexes, webhookTables, webhookTriggers } from './init-webhooks.ts'
import { workflowIndexes, workflowTables } from './init-workflows.ts'

/**
 * The first schema. Ids and JSON are text, times are milliseconds since the epoch, booleans are 0 and 1; `schema.ts` describes the columns.
 * Each index serves one order of a list, one filter or one look-up of a store.
 */
export const init: Migration = {
  async up(db: Kysely<unknown>) {
    await execute(db, [
      ...tables(textByBytes(db), isPostgres(db) ? '' : ' without rowid'),
      ...(isPostgres(db) ? [...listTotalsOfWriters, rateLimitWindows] : [listTotals]),
      ...workflowTables(textByBytes(db)),
      ...batchTables(textByBytes(db)),
      ...dailyTables(textByBytes(db)),
      ...deliveryTables(textByBytes(db)),
      ...webhookTables(textByBytes(db)),
    ])
    await execute(db, [...indexes, ...workflowIndexes, ...batchIndexes, ...deliveryIndexes, ...webhookIndexes])
    await execute(db, [...triggers(db), ...bytesTriggers(db), ...batchTriggers(db), ...webhookTriggers(db)])
  },
}

const tables = (text: string, byKey: string): string[] => [
  `create table accounts (
    id ${text} primary key,
    name ${text} not null,
    plan ${text} not null,
    rate_limit integer,
    monthly_budget_micros bigint,
    storage_bytes_max bigint,
    url_secret ${text} not null default '',
    has_private_images integer not null default 0,
    created_at bigint not null)`,

  `create table keys (
    id ${text} primary key,
    account_id ${text} not null references accounts (id),
    name ${text} not null,
    prefix ${text} not null,
    hash ${text} not null unique,
    permissions ${text} not null,
    created_at bigint not null,
    expires_at bigint,
    revoked_at bigint,
    last_used_at bigint)`,

  `create table sessions (
    hash ${text} primary key,
    key_id ${text} not null references keys (id),
    created_at bigint not null,
    last_used_at bigint not null,
    expires_at bigint not null)`,

  `create table idempotency_keys (
    account_id ${text} not null references accounts (id),
    key ${text} not null,
    method ${text} not null,
    path ${text} not null,
    fingerprint ${text} not null,
    state ${text} not null check (state in ('running', 'done')),
    response ${text},
    resource_id ${text},
    created_at bigint not null,
    primary key (account_id, key))`,

  `create table projects (
    id ${text} primary key,
    account_id ${text} not null references accounts (id),
    name ${text} not null,
    description ${text} not null,
    is_default integer not null,
    is_private integer not null default 0,
    created_at bigint not null,
    updated_at bigint not null)`,

  // Of the account itself, or of one of its projects.
  `create table brands (
    owner_id ${text} primary key,
    account_id ${text} not null references accounts (id),
    content ${text} not null,
    revision bigint not null,
    updated_at bigint not null)`,

  `create table execution_brands (
    account_id ${text} not null references accounts (id),
    hash ${text} not null,
    brand ${text} not null,
    primary key (account_id, hash))`,

  // A draft that was never published has a row at version 0, which counts as deleted.
  `create table workflows (
    id ${text} primary key,
    account_id ${text} not null references accounts (id),
    project_id ${text} not null references projects (id),
    slug ${text},
    name ${text} not null,
    description ${text} not null,
    version integer not null,
    draft_revisions bigint not null default 0,
    created_at bigint not null,
    updated_at bigint not null,
    deleted_at bigint)`,

  `create table workflow_versions (
    workflow_id ${text} not null references workflows (id),
    version integer not null,
    document ${text} not null,
    note ${text},
    created_at bigint not null,
    primary key (workflow_id, version))`,

  `create table drafts (
    workflow_id ${text} primary key references workflows (id),
    account_id ${text} not null references accounts (id),
    name ${text} not null,
    base_version integer not null,
    revision bigint not null,
    document ${text} not null,
    created_at bigint not null,
    updated_at bigint not null)`,

  // No reference to the execution: an image outlives the record of the execution that made it.
  `create table images (
    id ${text} primary key,
    account_id ${text} not null references accounts (id),
    project_id ${text} references projects (id),
    name ${text} not null,
    format ${text} not null,
    size bigint not null,
    width integer not null,
    height integer not null,
    sha256 ${text} not null,
    origin ${text},
    credentials ${text},
    is_private integer not null default 0,
    execution_id ${text},
    created_at bigint not null)`,

  `create table fonts (
    id ${text} primary key,
    account_id ${text} not null references accounts (id),
    format ${text} not null,
    family ${text} not null,
    weight_min integer not null,
    weight_max integer not null,
    is_italic integer not null,
    size bigint not null,
    sha256 ${text} not null,
    characters ${text} not null,
    created_at bigint not null)`,

  `create table blob_removals (
    key ${text} primary key,
    due_at bigint not null)`,

  // Without a version: the execution of a draft that was never published.
  `create table executions (
    id ${text} primary key,
    account_id ${text} not null references accounts (id),
    workflow_id ${text} not null,
    workflow_version integer,
    node ${text},
    with_previews integer not null default 0,
    key_id ${text},
    resumed_from ${text},
    batch_id ${text},
    variations ${text},
    derived_key ${text},
    output_format ${text},
    webhook_url ${text},
    status ${text} not null check (status in ('pending', 'running', 'completed', 'failed')),
    rank integer not null default 1,
    attempt integer not null,
    attempts_released integer not null default 0,
    parked integer not null default 0,
    worker_id ${text},
    event_count integer not null default 0,
    output ${text},
    outputs ${text},
    error ${text},
    created_at bigint not null,
    started_at bigint,
    completed_at bigint,
    -- Long values come last: SQLite reads through them to get to the columns after them.
    brand ${text},
    parameters ${text} not null,
    steps ${text} not null,
    document ${text},
    foreign key (workflow_id, workflow_version) references workflow_versions (workflow_id, version))`,

  `create table execution_events (
    execution_id ${text} not null references executions (id) on delete cascade,
    sequence integer not null,
    events ${text} not null,
    ended_at bigint,
    primary key (execution_id, sequence))${byKey}`,

  `create table account_queues (
    account_id ${text} primary key,
    waiting bigint not null default 0,
    pass bigint not null default 0,
    last_pass bigint not null default 0)`,

  `create table workers (
    id ${text} primary key,
    seen_at bigint not null)`,

  `create table step_results (
    account_id ${text} not null references accounts (id),
    key ${text} not null,
    blob_key ${text},
    size bigint not null,
    facts ${text} not null,
    created_at bigint not null,
    used_at bigint not null,
    primary key (account_id, key))`,

  `create table step_checkpoints (
    execution_id ${text} not null,
    task ${text} not null,
    account_id ${text} not null references accounts (id),
    key ${text},
    blob_key ${text},
    size bigint not null,
    facts ${text} not null,
    created_at bigint not null,
    primary key (execution_id, task))`,

  `create table previews (
    id ${text} primary key,
    account_id ${text} not null references accounts (id),
    key ${text},
    width integer not null,
    height integer not null,
    size bigint,
    created_at bigint not null,
    used_at bigint not null)`,

  `create table provider_calls (
    id ${text} primary key,
    account_id ${text} not null references accounts (id),
    execution_id ${text} not null references executions (id),
    workflow_id ${text} not null,
    key_id ${text},
    node ${text} not null,
    item integer not null,
    ordinal integer not null,
    sequence integer not null,
    capability ${text} not null,
    provider ${text} not null,
    model ${text} not null,
    request_hash ${text} not null,
    state ${text} not null,
    handle ${text},
    response ${text},
    problem ${text},
    reserved_micros bigint not null,
    cost_micros bigint,
    cost_source ${text},
    request_id ${text},
    created_at bigint not null,
    updated_at bigint not null,
    ended_at bigint,
    unique (execution_id, node, item, ordinal, sequence))`,

  `create table budgets (
    scope ${text} not null,
    period ${text} not null,
    spent bigint not null,
    reserved bigint not null,
    unknown_costs bigint not null,
    primary key (scope, period))`,

  `create table background_jobs (
    name ${text} primary key,
    started_at bigint not null)`,

  `create table service_urls (
    name ${text} primary key,
    url ${text} not null)`,
]

/** See init-triggers.ts. */
const listTotals = `create table list_totals (
    account_id text not null,
    list text not null,
    value text not null,
    total bigint not null,
    primary key (account_id, list, value)) without rowid`

/** The total of one list of one account is the sum of its rows. */
const listTotalsOfWriters = [
  `create table list_totals (
    id text collate "C" primary key,
    account_id text collate "C" not null,
    list text collate "C" not null,
    value text collate "C" not null,
    total bigint not null)`,
  'create index list_totals_of_list on list_totals (account_id, list, value)',
]

/**
 * The columns of rate-limiter-flexible, in its order. Not logged: after a crash, new windows begin. On SQLite there is one process, which
 * counts in memory.
 */
const rateLimitWindows =
  'create unlogged table rate_limit_windows (key text primary key, points integer not null default 0, expire bigint)'

/**
 * Ascending, also for lists with the newest first: both engines read an index backwards. SQLite rearranges pages at almost every entry that it
 * adds before the others, and seldom at one that it adds after them.
 */
const indexes = [
  'create index accounts_oldest on accounts (created_at, id)',
  'create index keys_newest on keys (created_at, id)',
  'create index keys_of_account_newest on keys (account_id, created_at, id)',
  'create index sessions_of_key_newest on sessions (key_id, created_at desc, hash)',
  'create index sessions_expiring on sessions (expires_at)',
  'create index idempotency_keys_oldest on idempotency_keys (created_at)',

  'create index projects_newest on projects (account_id, created_at, id)',
  'create unique index projects_one_default on projects (account_id) where is_default = 1',
  'create index workflows_newest on workflows (account_id, created_at, id) where deleted_at is null',
  `create index workflows_of_project_newest on workflows (account_id, project_id, created_at, id)
    where deleted_at is null`,
  `create unique index workflows_by_slug on workflows (account_id, slug)
    where deleted_at is null and slug is not null`,
  'create index workflows_by_name on workflows (account_id, name, created_at, id) where deleted_at is null',
  // Columns that a save doesn't change, so that a save writes to no index.
  'create index drafts_newest on drafts (account_id, created_at, workflow_id)',

  'create index images_newest on images (account_id, created_at, id)',
  'create index images_of_project_newest on images (account_id, project_id, created_at, id)',
  'create index images_by_hash on images (account_id, sha256, created_at, id)',
  'create index fonts_newest on fonts (account_id, created_at, id)',
  'create index blob_removals_oldest on blob_removals (due_at, key)',

  'create index executions_newest on executions (account_id, created_at, id)',
  'create index executions_of_workflow_newest on executions (account_id, workflow_id, created_at, id)',
  // Only ended executions: an entry that moves with each status would cost every execution three more writes.
  `create index executions_in_status_newest on executions (account_id, status, created_at, id)
    where completed_at is not null`,
  // With an index of one of the two filters, both engines would read all rows that only the other filter excludes.
  `create index executions_of_workflow_in_status_newest
    on executions (account_id, workflow_id, status, created_at, id) where completed_at is not null`,
  `create index executions_waiting on executions (account_id, rank, created_at, id) where status = 'pending'`,
  `create index executions_running on executions (account_id, created_at, id) where status = 'running'`,
  // With all columns that the sums of completed executions read, so that they read no row.
  `create index executions_ended on executions (account_id, status, completed_at, created_at)
    where completed_at is not null`,
  `create index execution_events_ended on execution_events (ended_at, execution_id) where ended_at is not null`,
  'create index account_queues_waiting on account_queues (pass, account_id) where waiting > 0',
  'create index account_queues_last on account_queues (last_pass)',

  // With the size, so that sums and evictions read no row.
  'create index step_results_least_used on step_results (account_id, used_at, key, size)',
  'create index step_results_of_blob on step_results (blob_key)',
  'create index step_checkpoints_oldest on step_checkpoints (created_at)',
  'create index step_checkpoints_of_account_oldest on step_checkpoints (account_id, created_at)',
  'create index step_checkpoints_of_blob on step_checkpoints (blob_key)',
  'create index previews_of_key on previews (account_id, key)',
  'create index previews_least_used on previews (used_at)',
  'create index previews_of_account_least_used on previews (account_id, used_at, id)',
  'create index provider_calls_open on provider_calls (updated_at, id) where ended_at is null',
  'create index provider_calls_ended on provider_calls (ended_at) where ended_at is not null',
]
