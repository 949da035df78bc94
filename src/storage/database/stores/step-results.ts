import type { Kysely } from 'kysely'
import type {
  NewStepResult,
  StepCheckpointRecord,
  StepResult,
  StepResultStore,
} from '../../../domain/executions/step-result.ts'
import type { Schema, StepCheckpointRow, StepResultRow } from '../schema.ts'
import { inTransaction } from '../sql/in-transaction.ts'
import { missingRows } from '../sql/made-from-images.ts'
import { noteRemovals } from './blob-removals.ts'

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

    async add(given) {
      if (given.length === 0) return []
      return inTransaction(db, (trx) => addResults(trx, given))
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

async function addResults(trx: Kysely<Schema>, given: readonly NewStepResult[]): Promise<NewStepResult[]> {
  // Without its account, one row would make all others fail, and their bytes would stay until the sweep of orphaned blobs.
  const gone = await missingRows(trx, 'accounts', [...new Set(given.map(({ accountId }) => accountId))])
  const missing = await missingRows(trx, 'images', [...new Set(given.flatMap(({ imageIds = [] }) => imageIds))])
  const results = given.filter(
    ({ accountId, imageIds = [] }) => !gone.has(accountId) && !imageIds.some((id) => missing.has(id)),
  )
  if (results.length === 0) return []
  const rows = await trx
    .insertInto('step_results')
    .values(results.map(toRow).sort(byKey))
    .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing())
    .returning(['account_id', 'key'])
    .execute()
  const written = new Set(rows.map(({ account_id, key }) => `${account_id} ${key}`))
  const added = results.filter(({ accountId, key }) => written.has(`${accountId} ${key}`))
  const links = added.flatMap(({ accountId, key, imageIds = [] }) =>
    imageIds.map((image_id) => ({ account_id: accountId, key, image_id })),
  )
  for (let at = 0; at < links.length; at += linksAtOnce)
    await trx
      .insertInto('step_result_images')
      .values(links.slice(at, at + linksAtOnce))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  return added
}

const linksAtOnce = 1_000

/** One order for all writers, so that writers of the same keys cannot deadlock. */
function byKey(a: StepResultRow | StepCheckpointRow, b: StepResultRow | StepCheckpointRow): number {
  return orderOf(a) < orderOf(b) ? -1 : 1
}

function orderOf(row: StepResultRow | StepCheckpointRow): string {
  return `${row.account_id}/${'task' in row ? row.task : row.key}`
}

function blobKeys(rows: readonly { blob_key: string | null }[]): string[] {
  return rows.flatMap(({ blob_key }) => blob_key ?? [])
}

function toRow({ accountId, blobKey, createdAt, usedAt, imageIds: _, ...same }: NewStepResult): StepResultRow {
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
