import type { Kysely } from 'kysely'
import type { StepCheckpointRecord, StepResult, StepResultStore } from '../../../domain/step-result.ts'
import type { Schema, StepCheckpointRow, StepResultRow } from '../schema.ts'
import { noteRemovals } from './blob-removals.ts'

/** Rows of one statement: engines limit its number of values. */
const rowsAtOnce = 500

export function createStepResultStore(db: Kysely<Schema>): StepResultStore {
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

    bytesOf: (accountId) => sum(db, 'step_results', accountId),

    async evict(accountId, bytesMax, now) {
      const removed: string[] = []
      for (let over = (await sum(db, 'step_results', accountId)) - bytesMax; over > 0; ) {
        const oldest = await db
          .selectFrom('step_results')
          .select(['key', 'size'])
          .where('account_id', '=', accountId)
          .orderBy('used_at')
          .orderBy('key')
          .limit(rowsAtOnce)
          .execute()
        if (oldest.length === 0) break
        const keys: string[] = []
        for (const { key, size } of oldest) {
          if (over <= 0) break
          keys.push(key)
          over -= size
        }
        // Rows that another process has removed in the meantime are not returned.
        const removedKeys = await db.transaction().execute(async (trx) => {
          const rows = await trx
            .deleteFrom('step_results')
            .where('account_id', '=', accountId)
            .where('key', 'in', keys)
            .returning('blob_key')
            .execute()
          await noteRemovals(trx, blobKeys(rows), now)
          return blobKeys(rows)
        })
        removed.push(...removedKeys)
      }
      return removed
    },

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

    checkpointBytesOf: (accountId) => sum(db, 'step_checkpoints', accountId),

    async sweepCheckpoints(before, rowsMax, now) {
      return db.transaction().execute(async (trx) => {
        const old = await trx
          .selectFrom('step_checkpoints')
          .select(['execution_id', 'task'])
          .where('created_at', '<', before)
          .orderBy('created_at')
          .limit(Math.min(rowsMax, rowsAtOnce))
          .execute()
        return dropCheckpoints(trx, old, now)
      })
    },

    async evictCheckpoints(accountId, bytesMax, now) {
      for (let over = (await sum(db, 'step_checkpoints', accountId)) - bytesMax; over > 0; ) {
        const oldest = await db
          .selectFrom('step_checkpoints')
          .select(['execution_id', 'task', 'size'])
          .where('account_id', '=', accountId)
          .orderBy('created_at')
          .orderBy('execution_id')
          .orderBy('task')
          .limit(rowsAtOnce)
          .execute()
        const some: typeof oldest = []
        for (const row of oldest) {
          if (over <= 0) break
          some.push(row)
          over -= row.size
        }
        if (some.length === 0) return
        await db.transaction().execute((trx) => dropCheckpoints(trx, some, now))
      }
    },

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

/** Returns how many rows existed. */
async function dropCheckpoints(
  trx: Kysely<Schema>,
  checkpoints: readonly Pick<StepCheckpointRow, 'execution_id' | 'task'>[],
  now: number,
): Promise<number> {
  let count = 0
  for (const { execution_id, task } of checkpoints) {
    const rows = await trx
      .deleteFrom('step_checkpoints')
      .where('execution_id', '=', execution_id)
      .where('task', '=', task)
      .returning('blob_key')
      .execute()
    await noteRemovals(trx, blobKeys(rows), now)
    count += rows.length
  }
  return count
}

/** One order for all writers, so that writers of the same keys cannot deadlock. */
function byKey(a: StepResultRow | StepCheckpointRow, b: StepResultRow | StepCheckpointRow): number {
  return orderOf(a) < orderOf(b) ? -1 : 1
}

function orderOf(row: StepResultRow | StepCheckpointRow): string {
  return `${row.account_id}/${'task' in row ? row.task : row.key}`
}

async function sum(db: Kysely<Schema>, table: 'step_results' | 'step_checkpoints', accountId: string): Promise<number> {
  const { bytes } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.sum<number | string | null>('size').as('bytes'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
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
