/** The tables with records of an account: a test compares the list with the schema. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { blobKeyOf } from '../../../domain/blob-key.ts'
import { previewBlobKey } from '../../../domain/images/preview.ts'
import type { Schema } from '../schema.ts'
import { callBlobs, derivedBlobs, type Kind, resultBlobs } from './kinds.ts'

type AccountTable = Pick<
  Kind,
  'table' | 'key' | 'from' | 'longBytes' | 'rowsAtOnce' | 'returning' | 'blobsOf' | 'first' | 'last'
> & {
  /** The rows of an account. Default: by the column `account_id`. */
  of?(accountId: string): RawBuilder<unknown>
}

const blobOfRow: Pick<Kind, 'returning' | 'blobsOf'> = {
  returning: ['id', 'format'],
  blobsOf: ({ id, format }) => [blobKeyOf({ id: String(id), format: String(format) as never })],
}
const budgetOfKey: Pick<Kind, 'returning' | 'last'> = {
  returning: ['budget_id'],
  async last(trx, rows) {
    const scopes = rows.map(({ budget_id }) => String(budget_id))
    if (scopes.length > 0) await removeBudgets(trx, scopes)
  },
}
const byWorkflow = (table: keyof Schema, key: readonly string[]): AccountTable => ({
  table,
  key,
  from: sql`workflows as w cross join ${sql.table(table)} as r`,
  of: (accountId) => sql`w.account_id = ${accountId} and r.workflow_id = w.id`,
})

/** The tables in the order of their removal: rows go before those that they refer to. */
export const accountTables: readonly AccountTable[] = [
  { table: 'webhook_endpoints', key: ['id'] },
  { table: 'webhook_deliveries', key: ['id'], longBytes: sql`octet_length(body) + octet_length(log)` },
  {
    table: 'idempotency_keys',
    key: ['account_id', 'key'],
    longBytes: sql`coalesce(octet_length(response), 0)`,
    rowsAtOnce: 100,
  },
  {
    table: 'sessions',
    key: ['hash'],
    from: sql`keys as k cross join sessions as r`,
    of: (accountId) => sql`k.account_id = ${accountId} and r.key_id = k.id`,
  },
  {
    table: 'keys',
    key: ['id'],
    rowsAtOnce: 50,
    async first(trx, ids) {
      for (const id of ids) await removeNotices(trx, `key_${id}`)
    },
    ...budgetOfKey,
  },
  {
    table: 'batch_items',
    key: ['batch_id', 'upload', 'row_number'],
    from: sql`batches as b cross join batch_items as r`,
    of: (accountId) => sql`b.account_id = ${accountId} and r.batch_id = b.id`,
    longBytes: sql`octet_length(r.parameters)`,
  },
  { table: 'batches', key: ['id'], rowsAtOnce: 100, first: removeBudgets },
  { table: 'step_result_images', key: ['account_id', 'key', 'image_id'] },
  { table: 'step_results', key: ['account_id', 'key'], rowsAtOnce: 100, ...resultBlobs },
  { table: 'step_checkpoints', key: ['execution_id', 'task'], rowsAtOnce: 100, ...resultBlobs },
  {
    table: 'previews',
    key: ['id'],
    returning: ['id'],
    blobsOf: ({ id }) => [previewBlobKey({ id: String(id) })],
  },
  { table: 'derived_files', key: ['key'], ...derivedBlobs },
  { table: 'provider_calls', key: ['id'], ...callBlobs },
  { table: 'signing_keys', key: ['id'], ...budgetOfKey },
  {
    // With their events.
    table: 'executions',
    key: ['id'],
    longBytes: sql`octet_length(parameters) + octet_length(steps) + coalesce(octet_length(document), 0)`,
    rowsAtOnce: 50,
    first: removeBudgets,
  },
  { table: 'execution_brands', key: ['account_id', 'hash'], longBytes: sql`octet_length(brand)` },
  { table: 'images', key: ['id'], ...blobOfRow },
  { table: 'binned_images', key: ['id'], ...blobOfRow },
  { table: 'fonts', key: ['id'], ...blobOfRow },
  byWorkflow('workflow_users', ['used_workflow_id', 'workflow_id']),
  byWorkflow('workflow_uses', ['workflow_id', 'version', 'name']),
  byWorkflow('workflow_channels', ['workflow_id', 'name']),
  byWorkflow('channel_moves', ['workflow_id', 'channel', 'sequence']),
  byWorkflow('channel_leftovers', ['workflow_id']),
  { table: 'drafts', key: ['workflow_id'], longBytes: sql`octet_length(document)`, rowsAtOnce: 100 },
  {
    ...byWorkflow('workflow_versions', ['workflow_id', 'version']),
    longBytes: sql`octet_length(r.document)`,
    rowsAtOnce: 100,
  },
  { table: 'workflows', key: ['id'] },
  { table: 'brands', key: ['owner_id'], longBytes: sql`octet_length(content)` },
  { table: 'projects', key: ['id'] },
  { table: 'usage_daily', key: ['account_id', 'day', 'workflow_id', 'key_id', 'model', 'capability'] },
  { table: 'requests_daily', key: ['account_id', 'day'] },
  { table: 'executions_daily', key: ['account_id', 'day'] },
  { table: 'webhook_secrets', key: ['account_id'] },
  { table: 'audit_log', key: ['id'] },
  { table: 'webhook_events', key: ['id'] },
]

/** Tables without a reference to the account, to which triggers add rows: they are removed in the transaction that removes the account. */
export const tablesOfTriggers = ['webhook_events', 'webhook_queues', 'account_queues', 'list_totals'] as const

/** The reason why the removal of an account leaves the rows of each of the other tables. */
export const otherTables: Record<string, string> = {
  accounts: 'the account itself, removed last',
  derived_file_images: 'removed with their files, by their reference',
  execution_events: 'removed with their executions, by their reference',
  budgets: 'removed with the account, its executions and its keys',
  webhook_notices: 'removed with the account and its keys',
  blob_removals: 'the blobs that are still to be removed',
  workers: 'processes of this installation',
  observed_clock: 'the clock of this installation',
  background_jobs: 'jobs of this installation',
  service_urls: 'URLs of this installation',
  rate_limit_windows: 'removed with the account',
  kysely_migration: 'the migrations of this installation',
  kysely_migration_lock: 'internal to the migrator',
}

function removeBudgets(trx: Kysely<Schema>, scopes: readonly string[]): Promise<unknown> {
  return trx.deleteFrom('budgets').where('scope', 'in', scopes).execute()
}

/** Removes notices whose id is `<of>_<more>`. */
export function removeNotices(trx: Kysely<Schema>, of: string): Promise<unknown> {
  // The character after `_` ends the range.
  return trx.deleteFrom('webhook_notices').where('id', '>=', `${of}_`).where('id', '<', `${of}\``).execute()
}
