/** The work of PostgreSQL for the statements of the queue, whatever the number of accounts: it must not depend on them. */
import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { plans } from '../../src/domain/accounts/plan.ts'
import { postgresDialect } from '../../src/storage/database/dialect.ts'
import { createStores, openDatabase } from '../../src/storage/database/open.ts'
import type { Schema } from '../../src/storage/database/schema.ts'
import { createLeases } from '../../src/storage/queue/leases.ts'
import { newDatabaseOn, startPostgres } from '../harness/postgres.ts'
import { execution, tenant } from './records.ts'

const serverUrl = process.env.TINTYPE_TEST_POSTGRES
const server = serverUrl ? undefined : await startPostgres({ durable: false })
after(() => server?.remove())

interface Query {
  text: string
  values: readonly unknown[]
}

interface PlanNode {
  'Node Type': string
  'Subplan Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

/** Stores over an empty database, with one account and its workflow, and the queries that they send. */
async function openRecording(t: TestContext) {
  const url = await newDatabaseOn(serverUrl ?? server?.url ?? '')
  await (await openDatabase({ url })).close()
  const queries: Query[] = []
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    log({ query }) {
      queries.push({ text: query.sql, values: query.parameters })
    },
  })
  t.after(() => db.destroy())
  const stores = createStores(db, postgresDialect)
  return { db, stores, pool, queries, workflow: (await tenant(stores)).workflow }
}

type Recording = Awaited<ReturnType<typeof openRecording>>

/** Copies of the account and of its workflow, each with this many executions. */
async function addAccounts(
  { db, stores, workflow }: Recording,
  count: number,
  each: { running: number; waiting: number },
) {
  const created = execution(workflow)
  await stores.executions.create(created)
  const columns = async (table: 'accounts' | 'executions') => {
    const { rows } = await sql<{ column_name: string }>`
      select column_name from information_schema.columns where table_name = ${table} order by ordinal_position`.execute(
      db,
    )
    return rows.map(({ column_name }) => column_name)
  }
  const copy = async (table: 'accounts' | 'executions', changed: Record<string, string>, from: string) => {
    const values = (await columns(table)).map((name) => changed[name] ?? `source.${name}`)
    await sql.raw(`insert into ${table} select ${values.join(', ')} from ${table} as source, ${from}`).execute(db)
  }
  const numbers = `generate_series(1, ${count}) as n`
  await copy('accounts', { id: `'acct_copy_' || n` }, numbers)
  for (const [status, number] of Object.entries({ running: each.running, pending: each.waiting })) {
    if (number === 0) continue
    const changed = {
      id: `'exec_${status}_' || n || '_' || m`,
      account_id: `'acct_copy_' || n`,
      status: `'${status}'`,
      attempt: status === 'running' ? '1' : '0',
      worker_id: status === 'running' ? `'wrk_' || (n % 100)` : 'null',
    }
    await copy(
      'executions',
      changed,
      `${numbers}, generate_series(1, ${number}) as m where source.id = '${created.id}'`,
    )
  }
  assert.equal(await stores.executions.cancel(created.id, { error: cancelled, completedAt: 1 }), true)
}

const cancelled = { code: 'workflow_failed', message: '', details: {} } as const

/** The plan of a query with its pages, in a transaction that is rolled back. */
async function explain({ pool }: Recording, { text, values }: Query, mode: 'custom' | 'generic') {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(`set local plan_cache_mode = force_${mode}_plan`)
    await client.query(`prepare explained as ${text}`)
    const literals = values.map((value) => (value === null ? 'null' : pg.escapeLiteral(String(value))))
    const { rows } = await client.query(
      `explain (analyze, buffers, format json) execute explained${literals.length > 0 ? `(${literals.join(', ')})` : ''}`,
    )
    const root = rows[0]['QUERY PLAN'][0].Plan as PlanNode
    return { pages: pagesOf(root), nodes: nodesOf(root) }
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
    client.release()
  }
}

function pagesOf(node: PlanNode): number {
  return node['Shared Hit Blocks'] + node['Shared Read Blocks']
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

/** Claims once, and explains another claim. */
async function requireSmallClaim(recording: Recording, accountId?: string): Promise<void> {
  const { stores, queries } = recording
  queries.length = 0
  const claimed = await stores.executions.claimNext(20)
  assert.ok(claimed && (accountId === undefined || claimed.accountId === accountId))
  const [claim] = queries
  assert.ok(claim && queries.length === 1)
  for (const mode of ['custom', 'generic'] as const) {
    const { pages, nodes } = await explain(recording, claim, mode)
    const chosen = nodes.find((node) => node['Subplan Name'] === 'CTE first')
    assert.ok(chosen && pagesOf(chosen) <= 30, `${chosen && pagesOf(chosen)} pages to choose, with a ${mode} plan`)
    // The others are those of the rows and of the indexes that it writes.
    assert.ok(pages <= 60, `${pages} pages with a ${mode} plan`)
    const scan = nodes.find((node) => node['Index Name'] === 'account_queues_next')
    assert.equal(scan?.['Node Type'], 'Index Scan', `a ${mode} plan sorts the accounts`)
    assert.equal(scan['Actual Rows'], 1)
  }
}

/** Removes the old versions of rows, and then collects statistics: before, PostgreSQL expects few accounts to wait. */
const states = ['vacuum', 'vacuum analyze']

// Below 200 accounts, the table has so few pages that PostgreSQL reads all of them.
for (const waiting of [200, 500, 1_000]) {
  test(`a claim reads at most 30 pages to choose one of ${waiting} accounts that wait, in the order of the index`, async (t) => {
    const recording = await openRecording(t)
    await addAccounts(recording, waiting, { running: 0, waiting: 2 })
    for (const state of states) {
      await sql.raw(state).execute(recording.db)
      await requireSmallClaim(recording)
    }
  })
}

test('1,000 accounts at their limit cost a claim and the renewal of a lease nothing', async (t) => {
  const recording = await openRecording(t)
  const { db, stores, queries, workflow } = recording
  const { runningMax } = plans.starter
  await addAccounts(recording, 1_000, { running: runningMax - 1, waiting: 2 })
  await sql`update accounts set plan = 'starter'`.execute(db)
  for (let i = 0; i < 1_000; i += 1) assert.ok(await stores.executions.claimNext(20, { worker: 'wrk_1' }))
  assert.equal(await stores.executions.claimNext(20), undefined)
  assert.equal(await stores.executions.countPending(), 1_000)
  for (const state of states) {
    await sql.raw(state).execute(db)
    for (let i = 0; i < 2; i += 1) await stores.executions.create(execution(workflow))
    await requireSmallClaim(recording, workflow.accountId)
    await stores.executions.claimNext(20)
  }

  await sql`update executions set worker_id = 'wrk_1' where worker_id is null and status = 'running'`.execute(db)
  await sql`insert into workers select 'wrk_' || n, 1e15 from generate_series(0, 99) as n`.execute(db)
  const { rows } = await sql<{ running: number }>`
    select count(*) as running from executions where status = 'running' and worker_id in ('wrk_7', 'wrk_lost')`.execute(
    db,
  )
  queries.length = 0
  const leases = createLeases(async (text, values = []) => {
    queries.push({ text, values })
    return { rows: (await recording.pool.query(text, [...values])).rows }
  }, 'wrk_7')
  await sql`update executions set worker_id = 'wrk_lost' where id = 'exec_running_1_1'`.execute(db)
  const { claimed, lost } = await leases.renew()
  assert.deepEqual(
    lost.map(({ executionId }) => executionId),
    ['exec_running_1_1'],
  )
  assert.equal(claimed.length, Number(rows[0]?.running))
  const renewal = queries.at(-1) as Query
  for (const mode of ['custom', 'generic'] as const) {
    const { pages } = await explain(recording, renewal, mode)
    // 20,000 executions run: some pages for each of 100 processes, and one for each of the 190 executions of this one.
    assert.ok(pages < 2_000, `${pages} pages with a ${mode} plan`)
  }
})

test('submissions and ends of an account whose executions wait write to no index of the queue', async (t) => {
  const recording = await openRecording(t)
  const { db, stores, workflow } = recording
  for (let i = 0; i < 20; i += 1) await stores.executions.create(execution(workflow))
  const before = await updates(db)
  for (let i = 0; i < 100; i += 1) {
    await stores.executions.create(execution(workflow))
    const { id, attempt } = (await stores.executions.claimNext(20)) ?? assert.fail()
    assert.equal(await stores.executions.fail(id, attempt, { error: cancelled, steps: [], completedAt: 30 }), true)
  }
  const after = await updates(db)
  // A claim moves the pass, which is in an index, and counts the execution, which is not.
  assert.equal(after.all - before.all, 400)
  assert.ok(after.hot - before.hot >= 290, `${after.hot - before.hot} of 400 updates`)
})

async function updates(db: Kysely<Schema>) {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ all: string; hot: string }>`
    select n_tup_upd as all, n_tup_hot_upd as hot from pg_stat_user_tables where relname = 'account_queues'`.execute(db)
  return { all: Number(rows[0]?.all), hot: Number(rows[0]?.hot) }
}
