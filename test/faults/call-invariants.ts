/** Invariants of provider calls and their costs, which are true after any failure of the processes. */
import assert from 'node:assert/strict'
import type { Kysely } from 'kysely'
import { timestamp } from '../../src/domain/clock.ts'
import type { CallResponse } from '../../src/domain/models/provider-call.ts'
import type { ProviderCallRow, Schema } from '../../src/storage/database/schema.ts'

export type CallRecords = Awaited<ReturnType<typeof readCalls>>

export async function readCalls(kysely: Kysely<Schema>) {
  const [calls, budgets, usage, executions] = await Promise.all([
    kysely.selectFrom('provider_calls').selectAll().execute(),
    kysely.selectFrom('budgets').selectAll().execute(),
    kysely.selectFrom('usage_daily').selectAll().execute(),
    kysely.selectFrom('executions').select(['id', 'account_id', 'status']).execute(),
  ])
  return { calls, budgets, usage, executions }
}

/** All calls of the records. */
export function callBlobKeys({ calls }: CallRecords): string[] {
  return calls.flatMap(({ response }) => (response === null ? [] : (JSON.parse(response) as CallResponse).blobKeys))
}

/** `abandoned`: the job has run that ends calls no execution waits for. */
export function checkCalls(records: CallRecords, { abandoned }: { abandoned: boolean }): void {
  const ended = new Set(
    records.executions.filter(({ status }) => status === 'completed' || status === 'failed').map(({ id }) => id),
  )
  for (const call of records.calls) {
    const isOpen = call.state === 'submitting' || call.state === 'accepted'
    assert.equal(call.ended_at === null, isOpen, `${call.id} is ${call.state}: when it ended`)
    assert.equal(call.response !== null, call.state === 'done', `${call.id} is ${call.state}: its response`)
    if (abandoned && isOpen) assert.ok(!ended.has(call.execution_id), `${call.id} is open, its execution has ended`)
  }
  checkReservations(records)
  checkSpending(records)
}

function checkReservations({ calls, budgets }: CallRecords): void {
  const open = sums(
    calls.filter(({ ended_at }) => ended_at === null),
    (call) => call.reserved_micros,
  )
  for (const { scope, period, reserved } of budgets)
    assert.equal(reserved, open.get(`${scope} ${period}`) ?? 0, `${scope} ${period}: set aside for calls that are open`)
}

function checkSpending({ calls, budgets, usage, executions }: CallRecords): void {
  const accountOf = new Map(executions.map(({ id, account_id }) => [id, account_id]))
  const accounts = new Set(accountOf.values())
  const spentBy = (scope: (id: string) => string | undefined, account: string) =>
    budgets.filter((row) => scope(row.scope) === account).reduce((sum, { spent }) => sum + spent, 0)
  for (const account of accounts) {
    const used = usage.filter((row) => row.account_id === account)
    const cost = used.reduce((sum, row) => sum + row.cost, 0)
    assert.equal(
      spentBy((id) => id, account),
      cost,
      `${account}: what its months have spent, and its usage`,
    )
    assert.equal(
      spentBy((id) => accountOf.get(id), account),
      cost,
      `${account}: what its executions have spent, and its usage`,
    )
    const ended = calls.filter((call) => call.account_id === account && call.ended_at !== null)
    const counted = used.reduce((sum, row) => sum + row.calls + row.failures, 0)
    // The rows of old calls are gone.
    assert.ok(ended.length <= counted, `${account}: ${ended.length} calls have ended, ${counted} are in its usage`)
    if (ended.length < counted) continue
    const costs = sums(ended, costOf)
    for (const { scope, period, spent } of budgets.filter((row) => (accountOf.get(row.scope) ?? row.scope) === account))
      assert.equal(spent, costs.get(`${scope} ${period}`) ?? 0, `${scope} ${period}: spent, and what calls cost`)
  }
}

/** Sums by scope and period of both budgets of a call. */
function sums(calls: readonly ProviderCallRow[], micros: (call: ProviderCallRow) => number): Map<string, number> {
  const result = new Map<string, number>()
  for (const call of calls) {
    for (const budget of [`${call.execution_id} `, `${call.account_id} ${timestamp(call.created_at).slice(0, 7)}`])
      result.set(budget, (result.get(budget) ?? 0) + micros(call))
  }
  return result
}

function costOf({ cost_micros, state, reserved_micros }: ProviderCallRow): number {
  return cost_micros ?? (state === 'done' || state === 'unknown' ? reserved_micros : 0)
}
