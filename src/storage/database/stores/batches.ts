import { type Kysely, sql } from 'kysely'
import type { BatchStatus, BatchStore } from '../../../domain/batches/batch.ts'
import { endedCount } from '../../../domain/batches/batch-item.ts'
import { limits } from '../../../limits.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { factsOf, recordChange, recording } from '../sql/audit.ts'
import {
  isNotUploading,
  listedColumns,
  type StateRow,
  stateColumns,
  toBatchRow,
  toBatchState,
} from '../sql/batch-row.ts'
import { inTransaction } from '../sql/in-transaction.ts'
import { insertNew } from '../sql/insert.ts'
import type { Quotas } from '../sql/quotas.ts'
import { notingLong, readCounted } from '../sql/read-page.ts'
import { insertOnce } from './idempotency.ts'

export function createBatchStore(db: Kysely<Schema>, dialect: Dialect, quotas: Quotas): BatchStore {
  const visible = (accountId: string) =>
    db.selectFrom('batches').where('batches.account_id', '=', accountId).where('deleted_at', 'is', null)

  const updateBatch = (accountId: string, id: string, trx: Kysely<Schema>) =>
    trx.updateTable('batches').where('id', '=', id).where('account_id', '=', accountId).where('deleted_at', 'is', null)

  return {
    async create(batch, record) {
      const { accountId } = batch
      await insertNew(dialect, 'batch', () =>
        db.transaction().execute((trx) =>
          insertOnce(trx, record, batch.id, () =>
            quotas.within(trx, { accountId }, ['batches'], async () => {
              await trx.insertInto('batches').values(toBatchRow(batch)).execute()
              await recordChange(trx, 'batches', { id: batch.id }, 'batch.create')
            }),
          ),
        ),
      )
    },

    async find(accountId, id, now) {
      const row = await visible(accountId)
        .selectAll('batches')
        .select(stateColumns)
        .where('batches.id', '=', id)
        .executeTakeFirst()
      return row && toBatchState(row, now)
    },

    async list(accountId, page, { status, workflowId }, now) {
      let matching = visible(accountId)
      if (status !== undefined) matching = matching.where('status', '=', status)
      if (workflowId !== undefined) matching = matching.where('workflow_id', '=', workflowId)
      const { toItem, longIds } = notingLong((row: StateRow) => toBatchState(row, now))
      const found = await readCounted(page, {
        table: db.selectFrom('batches'),
        matching,
        columns: (rows) => rows.select(listedColumns).select(stateColumns),
        count: matching.select((eb) => eb.fn.countAll<number>().as('total')),
        toItem,
      })
      return { ...found, longIds }
    },

    async update(accountId, id, { name, maxCostMicros }) {
      return inTransaction(db, (trx) =>
        recording(trx, 'batches', { id }, 'batch.update', async () => {
          const { numUpdatedRows } = await updateBatch(accountId, id, trx)
            .set({
              ...(name === undefined ? {} : { name }),
              ...(maxCostMicros === undefined ? {} : { max_cost_micros: maxCostMicros }),
            })
            .executeTakeFirst()
          return numUpdatedRows > 0n
        }),
      )
    },

    async changeStatus(accountId, id, from, { status, pauseReason = null, at }) {
      return db.transaction().execute(async (trx) => {
        const locked = trx.selectFrom('batches').selectAll().where('id', '=', id).where('account_id', '=', accountId)
        const row = await dialect.lockRows(locked.where('deleted_at', 'is', null)).executeTakeFirst()
        if (row === undefined || !from.includes(row.status as BatchStatus)) return false
        const isUploading = row.uploading !== null && Number(row.uploading_until) > at
        const starts = row.status === 'created' && status === 'running'
        if (starts && (isUploading || row.total === 0)) return false
        const before = await factsOf(trx, 'batches', { id })
        const update = async () =>
          updateBatch(accountId, id, trx)
            .set({
              status,
              pause_reason: pauseReason,
              uploading: null,
              is_active: status === 'paused' ? 0 : 1,
              idle_since: null,
              ...(starts ? { started_at: at } : {}),
              ...(status === 'cancelled' ? { completed_at: at } : {}),
              ...(status === 'running' ? await newRun(trx, id, at) : {}),
            })
            .execute()
        await quotas.within(trx, { accountId }, status === 'running' ? ['batchesRunning'] : [], update)
        const action = status === 'cancelled' ? 'batch.cancel' : 'batch.update'
        await recordChange(trx, 'batches', { id }, action, before)
        return true
      })
    },

    async remove(accountId, id, now) {
      return inTransaction(db, (trx) =>
        recording(trx, 'batches', { id }, 'batch.delete', async () => {
          const { numUpdatedRows } = await updateBatch(accountId, id, trx)
            .set({ deleted_at: now, has_leftovers: 1, idle_since: null })
            .where('status', 'in', ['created', 'completed', 'cancelled'])
            .where('is_active', '=', 0)
            .where(isNotUploading(now))
            .executeTakeFirst()
          return numUpdatedRows > 0n
        }),
      )
    },

    async listActive(batchesMax, now) {
      const rows = await db
        .selectFrom('batches')
        .selectAll('batches')
        .select(stateColumns)
        .where('is_active', '=', sql.lit(1))
        .orderBy('batches.created_at')
        .orderBy('batches.id')
        .limit(batchesMax)
        .execute()
      return rows.map((row) => toBatchState(row, now))
    },

    async claim(id, runner, { now, until }) {
      const { numUpdatedRows } = await db
        .updateTable('batches')
        .set({ runner_id: runner, runner_until: until })
        .where('id', '=', id)
        .where('is_active', '=', sql.lit(1))
        .where((eb) => eb.or([eb('runner_id', 'is', null), eb('runner_id', '=', runner), eb('runner_until', '<', now)]))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async releaseAll(runner) {
      await db
        .updateTable('batches')
        .set({ runner_id: null, runner_until: null })
        .where('is_active', '=', sql.lit(1))
        .where('runner_id', '=', runner)
        .execute()
    },

    async openExecutions(id, executionsMax) {
      const rows = await db
        .selectFrom('executions')
        .select('id')
        .where('batch_id', '=', id)
        .where('completed_at', 'is', null)
        .limit(executionsMax)
        .execute()
      return rows.map((row) => row.id)
    },

    async complete({ id, upload }, completedAt) {
      return db.transaction().execute(async (trx) => {
        // A retry has this lock while it opens rows again, so the rows are read with it.
        const running = trx.selectFrom('batches').select('id').where('id', '=', id).where('status', '=', 'running')
        if ((await dialect.lockRows(running).executeTakeFirst()) === undefined) return false
        const open = await trx
          .selectFrom('batch_items')
          .select('row_number')
          .where('batch_id', '=', id)
          .where('upload', '=', upload)
          .where('state', '=', sql.lit('open'))
          .limit(1)
          .executeTakeFirst()
        if (open !== undefined) return false
        await trx
          .updateTable('batches')
          .set({ status: 'completed', is_active: 0, completed_at: completedAt, idle_since: completedAt })
          .where('id', '=', id)
          .execute()
        return true
      })
    },

    async settle(id) {
      await db
        .updateTable('batches')
        .set((eb) => ({ is_active: 0, runner_id: null, runner_until: null, idle_since: eb.ref('completed_at') }))
        .where('id', '=', id)
        .where('status', '=', 'cancelled')
        .execute()
    },

    async countWorkers(now) {
      const { n } = await db
        .selectFrom('workers')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('seen_at', '>', now - limits.workerLeaseSeconds * 1_000)
        .executeTakeFirstOrThrow()
      return Number(n)
    },

    async maxCostOf(id) {
      const row = await db.selectFrom('batches').select('max_cost_micros').where('id', '=', id).executeTakeFirst()
      return row?.max_cost_micros ?? null
    },

    async expire(before, batchesMax, now) {
      const idle = db
        .selectFrom('batches')
        .select('id')
        .where('idle_since', 'is not', null)
        .where('idle_since', '<', before)
        .where(isNotUploading(now))
        .orderBy('idle_since')
        .limit(batchesMax)
      const { numUpdatedRows } = await db
        .updateTable('batches')
        .set({ deleted_at: now, has_leftovers: 1, idle_since: null })
        .where('id', 'in', idle)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },

    async settleLeftovers(now) {
      await db
        .updateTable('batches')
        .set({ has_leftovers: 0 })
        .where('has_leftovers', '=', sql.lit(1))
        .where('deleted_at', 'is', null)
        .where(isNotUploading(now))
        .where(({ not, exists, selectFrom }) => {
          const items = selectFrom('batch_items').select('row_number').whereRef('batch_id', '=', 'batches.id')
          // Two ranges of the index.
          return not(
            exists(items.whereRef('upload', '<', 'batches.upload')).or(
              exists(items.whereRef('upload', '>', 'batches.upload')),
            ),
          )
        })
        .execute()
    },
  }

  async function newRun(trx: Kysely<Schema>, id: string, at: number) {
    const row = await trx
      .selectFrom('batches')
      .selectAll()
      .select(stateColumns)
      .where('batches.id', '=', id)
      .executeTakeFirstOrThrow()
    return { run_started_at: at, run_ended_before: endedCount(toBatchState(row, at).counts) }
  }
}
