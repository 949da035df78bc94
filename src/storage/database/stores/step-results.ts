import { type Kysely, sql } from 'kysely'
import type { StepCheckpointRecord, StepResult, StepResultStore } from '../../../domain/executions/step-result.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema, StepCheckpointRow, StepResultRow } from '../schema.ts'
import { listTotal } from '../sql/list-total.ts'
import { noteRemovals } from './blob-removals.ts'

/** Rows that a transaction removes. SQLite takes some 0.1 ms for each row of a table with a million rows, because their pages are far apart. */
const removedAtOnce = 100

export function createStepResultStore(db: Kysely<Schema>, dialect: Dialect): StepResultStore {
  return {
    async find(accountId, keys) {
      if (keys.length === 0) return []
      const rows = await db
        .selectFrom('step_results')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('key', 'in', keys)
        .execute()
      return rows.map(toResult)
    },

    async add(results) {
      if (results.length === 0) return []
      const rows = await db
        .insertInto('step_results')
        .values(results.map(toRow).sort(byKey))
        .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing())
        .returning(['account_id', 'key'])
        .execute()
      const written = new Set(rows.map(({ account_id, key }) => `${account_id} ${key}`))
      return results.filter(({ accountId, key }) => written.has(`${accountId} ${key}`))
    },

    async touch(accountId, keys, now) {
      if (keys.length === 0) return
      await db
        .updateTable('step_results')
        .set({ used_at: now })
        .where('account_id', '=', accountId)
        .where('key', 'in', keys)
        .execute()
    },

    async remove(accountId, key, now) {
      await db.transaction().execute(async (trx) => {
        const rows = await trx
          .deleteFrom('step_results')
          .where('account_id', '=', accountId)
          .where('key', '=', key)
          .returning('blob_key')
          .execute()
        await noteRemovals(trx, blobKeys(rows), now)
      })
    },

    bytesOf: (accountId) => bytesIn(db, 'step_result_bytes', accountId),

    evict: (accountId, bytesMax, now) =>
      db.transaction().execute(async (trx) => {
        const oldest = trx
          .selectFrom('step_results')
          .select(['key', 'size'])
          .where('account_id', '=', accountId)
          .orderBy('used_at')
          .orderBy('key')
          .limit(removedAtOnce)
        // Rows that are being looked up, or removed by another process, are skipped.
        const found = await dialect.skipLocked(oldest).execute()
        const bytes = await bytesIn(trx, 'step_result_bytes', accountId)
        const { chosen, bytesLeft } = choose(found, bytes, bytesMax)
        if (chosen.length === 0) return { rows: 0, bytesLeft, blobKeys: [] }
        const keys = chosen.map(({ key }) => key)
        const rows = await trx
          .deleteFrom('step_results')
          .where('account_id', '=', accountId)
          .where('key', 'in', keys)
          .returning('blob_key')
          .execute()
        await noteRemovals(trx, blobKeys(rows), now)
        return { rows: rows.length, bytesLeft, blobKeys: blobKeys(rows) }
      }),

    async saveCheckpoints(results) {
      if (results.length === 0) return new Set()
      const rows = await db
        .insertInto('step_checkpoints')
        .values(results.map(toCheckpointRow).sort(byKey))
        .onConflict((conflict) => conflict.columns(['execution_id', 'task']).doNothing())
        .returning('task')
        .execute()
      return new Set(rows.map(({ task }) => task))
    },

    async findCheckpoints(accountId, executionIds) {
      if (executionIds.length === 0) return []
      const rows = await db
        .selectFrom('step_checkpoints')
        .selectAll()
        .where('execution_id', 'in', executionIds)
        .execute()
      return rows.map(toCheckpoint).filter((checkpoint) => checkpoint.accountId === accountId)
    },

    checkpointBytesOf: (accountId) => bytesIn(db, 'step_checkpoint_bytes', accountId),

    sweepCheckpoints: (before, rowsMax, now) =>
      db.transaction().execute(async (trx) => {
        const oldest = trx
          .selectFrom('step_checkpoints')
          .select(['execution_id', 'task'])
          .where('created_at', '<', before)
          .orderBy('created_at')
          .limit(Math.min(rowsMax, removedAtOnce))
        return dropCheckpoints(trx, await dialect.lockRows(oldest).execute(), now)
      }),

    evictCheckpoints: (accountId, bytesMax, now) =>
      db.transaction().execute(async (trx) => {
        const oldest = trx
          .selectFrom('step_checkpoints')
          .select(['execution_id', 'task', 'size'])
          .where('account_id', '=', accountId)
          .orderBy('created_at')
          .limit(removedAtOnce)
        const found = await dialect.lockRows(oldest).execute()
        // After the lock: the total is then without the rows that another process has removed.
        const bytes = await bytesIn(trx, 'step_checkpoint_bytes', accountId)
        const { chosen, bytesLeft } = choose(found, bytes, bytesMax)
        return { rows: await dropCheckpoints(trx, chosen, now), bytesLeft }
      }),

    async existing(keys) {
      if (keys.length === 0) return new Set()
      const found = await Promise.all(
        (['step_results', 'step_checkpoints'] as const).map((table) =>
          db.selectFrom(table).select('blob_key').where('blob_key', 'in', keys).execute(),
        ),
      )
      return new Set(blobKeys(found.flat()))
    },
  }
}

/** The first rows that have to go until at most `bytesMax` of all these bytes are left. */
function choose<Row extends { size: number }>(rows: readonly Row[], bytes: number, bytesMax: number) {
  const chosen: Row[] = []
  let bytesLeft = bytes
  for (const row of rows) {
    if (bytesLeft <= bytesMax) break
    chosen.push(row)
    bytesLeft -= row.size
  }
  return { chosen, bytesLeft }
}

/** Removes checkpoints in one statement, for which the caller has locked the rows. Returns how many rows existed. */
async function dropCheckpoints(
  trx: Kysely<Schema>,
  checkpoints: readonly Pick<StepCheckpointRow, 'execution_id' | 'task'>[],
  now: number,
): Promise<number> {
  if (checkpoints.length === 0) return 0
  const names = sql.join(checkpoints.map(({ execution_id, task }) => sql`(${execution_id}, ${task})`))
  const rows = await trx
    .deleteFrom('step_checkpoints')
    .where(sql<boolean>`(execution_id, task) in (values ${names})`)
    .returning('blob_key')
    .execute()
  await noteRemovals(trx, blobKeys(rows), now)
  return rows.length
}

/** One order for all writers, so that writers of the same keys cannot deadlock. */
function byKey(a: StepResultRow | StepCheckpointRow, b: StepResultRow | StepCheckpointRow): number {
  return orderOf(a) < orderOf(b) ? -1 : 1
}

function orderOf(row: StepResultRow | StepCheckpointRow): string {
  return `${row.account_id}/${'task' in row ? row.task : row.key}`
}

/** Size from the totals that triggers keep: see migrations/init-bytes.ts. */
async function bytesIn(
  db: Kysely<Schema>,
  list: 'step_result_bytes' | 'step_checkpoint_bytes',
  accountId: string,
): Promise<number> {
  const { total } = await listTotal(db, accountId, list).executeTakeFirstOrThrow()
  return Number(total)
}

function blobKeys(rows: readonly { blob_key: string | null }[]): string[] {
  return rows.flatMap(({ blob_key }) => blob_key ?? [])
}

function toRow({ accountId, blobKey, createdAt, usedAt, ...same }: StepResult): StepResultRow {
  return { ...same, account_id: accountId, blob_key: blobKey, created_at: createdAt, used_at: usedAt }
}

function toResult({ account_id, blob_key, created_at, used_at, ...same }: StepResultRow): StepResult {
  return { ...same, accountId: account_id, blobKey: blob_key, createdAt: created_at, usedAt: used_at }
}

function toCheckpointRow({
  accountId,
  executionId,
  blobKey,
  createdAt,
  ...same
}: StepCheckpointRecord): StepCheckpointRow {
  return { ...same, account_id: accountId, execution_id: executionId, blob_key: blobKey, created_at: createdAt }
}

function toCheckpoint({
  account_id,
  execution_id,
  blob_key,
  created_at,
  ...same
}: StepCheckpointRow): StepCheckpointRecord {
  return { ...same, accountId: account_id, executionId: execution_id, blobKey: blob_key, createdAt: created_at }
}
