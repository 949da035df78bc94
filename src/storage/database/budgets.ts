/** What is spent and set aside: part of the transactions in which calls of providers begin and end. */
import type { Kysely } from 'kysely'
import { timestamp } from '../../domain/clock.ts'
import type { Micros } from '../../domain/model.ts'
import type { BeginResult, Budgets, ProviderCall } from '../../domain/provider-call.ts'
import type { Schema } from './schema.ts'

/** Undoes the transaction in which it is thrown. */
export class OverBudget extends Error {
  readonly over: Extract<BeginResult, object>
  constructor(over: Extract<BeginResult, object>) {
    super(`it would pass the budget of the ${over.over}`)
    this.over = over
  }
}

type Spender = Pick<ProviderCall, 'executionId' | 'accountId' | 'createdAt'>

/** Always in this order, so that none who wait for each other's rows wait for ever. */
function purses({ executionId, accountId, createdAt }: Spender) {
  return [
    { over: 'execution', scope: executionId, period: '' },
    { over: 'account', scope: accountId, period: timestamp(createdAt).slice(0, 7) },
  ] as const
}

/** Throws `OverBudget`. Counts also where there is no bound: one may come. */
export async function reserve(
  trx: Kysely<Schema>,
  spender: Spender,
  micros: Micros,
  { executionMicros, accountMonthMicros }: Budgets,
): Promise<void> {
  for (const { over, scope, period } of purses(spender)) {
    const budgetMicros = over === 'execution' ? executionMicros : accountMonthMicros
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
    // Whoever has spent too much may still ask what costs nothing.
    if (budgetMicros !== null && micros > 0) {
      adding = adding.where((eb) => eb(eb('spent', '+', eb.ref('reserved')), '<=', budgetMicros - micros))
    }
    const { numUpdatedRows } = await adding.executeTakeFirst()
    if (numUpdatedRows > 0n || budgetMicros === null) continue
    const { spentMicros, reservedMicros } = await readBudget(trx, scope, period)
    throw new OverBudget({ over, budgetMicros, spentMicros: spentMicros + reservedMicros })
  }
}

/** Gives back what was set aside, and counts what was spent. */
export async function settle(
  trx: Kysely<Schema>,
  spender: Spender,
  { reservedMicros, spentMicros, isUnknown }: { reservedMicros: Micros; spentMicros: Micros; isUnknown: boolean },
): Promise<void> {
  for (const { scope, period } of purses(spender)) {
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
