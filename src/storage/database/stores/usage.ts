/** The cost of provider calls by day, added up when they end, so that it outlives their rows. */
import type { Kysely } from 'kysely'
import { timestamp } from '../../../domain/clock.ts'
import type { Capability } from '../../../domain/models/model.ts'
import type { UsageFilter, UsageRow } from '../../../domain/models/provider-call.ts'
import type { ProviderCallRow, Schema } from '../schema.ts'
import type { UsageDailyRow } from '../schema-daily.ts'

type Ended = Pick<ProviderCallRow, 'account_id' | 'workflow_id' | 'key_id' | 'provider' | 'model' | 'capability'>

/** Part of the transaction in which a call ends. */
export async function addUsage(
  trx: Kysely<Schema>,
  call: Ended,
  { isDone, cost, unknown, now }: { isDone: boolean; cost: number; unknown: boolean; now: number },
): Promise<void> {
  const row: UsageDailyRow = {
    account_id: call.account_id,
    day: timestamp(now).slice(0, 10),
    workflow_id: call.workflow_id,
    key_id: call.key_id ?? '',
    model: `${call.provider}/${call.model}`,
    capability: call.capability,
    calls: isDone ? 1 : 0,
    failures: isDone ? 0 : 1,
    cost,
    unknown_costs: unknown ? 1 : 0,
  }
  await trx
    .insertInto('usage_daily')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'day', 'workflow_id', 'key_id', 'model', 'capability']).doUpdateSet((eb) => ({
        calls: eb('usage_daily.calls', '+', row.calls),
        failures: eb('usage_daily.failures', '+', row.failures),
        cost: eb('usage_daily.cost', '+', row.cost),
        unknown_costs: eb('usage_daily.unknown_costs', '+', row.unknown_costs),
      })),
    )
    .execute()
}

export async function readUsage(
  db: Kysely<Schema>,
  accountId: string,
  { from, to, workflowId, keyId }: UsageFilter,
): Promise<UsageRow[]> {
  let matching = db
    .selectFrom('usage_daily')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('day', '>=', from)
    .where('day', '<=', to)
  if (workflowId !== undefined) matching = matching.where('workflow_id', '=', workflowId)
  if (keyId !== undefined) matching = matching.where('key_id', '=', keyId)
  const rows = await matching
    .orderBy('day')
    .orderBy('workflow_id')
    .orderBy('key_id')
    .orderBy('model')
    .orderBy('capability')
    .execute()
  return rows.map((row) => ({
    day: row.day,
    workflowId: row.workflow_id,
    keyId: row.key_id === '' ? null : row.key_id,
    model: row.model,
    capability: row.capability as Capability,
    calls: row.calls,
    failures: row.failures,
    costMicros: row.cost,
    unknownCosts: row.unknown_costs,
  }))
}
