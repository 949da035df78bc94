/**
 * The table of retention: one row for each kind of record that doesn't stay for ever. The sweeper reads it, and so does the page of the documentation. A
 * new kind needs its row here, an index of its order, and a row in `indexes.test.ts`.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { dayMs } from '../../../domain/accounts/activity.ts'
import type { PlanName } from '../../../domain/accounts/plan.ts'
import { maximumOf, type QuotaSettings } from '../../../domain/accounts/quota.ts'
import { blobKeyOf } from '../../../domain/blob-key.ts'
import type { ImageFormat } from '../../../domain/images/image.ts'
import { previewBlobKey } from '../../../domain/images/preview.ts'
import { limits } from '../../../limits.ts'
import type { ProviderCallRow, Schema } from '../schema.ts'
import type { DerivedFileRow } from '../schema-delivery.ts'
import { removeItemTotals } from '../sql/batch-row.ts'
import { imageOf } from '../sql/derived-file-row.ts'
import { endsAt, type KeyTable } from '../sql/ended-keys.ts'
import { brandUseMs } from '../sql/execution-brands.ts'
import { responseOf } from '../sql/provider-call-row.ts'
import { removeOfImages } from '../sql/remove-images.ts'
import { lastClosedDay } from '../stores/activity.ts'
import { jumpMsMin } from './clock-watch.ts'

/** A limit, and the setting that changes it. */
interface Limit {
  is: number
  setting?: string
}

/** A condition, or an expression, of rows that are named `r`. */
type Condition = RawBuilder<unknown>

export type RemovedRow = Record<string, string | number | null>

export interface Kind {
  /** The name of its background job. */
  job: string
  /** The records, in the documentation. Kinds without it only complete another one. */
  records?: string
  /** Why they are removed, in the documentation. */
  reason?: string
  /** Default: 10. */
  everyMinutes?: number
  table: keyof Schema
  /** The columns of its primary key. */
  key: readonly string[]
  /** Tables that are read with it, in their order; `r` is `table`. */
  from?: Condition
  /** Rows that can be removed. */
  where?(now: number): Condition
  /** Rows that stay, although they are read: few statements can have thousands of them before the others. */
  stays?: Condition
  /** Each record has its own time, and a condition with the last jump of the clock: see clock-watch.ts. The other kinds stay longer after a jump. */
  isPromised?: true
  /** Rows are removed some time after this time. Without it, and without `each`, all rows are removed. */
  age?: {
    at: Condition
    /** The order of rows of the same time, and of their removal. */
    order?: Condition
    keptMs: Limit
    /** The rows of each account apart, and only those from before a time of it; undefined: none. */
    before?(db: Kysely<Schema>, accountId: string): Promise<number | undefined>
  }
  /** The first rows of an account are removed until the others are within a limit. */
  each?: {
    order: readonly Condition[]
    /** Rows that count, and can be removed. */
    where?(now: number): Condition
    count?: Limit
    /** `ofPlan`: in place of `is`, for the plan of the account. */
    bytes?: { max: Limit & { ofPlan?(plan: PlanName): number }; of: Condition; total: string }
  }
  /** Condition of rows by which the accounts are found. Default: all rows. */
  ofAccounts?: Condition
  /** Bytes of the long columns of a row, which limit a part as well. */
  longBytes?: Condition
  /** Rows of a part. Default: 500. */
  rowsAtOnce?: number
  /** Columns that the next two functions read. */
  returning?: readonly string[]
  blobsOf?(row: RemovedRow): readonly string[]
  /** Removes rows of other tables, before or after those of the part. */
  first?(trx: Kysely<Schema>, ids: readonly string[]): Promise<unknown>
  last?(trx: Kysely<Schema>, rows: readonly RemovedRow[], now: number): Promise<unknown>
}

export interface RetentionSettings {
  executionsKeptDays: number
  auditKeptDays: number
  previewHours: number
  previewBytesMax: number
  deliveryBytesMax: number
  quotas?: QuotaSettings
}

/** A response that has just found a file is still to read it, and clients follow redirects. */
const fileUseMs = 300_000
/** Notices that were sent are stored for longer than a month, and than the notice of a key, so that none is sent twice. */
const noticesKeptDays = 60

const executionHasEnded = sql`exists (
  select 1 from executions as e where e.id = r.execution_id and e.status in ('completed', 'failed'))`
const leftovers = (now: number, b: 'b' | 'r' = 'b') =>
  sql`${sql.ref(`${b}.has_leftovers`)} = 1
    and (${sql.ref(`${b}.uploading`)} is null or ${sql.ref(`${b}.uploading_until`)} <= ${now})`
const ofBatches = { table: 'batch_items', key: ['batch_id', 'upload', 'row_number'], everyMinutes: 1 } as const
const fromBatches = sql`batches as b cross join batch_items as r`
/** Whether a record can be removed at its time, or at the later time of records from before a jump of the clock. */
const isPast = (now: number, image: 'i' | 'r') => sql`${sql.ref(`${image}.expires_at`)} < ${now - jumpMsMin} and (
  ${sql.ref(`${image}.created_at`)} > (select jumped_at from observed_clock where id = 1)
  or ${sql.ref(`${image}.expires_at`)} < ${now - jumpMsMin} - (select lag_ms from observed_clock where id = 1))`
const wasDeletedBefore = (time: number, l: 'l' | 'r' = 'l') =>
  sql`exists (select 1 from workflows as w where w.id = ${sql.ref(`${l}.workflow_id`)} and w.deleted_at < ${time})`

export function retentionKinds(settings: RetentionSettings): Kind[] {
  const executions = (status: 'completed' | 'failed'): Kind => ({
    job: `${status}-executions`,
    table: 'executions',
    key: ['id'],
    everyMinutes: 60,
    where: () => sql`status = ${sql.lit(status)}`,
    stays: sql`exists (select 1 from provider_calls as c where c.execution_id = r.id)
      or exists (select 1 from batches as b where b.id = r.batch_id)`,
    age: {
      at: sql`completed_at`,
      keptMs: { is: settings.executionsKeptDays * dayMs, setting: 'EXECUTIONS_KEEP_DAYS' },
      // Usage counts the executions of a day that is not closed.
      async before(db, accountId) {
        const day = await lastClosedDay(db, accountId)
        return day === undefined ? undefined : Date.parse(day) + dayMs
      },
    },
    ofAccounts: sql`completed_at is not null`,
    longBytes: sql`octet_length(parameters) + octet_length(steps) + coalesce(octet_length(document), 0)`,
    rowsAtOnce: 100,
    first: (trx, ids) => trx.deleteFrom('budgets').where('scope', 'in', ids).where('period', '=', '').execute(),
  })

  return [
    {
      job: 'provider-calls',
      records: 'Calls of AI providers, with the images of their responses',
      reason: 'An execution that starts again continues its calls and pays once. Their costs stay in `GET /usage`.',
      table: 'provider_calls',
      key: ['id'],
      // An execution that waits for longer, for example while the service was stopped, must not pay again.
      where: () => executionHasEnded,
      age: { at: sql`ended_at`, keptMs: seconds(limits.providerCallSeconds) },
      ...callBlobs,
    },
    {
      job: 'idempotency-keys',
      records: 'Idempotency keys, with the responses of their requests',
      reason: 'A client repeats a request within a day.',
      table: 'idempotency_keys',
      key: ['account_id', 'key'],
      age: { at: sql`created_at`, keptMs: seconds(limits.idempotencyKeptSeconds) },
      // A response can have half a megabyte.
      longBytes: sql`coalesce(octet_length(response), 0)`,
      rowsAtOnce: 100,
    },
    {
      job: 'sessions',
      records: 'Sessions of the console, after they expired',
      reason: 'A session that expired is of no use.',
      table: 'sessions',
      key: ['hash'],
      age: { at: sql`expires_at`, keptMs: { is: 0 } },
    },
    endedKeys('keys'),
    endedKeys('signing_keys'),
    {
      job: 'step-checkpoints',
      records: 'Step results of failed executions',
      reason: 'An execution that resumes a failed one continues with them.',
      table: 'step_checkpoints',
      key: ['execution_id', 'task'],
      age: { at: sql`created_at`, keptMs: seconds(limits.checkpointSeconds) },
      each: {
        order: [sql`created_at`],
        bytes: { max: { is: limits.checkpointBytesMax }, of: sql`size`, total: 'step_checkpoint_bytes' },
      },
      // SQLite takes some 0.1 ms for each row of a table with a million rows, because their pages are far apart.
      rowsAtOnce: 100,
      ...resultBlobs,
    },
    {
      job: 'step-results',
      records: 'The step cache',
      reason: 'Results can be computed again.',
      table: 'step_results',
      key: ['account_id', 'key'],
      each: {
        order: [sql`used_at`, sql`key`],
        bytes: {
          max: {
            is: limits.cacheBytesMax,
            setting: 'CACHE_MAX_BYTES',
            ofPlan: (plan) => maximumOf('cacheBytes', plan, settings.quotas ?? {}) ?? Number.POSITIVE_INFINITY,
          },
          of: sql`size`,
          total: 'step_result_bytes',
        },
      },
      rowsAtOnce: 100,
      ...resultBlobs,
    },
    {
      job: 'previews',
      records: 'Step previews and thumbnails, after their last use',
      reason: 'Executions make new ones, and so do requests of thumbnails.',
      table: 'previews',
      key: ['id'],
      age: { at: sql`used_at`, keptMs: { is: settings.previewHours * 3_600_000, setting: 'PREVIEWS_KEEP_HOURS' } },
      each: {
        order: [sql`used_at`, sql`id`],
        bytes: {
          max: { is: settings.previewBytesMax, setting: 'PREVIEWS_MAX_BYTES' },
          // The trigger of the total has the same expression.
          of: sql`coalesce(size, width * height / 4) + 4096`,
          total: 'preview_bytes',
        },
      },
      returning: ['id'],
      blobsOf: ({ id }) => [previewBlobKey({ id: String(id) })],
    },
    {
      job: 'execution-events',
      records: 'Events of executions, after the end of the execution',
      reason: 'A client that resumes a stream later gets the state of the execution.',
      everyMinutes: 60,
      table: 'execution_events',
      key: ['execution_id', 'sequence'],
      // The row that has `ended_at` is the last one of its execution. It is removed last, so the next part finds the rest.
      from: sql`execution_events as ended inner join execution_events as r on r.execution_id = ended.execution_id`,
      age: {
        at: sql`ended.ended_at`,
        order: sql`ended.execution_id, r.sequence`,
        keptMs: seconds(limits.executionEventsKeptSeconds),
      },
      rowsAtOnce: 2_000,
    },
    {
      ...executions('completed'),
      records: 'Executions with their steps and events, after their end. Those of a batch stay as long as the batch',
      reason:
        'The database would grow for ever. `GET /usage` still counts them, and their output images stay until they expire.',
    },
    executions('failed'),
    {
      job: 'execution-brands',
      records: 'Long brand values of executions, after the last execution with them',
      reason: 'Nothing reads them.',
      everyMinutes: 60,
      table: 'execution_brands',
      key: ['account_id', 'hash'],
      stays: sql`exists (select 1 from executions as e
        where e.account_id = r.account_id and e.brand = r.hash and length(e.brand) = 64)`,
      age: { at: sql`used_at`, keptMs: { is: 2 * brandUseMs } },
      longBytes: sql`octet_length(brand)`,
    },
    ofExpiredImages({
      job: 'files-of-expired-images',
      table: 'derived_files',
      key: ['key'],
      from: sql`derived_files as r`,
      of: sql`r.owner_id = i.id`,
      ...derivedBlobs,
    }),
    ofExpiredImages({
      job: 'files-from-expired-images',
      table: 'derived_files',
      key: ['key'],
      from: sql`derived_file_images as m cross join derived_files as r`,
      of: sql`m.image_id = i.id and r.key = m.key`,
      ...derivedBlobs,
    }),
    ofExpiredImages({
      job: 'results-of-expired-images',
      table: 'step_results',
      key: ['account_id', 'key'],
      from: sql`step_result_images as m cross join step_results as r`,
      of: sql`m.image_id = i.id and r.account_id = m.account_id and r.key = m.key`,
      rowsAtOnce: 100,
      ...resultBlobs,
    }),
    {
      ...removedImages('images'),
      job: 'expired-images',
      records: 'Images with `expiresAt`, with their thumbnails and files of delivery URLs, after this time',
      reason: 'The request, the project or the plan set the time. Other images stay until you delete them.',
      ...expiring,
    },
    // The time of an image also applies in the bin.
    { ...removedImages('binned_images'), job: 'expired-binned-images', ...expiring },
    {
      ...removedImages('binned_images'),
      job: 'binned-images',
      records: 'Images in the bin, after they were moved there',
      reason: 'They can be restored until then.',
      age: { at: sql`binned_at`, keptMs: seconds(limits.binSeconds) },
    },
    {
      job: 'sent-notices',
      records: 'Notices of budgets and keys that were sent to webhooks',
      reason: 'Each notice is sent once.',
      table: 'webhook_notices',
      key: ['id'],
      age: { at: sql`created_at`, keptMs: { is: noticesKeptDays * dayMs } },
    },
    {
      job: 'audit-log',
      records: 'Entries of the audit log',
      reason: 'Changes of the last year can be explained.',
      table: 'audit_log',
      key: ['id'],
      everyMinutes: 60,
      age: { at: sql`created_at`, keptMs: { is: settings.auditKeptDays * dayMs, setting: 'AUDIT_KEEP_DAYS' } },
    },
    {
      job: 'webhook-deliveries',
      records: 'Webhook deliveries, after their end',
      reason: 'The log of deliveries is for repairs of a receiver.',
      table: 'webhook_deliveries',
      key: ['id'],
      age: { at: sql`ended_at`, keptMs: seconds(limits.webhookDeliveriesKeptSeconds) },
      each: {
        order: [sql`created_at`, sql`id`],
        where: () => sql`ended_at is not null`,
        count: { is: limits.webhookDeliveriesKeptMax },
      },
      ofAccounts: sql`ended_at is not null`,
      longBytes: sql`octet_length(body) + octet_length(log)`,
    },
    {
      job: 'webhook-queues',
      table: 'webhook_queues',
      key: ['account_id', 'endpoint_id'],
      where: () => sql`waiting = 0 and endpoint_id <> ''
        and not exists (select 1 from webhook_endpoints as e where e.id = r.endpoint_id)`,
    },
    {
      job: 'derived-files',
      records: 'Files of delivery URLs, and of sizes and formats of images',
      reason: 'The least recently used are removed first; the next request makes them again.',
      table: 'derived_files',
      key: ['key'],
      each: {
        order: [sql`used_at`, sql`key`],
        // Files that an execution makes stay.
        where: (now) => sql`used_at < ${now - fileUseMs}
          and (id is not null or used_at < ${now - fileUseMs - limits.executionSecondsMax * 1_000})`,
        bytes: {
          max: { is: settings.deliveryBytesMax, setting: 'DELIVERY_MAX_BYTES' },
          of: sql`size + 500`,
          total: 'derived_file_bytes',
        },
      },
      ...derivedBlobs,
    },
    {
      job: 'files-of-deleted-workflows',
      table: 'derived_files',
      key: ['key'],
      from: sql`channel_leftovers as l cross join derived_files as r`,
      where: (now) => sql`r.owner_id = l.workflow_id and ${wasDeletedBefore(now - fileUseMs)}`,
      ...derivedBlobs,
    },
    {
      job: 'channel-moves',
      table: 'channel_moves',
      key: ['workflow_id', 'channel', 'sequence'],
      from: sql`channel_leftovers as l cross join channel_moves as r`,
      where: () => sql`r.workflow_id = l.workflow_id`,
    },
    {
      // Of workflows whose requests were in flight when they were deleted.
      job: 'deleted-workflows',
      table: 'channel_leftovers',
      key: ['workflow_id'],
      where: (now) => sql`${wasDeletedBefore(now - 2 * fileUseMs, 'r')}
        and not exists (select 1 from derived_files as f where f.owner_id = r.workflow_id)
        and not exists (select 1 from channel_moves as m where m.workflow_id = r.workflow_id)`,
    },
    {
      ...ofBatches,
      job: 'rows-of-deleted-batches',
      records: 'Rows of deleted batches, and of replaced uploads',
      reason: 'Nothing reads them.',
      from: fromBatches,
      where: (now) => sql`${leftovers(now)} and b.deleted_at is not null and r.batch_id = b.id`,
      longBytes: sql`octet_length(r.parameters)`,
      rowsAtOnce: 1_000,
    },
    // Of an earlier upload, or of a later one that was abandoned: two ranges of the index.
    ...(['<', '>'] as const).map(
      (side): Kind => ({
        ...ofBatches,
        job: side === '<' ? 'replaced-rows' : 'abandoned-rows',
        from: fromBatches,
        where: (now) => sql`${leftovers(now)} and r.batch_id = b.id and r.upload ${sql.raw(side)} b.upload`,
        longBytes: sql`octet_length(r.parameters)`,
        rowsAtOnce: 1_000,
      }),
    ),
    {
      job: 'deleted-batches',
      everyMinutes: 1,
      table: 'batches',
      key: ['id'],
      where: (now) => sql`${leftovers(now, 'r')} and deleted_at is not null
        and not exists (select 1 from batch_items as i where i.batch_id = r.id)`,
      returning: ['id', 'account_id'],
      async last(trx, rows) {
        for (const { id, account_id } of rows) await removeItemTotals(trx, String(account_id), String(id))
      },
    },
  ]
}

const expiring: Pick<Kind, 'isPromised' | 'where' | 'age' | 'everyMinutes'> = {
  isPromised: true,
  everyMinutes: 1,
  where: (now) => isPast(now, 'r'),
  age: { at: sql`expires_at`, keptMs: { is: jumpMsMin } },
}

/** Images with their thumbnails and the rest of the records that were made of them. */
function removedImages(table: 'images' | 'binned_images'): Omit<Kind, 'job'> {
  return {
    table,
    key: ['id'],
    rowsAtOnce: 100,
    returning: ['account_id', 'format'],
    blobsOf: ({ id, format }) => [blobKeyOf({ id: String(id), format: format as ImageFormat })],
    async last(trx, rows, now) {
      for (const [accountId, images] of Map.groupBy(rows, (row) => String(row.account_id))) {
        const ids = images.map(({ id }) => String(id))
        while (await removeOfImages(trx, accountId, ids, now));
      }
    },
  }
}

/** Records that were made of images, before the images themselves: one image can have thousands, and goes in one transaction with those that are left. */
function ofExpiredImages({ from, of, ...kind }: Omit<Kind, 'where'> & { from: Condition; of: Condition }): Kind {
  return {
    ...kind,
    isPromised: true,
    everyMinutes: 1,
    from: sql`images as i cross join ${from}`,
    where: (now) => sql`${isPast(now, 'i')} and ${of}`,
  }
}

/** API keys and signing keys that ended. */
export function endedKeys(table: KeyTable): Kind {
  const isApiKey = table === 'keys'
  return {
    job: isApiKey ? 'ended-keys' : 'ended-signing-keys',
    records: `${isApiKey ? 'API keys' : 'Signing keys'} that were revoked or have expired`,
    reason: 'The console lists them for some time.',
    table,
    key: ['id'],
    // A key names the budget in which the open calls of its executions reserved money: it stays until they end.
    where: () => sql`id not in (select key_id from provider_calls where ended_at is null and key_id is not null)`,
    age: { at: endsAt, order: sql`id`, keptMs: seconds(limits.keyEndedSeconds) },
    each: {
      order: [endsAt, sql`id`],
      where: (now) => sql`${endsAt} <= ${now}`,
      count: { is: limits.keysEndedMax },
    },
    // An API key can have a hundred sessions, which are removed with it.
    rowsAtOnce: 100,
    ...(isApiKey && { first: (trx, ids) => trx.deleteFrom('sessions').where('key_id', 'in', ids).execute() }),
    returning: ['account_id', 'budget_id'],
    // Keys that replace each other share a budget.
    async last(trx, rows) {
      if (rows.length === 0) return
      const accounts = rows.map(({ account_id }) => String(account_id))
      const others = trx.selectFrom(table).select('budget_id').where('account_id', 'in', accounts)
      const scopes = rows.map(({ budget_id }) => String(budget_id))
      await trx.deleteFrom('budgets').where('scope', 'in', scopes).where('scope', 'not in', others).execute()
    },
  }
}

export const resultBlobs: Pick<Kind, 'returning' | 'blobsOf'> = {
  returning: ['blob_key'],
  blobsOf: ({ blob_key }) => (blob_key === null ? [] : [String(blob_key)]),
}

export const callBlobs: Pick<Kind, 'returning' | 'blobsOf'> = {
  returning: ['response'],
  blobsOf: (row) => responseOf(row as unknown as ProviderCallRow)?.blobKeys ?? [],
}

export const derivedBlobs: Pick<Kind, 'returning' | 'blobsOf'> = {
  returning: ['id', 'format', 'size', 'width', 'height', 'sha256'],
  blobsOf(row) {
    const image = imageOf(row as unknown as DerivedFileRow)
    return image ? [blobKeyOf(image)] : []
  },
}

function seconds(count: number): Limit {
  return { is: count * 1_000 }
}
