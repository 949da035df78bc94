/** The end of a provider call: its row, its budgets and its usage. Part of a transaction. */
import { type Kysely, sql } from 'kysely'
import { type CallEnd, outcomeUnknown, type ProviderCall } from '../../../domain/models/provider-call.ts'
import type { ProviderCallRow, Schema } from '../schema.ts'
import { addUsage } from '../stores/usage.ts'
import { settleReservation } from './budgets.ts'
import { jsonOrNull, toCall } from './provider-call-row.ts'

/** False, with nothing written, if the call has ended already. */
export async function endCall(trx: Kysely<Schema>, id: string, end: CallEnd, now: number): Promise<boolean> {
  const row = await trx
    .updateTable('provider_calls')
    .set({
      state: end.state,
      response: jsonOrNull(end.response),
      problem: jsonOrNull(end.problem),
      cost_micros: end.costMicros,
      cost_source: end.costSource,
      ...(end.requestId !== undefined && { request_id: end.requestId }),
      updated_at: now,
      ended_at: now,
    })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return false
  const spentMicros = spentBy(row, end)
  const execution = await trx
    .selectFrom('executions')
    .select('batch_id')
    .where('id', '=', row.execution_id)
    .executeTakeFirst()
  const spender = {
    executionId: row.execution_id,
    batchId: execution?.batch_id ?? null,
    accountId: row.account_id,
    keyId: row.key_id,
    createdAt: row.created_at,
  }
  const isUnknown = end.costMicros === null || end.costSource === 'assumed'
  await settleReservation(trx, spender, { reservedMicros: row.reserved_micros, spentMicros, isUnknown })
  await addUsage(trx, row, { isDone: end.state === 'done', cost: spentMicros, unknown: isUnknown, now })
  return true
}

/** Ends the calls of an execution that may have been sent and have no job id: no later attempt can find them. Returns them. */
export async function endUnknownCalls(trx: Kysely<Schema>, executionId: string, now: number): Promise<ProviderCall[]> {
  const rows = await trx
    .selectFrom('provider_calls')
    .selectAll()
    .where('execution_id', '=', executionId)
    .where('state', '=', sql.lit('submitting'))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const calls = rows.map(toCall)
  for (const call of calls) await endCall(trx, call.id, outcomeUnknown(call), now)
  return calls
}

/** The reserved amount counts as the cost if the call may have been carried out and its cost is unknown. */
function spentBy({ reserved_micros }: ProviderCallRow, { state, costMicros }: CallEnd): number {
  return costMicros ?? (state === 'done' || state === 'unknown' ? reserved_micros : 0)
}
