import { type Kysely, sql } from 'kysely'
import { timestamp } from '../../../domain/clock.ts'
import type { Micros } from '../../../domain/models/model.ts'
import { callIdOfBlob, type ProviderCall, type ProviderCallStore } from '../../../domain/models/provider-call.ts'
import { budgetNotice } from '../../../domain/webhooks/webhook.ts'
import type { Dialect } from '../dialect.ts'
import type { ProviderCallRow, Schema } from '../schema.ts'
import { OverBudget, readBudget, reserve } from '../sql/budgets.ts'
import { endCall } from '../sql/end-call.ts'
import { inTransaction } from '../sql/in-transaction.ts'
import { responseOf, toCall, toCallRow } from '../sql/provider-call-row.ts'
import { emitNotice } from '../sql/webhook-events.ts'
import { readUsage } from './usage.ts'

/** Rows of one statement: engines limit its number of values. */
const _rowsAtOnce = 500

export function createProviderCallStore(db: Kysely<Schema>, dialect: Dialect): ProviderCallStore {
  return {
    async begin(call, attempt, budgets) {
      const write = async (trx: Kysely<Schema>) => {
        if (!(await mayWrite(trx, dialect, call.executionId, attempt))) return 'lease_lost'
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('provider_calls')
          .values(toCallRow({ ...call, state: 'submitting' }))
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()
        if (numInsertedOrUpdatedRows === 0n) return (await isSubmitting(trx, call.id)) ? 'started' : 'taken'
        await reserve(trx, call, call.reservedMicros, budgets)
        return 'started'
      }
      return db
        .transaction()
        .execute(write)
        .catch(async (error: unknown) => {
          if (!(error instanceof OverBudget)) throw error
          if (error.exceeded.over === 'account') await noteSpentBudget(db, call, error.exceeded.budgetMicros)
          return error.exceeded
        })
    },

    async accept(id, handle, requestId, now) {
      const result = await db
        .updateTable('provider_calls')
        .set({ state: 'accepted', handle: JSON.stringify(handle), request_id: requestId, updated_at: now })
        .where('id', '=', id)
        .where('state', '=', 'submitting')
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    async update(id, handle, now) {
      const result = await db
        .updateTable('provider_calls')
        .set({ handle: JSON.stringify(handle), updated_at: now })
        .where('id', '=', id)
        .where('state', '=', 'accepted')
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    end: (id, end, now) => db.transaction().execute((trx) => endCall(trx, id, end, now)),

    async at(executionIds, { node, item, ordinal }) {
      if (executionIds.length === 0) return []
      const rows = await db
        .selectFrom('provider_calls')
        .selectAll()
        .where('execution_id', 'in', executionIds)
        .where('node', '=', node)
        .where('item', '=', item)
        .where('ordinal', '=', ordinal)
        .execute()
      return rows.map(toCall).sort((a, b) => a.createdAt - b.createdAt || a.sequence - b.sequence)
    },

    async endedOf(executionId) {
      const rows = await db
        .selectFrom('provider_calls')
        .selectAll()
        .where('execution_id', '=', executionId)
        .where('ended_at', 'is not', null)
        .execute()
      return rows
        .map(toCall)
        .sort(
          (a, b) => a.item - b.item || a.ordinal - b.ordinal || a.createdAt - b.createdAt || a.sequence - b.sequence,
        )
    },

    async listOrphaned(before, rowsMax) {
      const rows = await db
        .selectFrom('provider_calls')
        .selectAll()
        .where('ended_at', 'is', null)
        .where('updated_at', '<', before)
        .where(hasEnded)
        .orderBy('updated_at')
        .orderBy('id')
        .limit(rowsMax)
        .execute()
      return rows.map(toCall)
    },

    async existing(blobKeys) {
      if (blobKeys.length === 0) return new Set()
      const rows = await db
        .selectFrom('provider_calls')
        .select(['id', 'response', 'ended_at'])
        .where('id', 'in', [...new Set(blobKeys.map(callIdOfBlob))])
        .execute()
      const calls = new Map(rows.map((row) => [row.id, row]))
      return new Set(blobKeys.filter((key) => refersTo(calls.get(callIdOfBlob(key)), key)))
    },

    usage: (accountId, filter) => readUsage(db, accountId, filter),
    spentOf: (accountId, month) => readBudget(db, accountId, month),
  }
}

/** Calls are refused before the budget is spent to the last cent, so the refusal is the notice of 100 %. */
async function noteSpentBudget(db: Kysely<Schema>, call: ProviderCall, budgetMicros: Micros): Promise<void> {
  const month = timestamp(call.createdAt).slice(0, 7)
  const { spentMicros } = await readBudget(db, call.accountId, month)
  const notice = budgetNotice({ accountId: call.accountId, budgetMicros, spentMicros }, month, 100, call.createdAt)
  await inTransaction(db, (trx) => emitNotice(trx, notice))
}

/** Locks the execution until the transaction ends: nothing takes it over or ends it before the call is recorded. */
async function mayWrite(trx: Kysely<Schema>, dialect: Dialect, id: string, attempt: number): Promise<boolean> {
  const ownCalls = trx
    .selectFrom('executions')
    .select('id')
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('status', '=', 'running')
  return (await dialect.lockRows(ownCalls).executeTakeFirst()) !== undefined
}

/** Whether the row is this call. */
async function isSubmitting(trx: Kysely<Schema>, id: string): Promise<boolean> {
  const row = await trx.selectFrom('provider_calls').select('state').where('id', '=', id).executeTakeFirst()
  return row?.state === 'submitting'
}

const hasEnded = sql<boolean>`exists (
  select 1 from executions where executions.id = provider_calls.execution_id and executions.status in ('completed', 'failed'))`

function refersTo(call: Pick<ProviderCallRow, 'response' | 'ended_at'> | undefined, key: string): boolean {
  if (call === undefined) return false
  // Its images are stored before its end is written.
  return call.ended_at === null || (responseOf(call)?.blobKeys.includes(key) ?? false)
}
