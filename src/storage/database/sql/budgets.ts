/** Spent and reserved amounts: part of the transactions in which provider calls begin and end. */
import type { Kysely } from 'kysely'
import { timestamp } from '../../../domain/clock.ts'
import type { Micros } from '../../../domain/models/model.ts'
import type { BeginResult, Budgets, ProviderCall } from '../../../domain/models/provider-call.ts'
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
  over: Extract<BeginResult, object>['over']
  scope: string
  period: string
}

/** Always in this order, so that transactions cannot deadlock. */
async function budgetsOf(trx: Kysely<Schema>, owner: BudgetOwner): Promise<Budget[]> {
  const { executionId, batchId, accountId, keyId, createdAt } = owner
  const period = timestamp(createdAt).slice(0, 7)
  const budgets: Budget[] = [{ over: 'execution', scope: executionId, period: '' }]
  if (batchId !== null) budgets.push({ over: 'batch', scope: batchId, period: '' })
  budgets.push({ over: 'account', scope: accountId, period })
  if (keyId?.startsWith('skey_')) {
    const key = await trx.selectFrom('signing_keys').select('budget_id').where('id', '=', keyId).executeTakeFirst()
    // The budget of a removed key is not found, so nothing that costs money runs.
    budgets.push({ over: 'signing key', scope: key?.budget_id ?? keyId, period })
  }
  return budgets
}

/** Throws `OverBudget`. Also counts without a budget, because one may be set later. */
export async function reserve(
  trx: Kysely<Schema>,
  call: Omit<BudgetOwner, 'batchId'>,
  micros: Micros,
  { executionMicros, accountMonthMicros, batch, signingKeyMonthMicros = null }: Budgets,
): Promise<void> {
  const most = {
    execution: executionMicros,
    batch: batch?.micros ?? null,
    account: accountMonthMicros,
    'signing key': signingKeyMonthMicros,
  }
  for (const { over, scope, period } of await budgetsOf(trx, { ...call, batchId: batch?.id ?? null })) {
    const budgetMicros = most[over]
    await trx
      .insertInto('budgets')
      .values({ scope, period, spent: 0, reserved: 0, unknown_costs: 0 })
      .onConflict((conflict) => conflict.columns(['scope', 'period']).doNothing())
      .execute()
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
