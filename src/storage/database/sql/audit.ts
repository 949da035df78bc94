/**
 * The writer of the audit log. A change of a record reads its facts with `factsOf`, writes, and calls `recordChange`, all in one transaction.
 * `audited` has one row for each table: its columns that entries show, or the reason why its changes have no entries. A column that it doesn't name is
 * never read, so secrets stay out of the log.
 */
import { createHash } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type AuditAction, type AuditFacts, currentActor } from '../../../domain/accounts/audit.ts'
import { sessionIdOf } from '../../../domain/accounts/session.ts'
import { liveAccountOf } from '../../../domain/accounts/twin.ts'
import { systemClock, timestamp } from '../../../domain/clock.ts'
import { newId } from '../../../domain/ids.ts'
import { dollars } from '../../../domain/money.ts'
import { postgresNow } from '../clock.ts'
import { isPostgres } from '../dialect.ts'
import type { Schema } from '../schema.ts'

type Value = string | number | null

interface Fact {
  of: RawBuilder<unknown>
  shown(value: Value): unknown
}

interface Audited {
  /** The account that owns the record. Default: its column `account_id`. */
  account?: RawBuilder<unknown>
  /** The subject of entries, from the first column of the key. */
  subject?(id: string): string
  /** Condition of records that callers see. */
  visible?: RawBuilder<unknown>
  facts: Record<string, Fact>
}

/** A column as it is, or as `shown`. */
function column(name: string, shown: Fact['shown'] = (value) => value): Fact {
  return { of: sql.ref(name), shown }
}

const unlessNull =
  <Shown>(shown: (value: string | number) => Shown) =>
  (value: Value) =>
    value === null ? null : shown(value)
/** Texts that are long, or can contain anything: equal hashes mean equal texts. */
const hash = unlessNull((text) => `sha256:${createHash('sha256').update(String(text)).digest('hex')}`)
const json = unlessNull((text) => JSON.parse(String(text)) as unknown)
const time = unlessNull((ms) => timestamp(Number(ms)))
const usd = unlessNull((micros) => dollars(Number(micros)))
const flag = (value: Value) => Number(value) === 1
/** The origin of a URL: its path and query can contain secrets. */
const origin = unlessNull((url) => (URL.canParse(String(url)) ? new URL(String(url)).origin : 'invalid URL'))
/** -1: none. Null: the default of the operator. */
const maximum = (shown: (value: number) => number) => (value: Value) =>
  value === null ? 'default' : Number(value) === -1 ? 'none' : shown(Number(value))
const count = unlessNull(Number)
const isNotDeleted = sql`deleted_at is null`
const ends = { expiresAt: column('expires_at', time), revokedAt: column('revoked_at', time) }

const imageFacts = {
  name: column('name'),
  projectId: column('project_id'),
  format: column('format'),
  size: column('size', count),
  sha256: column('sha256'),
  private: column('is_private', flag),
  expiresAt: column('expires_at', time),
}

const audited = {
  accounts: {
    account: sql.ref('id'),
    facts: {
      name: column('name'),
      plan: column('plan'),
      rateLimit: column('rate_limit', count),
      budgetUsdPerMonth: column('monthly_budget_micros', maximum(dollars)),
      storageMaxBytes: column('storage_bytes_max', maximum(Number)),
      suspendedAt: column('suspended_at', time),
    },
  },
  keys: {
    facts: {
      name: column('name'),
      prefix: column('prefix'),
      permissions: column('permissions', json),
      budgetUsdPerDay: column('daily_budget_micros', usd),
      budgetUsdPerMonth: column('monthly_budget_micros', usd),
      workflowId: column('workflow_id'),
      executionsPerMinute: column('executions_per_minute', count),
      exampleImageId: column('example_image_id'),
      ...ends,
    },
  },
  signing_keys: {
    facts: {
      name: column('name'),
      workflowIds: column('workflow_ids', json),
      images: column('images', flag),
      budgetUsdPerMonth: column('monthly_budget_micros', usd),
      ...ends,
    },
  },
  sessions: {
    account: sql`(select keys.account_id from keys where keys.id = sessions.key_id)`,
    subject: sessionIdOf,
    facts: { keyId: column('key_id') },
  },
  projects: {
    visible: isNotDeleted,
    facts: {
      name: column('name'),
      description: column('description', hash),
      private: column('is_private', flag),
      uploadsExpireIn: column('uploads_expire_in', count),
      outputsExpireIn: column('outputs_expire_in', count),
    },
  },
  brands: { facts: { revision: column('revision', count), values: column('content', hash) } },
  workflows: {
    visible: isNotDeleted,
    facts: {
      name: column('name'),
      slug: column('slug'),
      projectId: column('project_id'),
      version: column('version', count),
      document: {
        of: sql`(select v.document from workflow_versions as v where v.workflow_id = workflows.id and v.version = workflows.version)`,
        shown: hash,
      },
    },
  },
  workflow_channels: {
    account: sql`(select workflows.account_id from workflows where workflows.id = workflow_channels.workflow_id)`,
    facts: { channel: column('name'), version: column('version', count) },
  },
  drafts: {
    facts: { name: column('name'), revision: column('revision', count), document: column('document', hash) },
  },
  images: { facts: imageFacts },
  binned_images: { facts: imageFacts },
  fonts: {
    facts: {
      family: column('family'),
      format: column('format'),
      size: column('size', count),
      sha256: column('sha256'),
    },
  },
  batches: {
    visible: isNotDeleted,
    facts: {
      name: column('name'),
      workflowId: column('workflow_id'),
      workflowVersion: column('workflow_version', count),
      status: column('status'),
      pauseReason: column('pause_reason'),
      maxCostUsd: column('max_cost_micros', usd),
      webhookUrl: column('webhook_url', origin),
    },
  },
  webhook_endpoints: {
    facts: {
      url: column('url', origin),
      description: column('description', hash),
      eventTypes: column('event_types', json),
      disabledReason: column('disabled_reason'),
      previousSecretUntil: column('previous_until', time),
    },
  },
  webhook_secrets: { facts: { previousSecretUntil: column('previous_until', time) } },

  audit_log: 'it is the log',
  workflow_versions: 'part of the change of their workflow, with the hash of the document',
  workflow_uses: 'part of a version',
  workflow_users: 'part of a version',
  channel_moves: 'a log of its own',
  channel_leftovers: 'of the background jobs',
  batch_items: 'rows of a batch',
  executions: 'they have their own list',
  execution_brands: 'part of executions',
  execution_events: 'part of executions',
  executions_daily: 'counts',
  requests_daily: 'counts',
  usage_daily: 'counts',
  budgets: 'counts',
  list_totals: 'counts',
  account_queues: 'counts',
  provider_calls: 'part of executions',
  step_results: 'a cache',
  step_checkpoints: 'a cache',
  step_result_images: 'a cache',
  derived_file_images: 'a cache',
  previews: 'a cache',
  derived_files: 'a cache',
  idempotency_keys: 'responses of requests',
  blob_removals: 'of the background jobs',
  background_jobs: 'of the background jobs',
  observed_clock: 'the clock of this installation',
  service_urls: 'settings of the operator',
  workers: 'processes',
  webhook_events: 'what they say is in the log of deliveries',
  webhook_deliveries: 'a log of its own',
  webhook_queues: 'counts',
  webhook_notices: 'what they say is in the log of deliveries',
} satisfies Record<keyof Schema, Audited | string>

/** Tables whose changes are recorded. */
export type AuditedTable = {
  [Table in keyof typeof audited]: (typeof audited)[Table] extends string ? never : Table
}[keyof typeof audited]

/** A record as it was read. */
export interface Recorded {
  accountId: string
  facts: AuditFacts
}

/** The primary key of a record; its first column names the subject. */
type RecordKey = Record<string, string>

/** Reads a record, and locks it until the transaction ends, so that `before` is the state that the change replaces. */
export async function factsOf(trx: Kysely<Schema>, table: AuditedTable, key: RecordKey): Promise<Recorded | undefined> {
  const { facts, account = sql.ref('account_id'), visible = sql`1 = 1` }: Audited = audited[table]
  const names = Object.keys(facts)
  const columns = Object.values(facts).map(({ of }, i) => sql`${of} as ${sql.ref(`fact_${i}`)}`)
  const conditions = Object.entries(key).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  const { rows } = await sql<Record<string, Value>>`
    select ${account} as fact_account, ${sql.join(columns)} from ${sql.table(table)}
    where ${sql.join([...conditions, visible], sql` and `)} ${isPostgres(trx) ? sql`for no key update` : sql``}`.execute(
    trx,
  )
  const [row] = rows
  if (row === undefined) return undefined
  const shown = names.map((name, i) => [name, facts[name]?.shown(row[`fact_${i}`] ?? null)])
  return { accountId: String(row.fact_account), facts: Object.fromEntries(shown) }
}

/**
 * Adds an entry with the record as it is now. `before`: the record before the change, from `factsOf`; undefined if it is new. Adds nothing if the
 * record exists neither before the change nor afterwards.
 */
export async function recordChange(
  trx: Kysely<Schema>,
  table: AuditedTable,
  key: RecordKey,
  action: AuditAction,
  before?: Recorded,
): Promise<void> {
  const after = await factsOf(trx, table, key)
  const owner = after ?? before
  if (owner === undefined) return
  const [id = ''] = Object.values(key)
  const { subject = (text) => text }: Audited = audited[table]
  const { type, keyId, sessionId, command, address } = currentActor()
  const now = systemClock.now()
  await trx
    .insertInto('audit_log')
    .values({
      id: newId('aud', now),
      // An account has one log: the key in it says whether an entry is of a test.
      account_id: liveAccountOf(owner.accountId),
      // The clock of `database.clock`.
      created_at: isPostgres(trx) ? sql.raw<number>(postgresNow) : now,
      action,
      subject: subject(id),
      actor: type,
      key_id: keyId ?? null,
      session_id: sessionId ?? null,
      command: command ?? null,
      address: address ?? null,
      before: before ? JSON.stringify(before.facts) : null,
      after: after ? JSON.stringify(after.facts) : null,
    })
    .execute()
}

/** Makes a change of an existing record and records it. `change` returns whether it changed something. */
export async function recording(
  trx: Kysely<Schema>,
  table: AuditedTable,
  key: RecordKey,
  action: AuditAction,
  change: () => Promise<boolean>,
): Promise<boolean> {
  const before = await factsOf(trx, table, key)
  const isChanged = await change()
  if (isChanged) await recordChange(trx, table, key, action, before)
  return isChanged
}
