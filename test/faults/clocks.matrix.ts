/** An API whose machine has a clock 10 minutes ahead of a second API and the worker, all on one PostgreSQL. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { openRecordServices, type Records } from '../../src/app/records.ts'
import { canvas } from '../harness/documents.ts'
import { sendRequest } from '../harness/http.ts'
import { newDatabaseOn, startPostgres } from '../harness/postgres.ts'
import { inherited, type RunningProcess, startProcess } from '../harness/process.ts'
import type { Execution } from '../harness/types.ts'

const aheadMs = 600_000
/** The limit of the plan Starter, the smallest plan with access to the API. */
const requestsPerMinute = 60

const serverUrl = process.env.TINTYPE_TEST_POSTGRES
const server = serverUrl === undefined ? await startPostgres({ durable: false }) : undefined
const dir = mkdtempSync(path.join(os.tmpdir(), 'tintype-clocks-'))
const lines: string[] = []
const processes: RunningProcess[] = []
let databaseUrl: string
let ahead: string
let right: string
let records: Records

before(async () => {
  databaseUrl = await newDatabaseOn(serverUrl ?? server?.url ?? '')
  ahead = await originOf(start('ahead', aheadMs, 'serve', '--no-worker'))
  right = await originOf(start('right', 0, 'serve', '--no-worker'))
  await start('worker', 0, 'worker').waitForOutput(/is working: /)
  records = await openRecordServices({
    dataDir: dir,
    databaseUrl,
    databaseConnectionsMax: 2,
    accountBudgetUsdPerMonth: undefined,
    executionsKeptDays: 90,
  })
})

after(async () => {
  await Promise.all(processes.map((each) => each.kill()))
  await records?.close()
  await server?.remove()
  rmSync(dir, { recursive: true, force: true })
})

const originOf = (api: RunningProcess) => api.waitForOutput(/http:\/\/127\.0\.0\.1:\d+/)

function start(name: string, clockMs: number, ...args: string[]): RunningProcess {
  const preload = `const now = Date.now; Date.now = () => now() + ${clockMs}`
  const env = {
    ...inherited(),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: path.join(dir, name),
    DATABASE_URL: databaseUrl,
    DATABASE_CONNECTIONS_MAX: '4',
    STORAGE_URL: `file://${dir}/blobs`,
    LOG_LEVEL: 'info',
  }
  const started = startProcess(args, { cwd: dir, env }, lines)
  processes.push(started)
  return started
}

/** A key of a new account, whose minute begins with its first request. */
async function newKey(): Promise<string> {
  const { id } = await records.accounts.create({ name: 'Clocks', plan: 'starter' })
  return (await records.keys.create(id, { name: '', permissions: ['all'] })).text
}

function call(origin: string, key: string, method: string, path: string, json?: unknown) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return sendRequest(origin, `/v1${path}`, {
    method,
    headers,
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
}

test('durations are correct if the clock of an API differs from the clock of the worker', async () => {
  const key = await newKey()
  const saved = await call(ahead, key, 'POST', '/workflows', canvas())
  const { id: workflowId } = JSON.parse(saved.bytes.toString()) as { id: string }
  for (const origin of [ahead, right]) {
    const { status, bytes } = await call(origin, key, 'POST', '/workflows/execute', { workflowId })
    assert.equal(status, 200, bytes.toString())
    const { duration = -1 } = JSON.parse(bytes.toString()) as Execution
    assert.ok(duration >= 0 && duration < aheadMs, `${duration} ms`)
  }
})

test('two APIs with different clocks together admit as many requests as the limit', async () => {
  const key = await newKey()
  const list = (origin: string) => call(origin, key, 'GET', '/workflows')
  // The API with the correct clock begins the minute. By the other clock that minute would be over.
  const first = await list(right)
  const more = Array.from({ length: 2 * requestsPerMinute }, (_, i) => list(i % 2 === 0 ? ahead : right))
  const responses = [first, ...(await Promise.all(more))]
  const admitted = responses.filter(({ status }) => status === 200)
  assert.deepEqual(
    admitted.map(({ headers }) => Number(headers['x-ratelimit-remaining'])).sort((a, b) => a - b),
    Array.from({ length: requestsPerMinute }, (_, i) => i),
  )
  assert.ok(responses.every(({ status }) => status === 200 || status === 429))
  // Both report the same end of the minute.
  const ends = responses.map(({ headers }) => Number(headers['x-ratelimit-reset']))
  assert.ok(Math.max(...ends) - Math.min(...ends) <= 1, `${Math.min(...ends)} to ${Math.max(...ends)}`)
})
