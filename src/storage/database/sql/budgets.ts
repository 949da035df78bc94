/** Spent and reserved amounts: part of the transactions in which provider calls begin and end. */
import type { Kysely } from 'kysely'
import { timestamp } from '../../../domain/clock.ts'
import type { Micros } from '../../../domain/models/model.ts'
import type { BeginResult, BudgetKind, Budgets, ProviderCall } from '../../../domain/models/provider-call.ts'
import type { Schema } from '../schema.ts'

/** Rolls back the transaction in which it is thrown. */
export class OverBudget extends Error {
  readonly exceeded: Extract<BeginResult, object>
  constructor(exceeded: Extract<BeginResult, object>) {
    super(`it would exceed the budget of the ${exceeded.over}`)
    this.exceeded = exceeded
  }
}

type BudgetOwner = Pick<ProviderCall, 'executionId' | 'accountId' | 'keyId' | 'createdAt'> & { batchId: string | null }

interface Budget {
  over: BudgetKind
  scope: string
  period: string
}

/** Always in this order, so that transactions cannot deadlock. */
async function budgetsOf(trx: Kysely<Schema>, owner: BudgetOwner): Promise<Budget[]> {
  const { executionId, batchId, accountId, keyId, createdAt } = owner
  const [day, month] = [timestamp(createdAt).slice(0, 10), timestamp(createdAt).slice(0, 7)]
  const budgets: Budget[] = [{ over: 'execution', scope: executionId, period: '' }]
  if (batchId !== null) budgets.push({ over: 'batch', scope: batchId, period: '' })
  budgets.push({ over: 'account', scope: accountId, period: month })
  if (keyId === null) return budgets
  const isSigningKey = keyId.startsWith('skey_')
  const table = isSigningKey ? 'signing_keys' : 'keys'
  const key = await trx.selectFrom(table).select('budget_id').where('id', '=', keyId).executeTakeFirst()
  // The budget of a removed signing key is not found, so nothing that costs money runs.
  const scope = key?.budget_id ?? keyId
  if (isSigningKey) return [...budgets, { over: 'signing key', scope, period: month }]
  return [...budgets, { over: 'key day', scope, period: day }, { over: 'key month', scope, period: month }]
}

/** Throws `OverBudget`. Also counts without a budget, because one may be set later. */
export async function reserve(
  trx: Kysely<Schema>,
  call: Omit<BudgetOwner, 'batchId'>,
  micros: Micros,
  { executionMicros, accountMonthMicros, batch, ...ofKey }: Budgets,
): Promise<void> {
  const most: Record<BudgetKind, Micros | null> = {
    execution: executionMicros,
    batch: batch?.micros ?? null,
    account: accountMonthMicros,
    'signing key': ofKey.signingKeyMonthMicros ?? null,
    'key day': ofKey.keyDayMicros ?? null,
    'key month': ofKey.keyMonthMicros ?? null,
  }
  for (const { over, scope, period } of await budgetsOf(trx, { ...call, batchId: batch?.id ?? null })) {
    const budgetMicros = most[over]
    const { numInsertedOrUpdatedRows: created } = await trx
      .insertInto('budgets')
      .values({ scope, period, spent: 0, reserved: 0, unknown_costs: 0 })
      .onConflict((conflict) => conflict.columns(['scope', 'period']).doNothing())
      .executeTakeFirst()
    if (over === 'key day' && created !== 0n) await removeOldDays(trx, scope, call.createdAt)
    let adding = trx
      .updateTable('budgets')
      .set((eb) => ({ reserved: eb('reserved', '+', micros) }))
      .where('scope', '=', scope)
      .where('period', '=', period)
    // Calls that cost nothing are allowed over the budget.
    if (budgetMicros !== null && micros > 0) {
      adding = adding.where((eb) => eb(eb('spent', '+', eb.ref('reserved')), '<=', budgetMicros - micros))
    }
    const { numUpdatedRows } = await adding.executeTakeFirst()
    if (numUpdatedRows > 0n || budgetMicros === null) continue
    const { spentMicros, reservedMicros } = await readBudget(trx, scope, period)
    throw new OverBudget({ over, budgetMicros, spentMicros: spentMicros + reservedMicros })
  }
}

/** Days of a key before the last week. Calls of these days have ended. */
async function removeOldDays(trx: Kysely<Schema>, scope: string, now: number): Promise<void> {
  await trx
    .deleteFrom('budgets')
    .where('scope', '=', scope)
    .where('period', 'like', '____-__-__')
    .where('period', '<', timestamp(now - 7 * 86_400_000).slice(0, 10))
    .execute()
}

/** Releases the reserved amount and counts the spent amount. */
export async function settleReservation(
  trx: Kysely<Schema>,
  owner: BudgetOwner,
  { reservedMicros, spentMicros, isUnknown }: { reservedMicros: Micros; spentMicros: Micros; isUnknown: boolean },
): Promise<void> {
  for (const { scope, period } of await budgetsOf(trx, owner)) {
    await trx
      .updateTable('budgets')
      .set((eb) => ({
        reserved: eb('reserved', '-', reservedMicros),
        spent: eb('spent', '+', spentMicros),
        unknown_costs: eb('unknown_costs', '+', isUnknown ? 1 : 0),
      }))
      .where('scope', '=', scope)
      .where('period', '=', period)
      .execute()
  }
}

export async function readBudget(
  db: Kysely<Schema>,
  scope: string,
  period: string,
): Promise<{ spentMicros: Micros; reservedMicros: Micros }> {
  const row = await db
    .selectFrom('budgets')
    .select(['spent', 'reserved'])
    .where('scope', '=', scope)
    .where('period', '=', period)
    .executeTakeFirst()
  return { spentMicros: row?.spent ?? 0, reservedMicros: row?.reserved ?? 0 }
}
