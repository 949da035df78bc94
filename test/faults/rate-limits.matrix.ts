/** Several processes count requests exactly, on the server of TINTYPE_TEST_POSTGRES or on a separate one. */
import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { systemClock } from '../../src/domain/clock.ts'
import { openDatabase } from '../../src/storage/database/open.ts'
import { rawQuery } from '../../src/storage/database/sql/raw-query.ts'
import { createPostgresRates } from '../../src/storage/rate-limits/postgres.ts'
import { startChild } from '../contract/processes/child.ts'
import { ratesContract } from '../contract/rates.ts'
import { newDatabaseOn, startPostgres } from '../harness/postgres.ts'
import { until } from '../harness/wait.ts'

const serverUrl = process.env.TINTYPE_TEST_POSTGRES
const server = serverUrl === undefined ? await startPostgres({ durable: false }) : undefined
after(() => server?.remove())
const newDatabase = () => newDatabaseOn(serverUrl ?? server?.url ?? '')

ratesContract('PostgreSQL', async (t) => {
  const database = await openDatabase({ url: await newDatabase() })
  t.after(() => database.close())
  t.mock.timers.enable({ apis: ['Date'], now: 1_795_000_000_000 })
  const counter = createPostgresRates({
    query: rawQuery(database.kysely),
    clock: systemClock,
    onError: assert.ifError,
  })
  return { counter, moveClock: (ms) => t.mock.timers.tick(ms) }
})

test('of 40 concurrent callers in each of two processes, as many are admitted as the limit', async (t) => {
  const url = await newDatabase()
  await (await openDatabase({ url })).close()
  const limit = 50
  const children = [1, 2].map(() => startChild(t, 'count-requests.ts', url, 'acct_1', '40', String(limit)))
  await Promise.all(children.map((child) => child.printed(1)))
  for (const child of children) child.signal('SIGUSR2')
  await Promise.all(children.map((child) => child.ended()))
  const used = children.flatMap(({ lines }) => JSON.parse(lines[1] ?? '') as number[])
  assert.equal(used.length, 80)
  const through = used.filter((each) => each <= limit).sort((a, b) => a - b)
  assert.deepEqual(
    through,
    Array.from({ length: limit }, (_, i) => i + 1),
  )
})

test('an account over its limit causes no query until its minute ends, except after its limit is raised', async (t) => {
  const { counter, requests } = await openCounting(t)
  for (let i = 0; i < 4; i++) await counter.count('acct_1', 3)
  assert.equal(requests(), 4)
  for (let i = 0; i < 100; i++) assert.ok((await counter.count('acct_1', 3)).used > 3)
  assert.equal(requests(), 4)
  await counter.count('acct_2', 3)
  await counter.count('acct_1', 9)
  assert.equal(requests(), 6)
})

test('while the database is unavailable, each process counts separately', async (t) => {
  const { counter, breakDown } = await openCounting(t)
  for (let i = 0; i < 3; i++) await counter.count('acct_1', 60)
  breakDown(true)
  assert.deepEqual([(await counter.count('acct_1', 60)).used, (await counter.count('acct_1', 60)).used], [1, 2])
  breakDown(false)
  assert.equal((await counter.count('acct_1', 60)).used, 4)
})

test('the table of counts is unlogged, so that counting waits for no disk', async (t) => {
  const { query } = await openCounting(t)
  const { rows } = await query(`select relpersistence from pg_class where relname = 'rate_limit_windows'`, [])
  assert.deepEqual(rows, [{ relpersistence: 'u' }])
})

test('windows that ended more than an hour ago are removed', async (t) => {
  const database = await openDatabase({ url: await newDatabase() })
  t.after(() => database.close())
  const clock = { ms: 1_795_000_000_000, now: () => clock.ms }
  const query = rawQuery(database.kysely)
  const counter = createPostgresRates({ query, clock, onError: assert.ifError })
  const keys = async () => (await query('select key from rate_limit_windows order by key', [])).rows
  await counter.count('acct_1', 3)
  clock.ms += 600_000
  await counter.count('acct_2', 3)
  assert.deepEqual(await keys(), [{ key: 'acct_1' }, { key: 'acct_2' }])
  clock.ms += 3_060_001
  await counter.count('acct_2', 3)
  await until('the removal', async () => (await keys()).length === 1 || undefined)
  assert.deepEqual(await keys(), [{ key: 'acct_2' }])
})

async function openCounting(t: TestContext) {
  const database = await openDatabase({ url: await newDatabase() })
  t.after(() => database.close())
  const query = rawQuery(database.kysely)
  let requests = 0
  let broken = false
  const counter = createPostgresRates({
    async query(text, values) {
      requests += 1
      if (broken) throw new Error('the database does not respond')
      return query(text, values)
    },
    clock: database.clock,
    onError: (error) => assert.ok(broken, String(error)),
  })
  const breakDown = (now: boolean) => {
    broken = now
  }
  return { counter, query, requests: () => requests, breakDown }
}
