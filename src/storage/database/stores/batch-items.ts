import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import {
  type BatchItem,
  type BatchItemStatus,
  type BatchItemStore,
  BatchItemTaken,
  type BatchRows,
  type CountedRows,
} from '../../../domain/batches/batch-item.ts'
import type { BatchItemRef } from '../../../domain/executions/execution.ts'
import type { PageRequest } from '../../../domain/page.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import { factsOf, recordChange } from '../sql/audit.ts'
import { isNotUploading, selectItems, toItem } from '../sql/batch-row.ts'
import { firstPart } from '../sql/first-part.ts'
import type { Quotas } from '../sql/quotas.ts'

export function createBatchItemStore(db: Kysely<Schema>, dialect: Dialect, quotas: Quotas): BatchItemStore {
  const items = ({ id, upload }: BatchRows) =>
    db.selectFrom('batch_items').where('batch_id', '=', id).where('upload', '=', upload)
  const itemsWithExecution = ({ id, upload }: BatchRows) =>
    selectItems(db).where('item.batch_id', '=', id).where('item.upload', '=', upload)

  /** The upload that owns the batch. */
  const uploading = ({ id, upload }: BatchRows, within = db) =>
    within
      .updateTable('batches')
      .where('id', '=', id)
      .where('uploading', '=', upload)
      .where('status', '=', 'created')
      .where('deleted_at', 'is', null)

  /** Locks the batch: before the account, like all writers of a batch. Undefined if it is gone. */
  const lockBatch = ({ id }: Pick<BatchRows, 'id'>, trx: Kysely<Schema>) =>
    dialect.lockRows(trx.selectFrom('batches').select('account_id').where('id', '=', id)).executeTakeFirst()

  return {
    async beginUpload(batchId, { now, until }) {
      const row = await db
        .updateTable('batches')
        .set((eb) => ({
          uploads: eb('uploads', '+', 1),
          uploading: eb('uploads', '+', 1),
          uploading_until: until,
          has_leftovers: 1,
        }))
        .where('id', '=', batchId)
        .where('status', '=', 'created')
        .where('deleted_at', 'is', null)
        .where(isNotUploading(now))
        .returning('uploading')
        .executeTakeFirst()
      return row?.uploading ?? undefined
    },

    async add(rows, firstRow, added, until) {
      return db.transaction().execute(async (trx) => {
        const batch = await uploading(rows, trx)
          .set({ uploading_until: until })
          .returning('account_id')
          .executeTakeFirst()
        if (batch === undefined) return false
        const texts = JSON.stringify(
          added.map(({ key, parameters }) => JSON.stringify({ key, parameters: JSON.stringify(parameters) })),
        )
        const insert = () =>
          sql`
          insert into batch_items (batch_id, upload, row_number, account_id, key, parameters)
          select owner.id, cast(${rows.upload} as integer), cast(${firstRow} as integer) + each.n - 1, owner.account_id,
            ${dialect.textIn('each.text', 'key')}, ${dialect.textIn('each.text', 'parameters')}
          from ${dialect.elementsOf(sql`${texts}`)} as each
          join batches as owner on owner.id = ${rows.id}`.execute(trx)
        await quotas.within(trx, { accountId: batch.account_id }, ['storageBytes'], insert)
        return true
      })
    },

    async renewUpload(rows, until) {
      await uploading(rows).set({ uploading_until: until }).execute()
    },

    async endUpload(rows, total) {
      return db.transaction().execute(async (trx) => {
        const batch = await lockBatch(rows, trx)
        if (batch === undefined) return false
        return quotas.within(trx, { accountId: batch.account_id }, ['batchRows'], async () => {
          const { numUpdatedRows } = await uploading(rows, trx)
            .set({ total, upload: rows.upload, uploading: null, uploading_until: null })
            .executeTakeFirst()
          return numUpdatedRows > 0n
        })
      })
    },

    async abandonUpload(rows) {
      await uploading(rows).set({ uploading: null, uploading_until: null }).execute()
    },

    async list(batch, page, status) {
      const oneMore = { ...page, limit: page.limit + 1 }
      const { numbers, total } = await (status === 'running'
        ? listRunning(batch, oneMore)
        : listNumbers(batch, oneMore, status))
      const shown = numbers.slice(0, page.limit)
      const next = numbers.length > page.limit ? { value: Number(shown.at(-1)), id: '' } : null
      return { parts: inParts(batch, shown), next, total }
    },

    async find(batch, key) {
      const row = await itemsWithExecution(batch).where('item.key', '=', key).executeTakeFirst()
      return row && toItem(row)
    },

    async readAfter(batch, row, rowsMax) {
      const sizes = await sized(batch).where('row_number', '>', row).orderBy('row_number').limit(rowsMax).execute()
      return readRows(batch, firstNumbers(sizes))
    },

    pick: inParts,

    async readEnded(batch, after, rowsMax) {
      const ended = await sized(batch)
        .select('ended_at')
        .where('ended_at', 'is not', null)
        .where((eb) => eb(eb.refTuple('ended_at', 'row_number'), '>', eb.tuple(after.endedAt, after.row)))
        .orderBy('ended_at')
        .orderBy('row_number')
        .limit(rowsMax)
        .execute()
      const rows = new Map((await readRows(batch, firstNumbers(ended))).map((item) => [item.row, item]))
      // A row that was retried meanwhile ends again later.
      return ended.flatMap((row) => {
        const item = rows.get(row.row_number)
        return item?.endedAt === row.ended_at ? [item] : []
      })
    },

    async update({ id, upload }, key, parameters) {
      const write = async (trx: Kysely<Schema>) => {
        const { numUpdatedRows } = await trx
          .updateTable('batch_items')
          .set({ parameters: JSON.stringify(parameters) })
          .where('batch_id', '=', id)
          .where('upload', '=', upload)
          .where('key', '=', key)
          .where((eb) =>
            eb.or([
              eb('state', 'in', ['failed', 'cancelled']),
              eb.exists(
                eb.selectFrom('batches').select('id').where('id', '=', id).where('status', '=', sql.lit('created')),
              ),
            ]),
          )
          .executeTakeFirst()
        return numUpdatedRows > 0n
      }
      return db.transaction().execute(async (trx) => {
        const batch = await lockBatch({ id }, trx)
        if (batch === undefined) return false
        return quotas.within(trx, { accountId: batch.account_id }, ['storageBytes'], () => write(trx))
      })
    },

    async retry({ id, upload }, { keys, rowsMax, now }) {
      return db.transaction().execute(async (trx) => {
        const locked = trx
          .selectFrom('batches')
          .select(['status', 'account_id'])
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
        const batch = await dialect.lockRows(locked).executeTakeFirst()
        if (batch === undefined || !['running', 'paused', 'completed'].includes(batch.status)) return 0
        let ended = trx
          .selectFrom('batch_items')
          .select('row_number')
          .where('batch_id', '=', id)
          .where('upload', '=', upload)
          .where('state', '<>', sql.lit('open'))
          .where('state', 'in', ['failed', 'cancelled'])
        if (keys !== undefined) ended = ended.where('key', 'in', [...keys])
        const { numUpdatedRows } = await trx
          .updateTable('batch_items')
          .set((eb) => ({
            state: 'open',
            resumed_from: eb.fn.coalesce('execution_id', 'resumed_from'),
            execution_id: null,
            ended_at: null,
          }))
          .where('batch_id', '=', id)
          .where('upload', '=', upload)
          .where('row_number', 'in', ended.limit(rowsMax))
          .executeTakeFirst()
        if (numUpdatedRows > 0n && batch.status === 'completed') {
          const { account_id: accountId } = batch
          await quotas.within(trx, { accountId }, ['batchesRunning'], () => continueBatch(trx, id, now))
        }
        return Number(numUpdatedRows)
      })
    },

    async nextWaiting(batch, rowsMax) {
      const sizes = await sized(batch).where(isWaiting).orderBy('row_number').limit(rowsMax).execute()
      if (sizes.length === 0) return []
      const rows = await items(batch)
        .select(['row_number', 'key', 'parameters', 'resumed_from'])
        .where(isWaiting)
        .where('row_number', 'in', firstNumbers(sizes))
        .orderBy('row_number')
        .execute()
      return rows.map((row) => ({
        row: row.row_number,
        key: row.key,
        parameters: JSON.parse(row.parameters) as Record<string, unknown>,
        resumedFrom: row.resumed_from,
      }))
    },

    async cancelWaiting(batch, rowsMax, now) {
      const waiting = items(batch).select('row_number').where(isWaiting).orderBy('row_number').limit(rowsMax)
      const { numUpdatedRows } = await db
        .updateTable('batch_items')
        .set({ state: 'cancelled', ended_at: now })
        .where('batch_id', '=', batch.id)
        .where('upload', '=', batch.upload)
        .where('row_number', 'in', waiting)
        .where('execution_id', 'is', null)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },
  }

  function sized(batch: BatchRows) {
    return items(batch).select(['row_number', sql<number>`octet_length(parameters)`.as('bytes')])
  }

  async function readRows(batch: BatchRows, numbers: readonly number[]): Promise<BatchItem[]> {
    if (numbers.length === 0) return []
    const rows = await itemsWithExecution(batch)
      .where('item.row_number', 'in', [...numbers])
      .orderBy('item.row_number')
      .execute()
    return rows.map(toItem)
  }

  async function* inParts(batch: BatchRows, numbers: readonly number[]): AsyncGenerator<BatchItem[], void> {
    if (numbers.length === 0) return
    const sizes = await sized(batch)
      .where('row_number', 'in', [...numbers])
      .orderBy('row_number')
      .execute()
    for (let from = 0; from < sizes.length; ) {
      const part = firstNumbers(sizes.slice(from))
      yield await readRows(batch, part)
      from += part.length
    }
  }

  function running(id: string) {
    return db
      .selectFrom('executions')
      .where('executions.batch_id', '=', id)
      .where('executions.batch_id', 'is not', null)
      .where('executions.status', '=', sql.lit('running'))
      .where('executions.completed_at', 'is', null)
  }

  async function listNumbers(
    batch: CountedRows,
    { limit, offset, after = { value: 0, id: '' } }: PageRequest,
    status: Exclude<BatchItemStatus, 'running'> | undefined,
  ): Promise<PageNumbers> {
    // Rows are numbered without gaps.
    const [from, skipped] = status === undefined ? [after.value + offset, 0] : [after.value, offset]
    const page = matchingStatus(batch, status)
      .where('row_number', '>', sql<number>`cast(${from} as bigint)`)
      .limit(limit)
      .offset(skipped)
    const numbers = (await page.execute()).map((row) => row.row_number)
    return { numbers, total: status === undefined ? batch.total : batch.counts[status] }
  }

  /** The numbers of the rows in this status, in their order. */
  function matchingStatus(batch: BatchRows, status: Exclude<BatchItemStatus, 'running'> | undefined) {
    const all = items(batch).select('row_number').orderBy('row_number')
    if (status === undefined) return all
    if (status !== 'pending') return all.where('state', '<>', sql.lit('open')).where('state', '=', status)
    const ids = running(batch.id).select('executions.id')
    return all
      .where('state', '=', sql.lit('open'))
      .where((eb) => eb.or([eb('execution_id', 'is', null), eb('execution_id', 'not in', ids)]))
  }

  /** Rows from the running executions: an account has few of them. */
  async function listRunning(batch: BatchRows, { limit, offset, after }: PageRequest): Promise<PageNumbers> {
    const found = await running(batch.id)
      .innerJoin('batch_items', 'batch_items.execution_id', 'executions.id')
      .select('row_number')
      .execute()
    const numbers = found.map((row) => row.row_number).sort((a, b) => a - b)
    const rest = numbers.filter((number) => number > (after?.value ?? 0))
    return { numbers: rest.slice(offset, offset + limit), total: numbers.length }
  }
}

function isWaiting(eb: ExpressionBuilder<Schema, 'batch_items'>) {
  return eb.and([eb('state', '=', sql.lit('open')), eb('execution_id', 'is', null)])
}

interface PageNumbers {
  numbers: number[]
  total: number
}

function firstNumbers(sizes: readonly { row_number: number; bytes: number }[]): number[] {
  return firstPart(sizes).map((row) => row.row_number)
}

async function continueBatch(trx: Kysely<Schema>, id: string, now: number): Promise<void> {
  const before = await factsOf(trx, 'batches', { id })
  await trx
    .updateTable('batches')
    .set({
      status: 'running',
      is_active: 1,
      completed_at: null,
      idle_since: null,
      run_started_at: now,
      // The rows that end from now on are those that wait.
      run_ended_before: sql<number>`total - (select count(*) from batch_items where batch_id = ${id}
        and batch_items.upload = batches.upload and state = 'open')`,
    })
    .where('id', '=', id)
    .execute()
  await recordChange(trx, 'batches', { id }, 'batch.update', before)
}

/** Gives a row to an execution, within the transaction that records it. Throws `BatchItemTaken`. */
export async function takeBatchItem(
  trx: Kysely<Schema>,
  dialect: Dialect,
  { batchId, upload, row }: BatchItemRef,
  executionId: string,
): Promise<void> {
  // The lock keeps a pause or a cancellation out until the execution is recorded.
  const batch = trx.selectFrom('batches').select('status').where('id', '=', batchId).where('deleted_at', 'is', null)
  if ((await dialect.lockRows(batch).executeTakeFirst())?.status !== 'running') throw new BatchItemTaken()
  const { numUpdatedRows } = await trx
    .updateTable('batch_items')
    .set({ execution_id: executionId })
    .where('batch_id', '=', batchId)
    .where('upload', '=', upload)
    .where('row_number', '=', row)
    .where('state', '=', 'open')
    .where('execution_id', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new BatchItemTaken()
}

/** The row of an execution that was stopped hasn't failed: it waits again. Part of the transaction that ends the execution. */
export async function reopenBatchItem(trx: Kysely<Schema>, executionId: string): Promise<void> {
  await trx
    .updateTable('batch_items')
    .set({ state: 'open', execution_id: null, resumed_from: executionId, ended_at: null })
    .where('execution_id', '=', executionId)
    .execute()
}
