import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { limits } from '../../src/limits.ts'
import type { Schema } from '../../src/storage/database/schema.ts'
import { call } from '../contract/provider-calls.ts'
import { execution, lost, refused, tenant } from '../contract/records.ts'
import { retentionOf } from '../harness/retention.ts'
import { newSqlite } from '../harness/sqlite.ts'
import { checkCalls, readCalls } from './call-invariants.ts'

const now = Date.UTC(2026, 10, 21)
const noBudgets = { executionMicros: null, accountMonthMicros: null }

/** Two executions, one running with an open call, one ended, with every kind of call. */
async function open(t: TestContext) {
  const database = await newSqlite(t)
  const { stores, kysely } = database
  const { workflow } = await tenant(stores)
  const [going, ended] = [execution(workflow), execution(workflow)]
  const calls = [going, ended].flatMap((of) => [0, 1, 2].map((sequence) => call(of, { sequence })))
  for (const { id } of [going, ended]) {
    await stores.executions.create(id === going.id ? going : ended)
    await stores.executions.claim(id, now, { attemptsMax: 3, error: lost })
  }
  for (const each of calls) assert.equal(await stores.providerCalls.begin(each, 1, noBudgets), 'started')
  const ends = [
    { state: 'done', response: { blobKeys: [] }, costMicros: 7, costSource: 'reported' },
    { state: 'unknown', costMicros: null, costSource: 'assumed' },
    undefined,
    { state: 'done', response: { blobKeys: [] }, costMicros: null, costSource: null },
    { state: 'failed', costMicros: 0, costSource: 'reported' },
    { state: 'cancelled', costMicros: null, costSource: null },
  ] as const
  for (const [i, end] of ends.entries()) {
    if (end) await stores.providerCalls.end(calls[i]?.id ?? '', end as never, now)
  }
  await stores.executions.cancel(ended.id, { error: refused, completedAt: now })
  return { database, kysely, ended, check: async () => checkCalls(await readCalls(kysely), { abandoned: true }) }
}

test('calls in the records satisfy the invariants, also after a sweep', async (t) => {
  const { database, kysely, check } = await open(t)
  await check()
  await sql`update executions set status = 'failed'`.execute(kysely)
  const clock = { now: () => now + 1 + limits.providerCallSeconds * 1_000 }
  assert.equal(await retentionOf({ ...database, clock }).sweep('provider-calls', { rowsMax: 3 }), 3)
  const records = await readCalls(kysely)
  assert.equal(records.calls.length, 3)
  checkCalls(records, { abandoned: false })
})

const breaks: [wrong: string, statement: string][] = [
  ['set aside for calls that are open', 'update budgets set reserved = reserved + 1'],
  ['set aside for calls that are open', "update budgets set reserved = 0 where period = ''"],
  ['what its months have spent', "update budgets set spent = spent - 1 where period <> ''"],
  ['what its executions have spent', "update budgets set spent = spent * 2 where period = ''"],
  ['spent, and what calls cost', 'update provider_calls set cost_micros = 8 where cost_micros = 7'],
  ['calls have ended', 'update usage_daily set calls = calls - 1'],
  ['when it ended', "update provider_calls set state = 'accepted' where state = 'unknown'"],
  ['its response', "update provider_calls set response = null where state = 'done'"],
  ['its execution has ended', "update executions set status = 'completed'"],
]

for (const [wrong, statement] of breaks) {
  test(`the invariants fail after: ${statement}`, async (t) => {
    const { kysely, check } = await open(t)
    await (sql.raw(statement) as { execute(db: Kysely<Schema>): Promise<unknown> }).execute(kysely)
    await assert.rejects(check, new RegExp(wrong))
  })
}
