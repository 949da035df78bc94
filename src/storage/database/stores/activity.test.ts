import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { tenant } from '../../../../test/contract/records.ts'
import { newSqlite } from '../../../../test/harness/sqlite.ts'
import { dayMs } from '../../../domain/accounts/activity.ts'
import { sqliteDialect } from '../dialect.ts'
import { createActivityStore } from './activity.ts'

const days = { from: '2026-03-01', to: '2026-03-03' }
const startMs = Date.parse(days.from)

test('the sums are the same, however many executions a statement adds up', async (t) => {
  const { db, accountId } = await openEnded(t, 50)
  const [all, ...pieces] = await Promise.all(
    [1_000, 1, 2, 3, 7].map((atOnce) => createActivityStore(db, sqliteDialect, atOnce).executionsOf(accountId, days)),
  )
  assert.equal(all?.length, 3)
  assert.equal(
    all.flatMap(({ durations }) => durations).reduce((sum, [, n]) => sum + n, 0),
    30,
  )
  assert.equal(
    all.flatMap(({ failures }) => failures).reduce((sum, { count }) => sum + count, 0),
    20,
  )
  for (const each of pieces) assert.deepEqual(each, all)
})

/** Ended executions of three days: three of five completed, and five of the same millisecond at a time. */
async function openEnded(t: TestContext, count: number) {
  const { stores, kysely: db } = await newSqlite(t)
  const { workflow } = await tenant(stores)
  const step = Math.floor((3 * dayMs) / count)
  await sql`
    with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${count - 1})
    insert into executions
      (id, account_id, workflow_id, workflow_version, status, attempt, error, created_at, completed_at, parameters, steps)
    select
      'ex_' || n, ${workflow.accountId}, ${workflow.id}, 1,
      case when n % 5 < 3 then 'completed' else 'failed' end, 1,
      case when n % 5 < 3 then null else json_object('code', 'workflow_failed', 'details',
        json_object('reason', case n % 5 when 3 then 'timeout' else 'cancelled' end)) end,
      ${startMs} + n / 5 * 5 * ${step} - n % 7 * 1000, ${startMs} + n / 5 * 5 * ${step}, '{}', '[]'
    from numbers`.execute(db)
  return { db, accountId: workflow.accountId }
}
