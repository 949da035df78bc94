/** Two workers on one PostgreSQL, one of which dies or freezes during model calls: the provider bills one job. */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Fault } from '../../fakes/src/faults.ts'
import { type Database, openDatabase } from '../../src/storage/database/open.ts'
import { polls, submits } from '../contract/providers-faults.ts'
import { scratchFolder } from '../contract/scratch.ts'
import { ask } from '../harness/http.ts'
import { type PostgresServer, startPostgres } from '../harness/postgres.ts'
import { inherited, type RunningProcess, startProcess } from '../harness/process.ts'
import { until } from '../harness/wait.ts'
import { callsAreSettled, readCalls } from './call-invariants.ts'
import type { Freeze } from './processes/freezing-worker.ts'
import { billedFor, documentOf, environmentOf, loggedOf, openWays, type Way } from './provider-scene.ts'
import type { ExecutionWithCost } from './provider-setup.ts'

const freezingProgram = fileURLToPath(new URL('processes/freezing-worker.ts', import.meta.url))
const dir = scratchFolder()
const lines: string[] = []
let postgres: PostgresServer
let environment: Record<string, string>
let database: Database
/** A synchronous provider, one with jobs, and one that can look up a call by our id. */
let ways: Way[]
let api: RunningProcess
let origin: string
let key: string

before(async () => {
  ways = await openWays(['openai', 'fal', 'comfyui'])
  postgres = await startPostgres({ durable: false })
  const url = await postgres.newDatabase()
  environment = {
    ...inherited(),
    ...environmentOf(ways),
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: url,
    DATABASE_CONNECTIONS_MAX: '4',
    STORAGE_URL: `file://${dir}/blobs`,
    EXECUTIONS_RUNNING_MAX: '20',
    SHUTDOWN_GRACE_SECONDS: '1',
  }
  api = startProcess(['serve', '--no-worker'], { cwd: dir, env: placed('api') }, lines)
  origin = await api.waitForOutput(/http:\/\/127\.0\.0\.1:\d+/)
  key = await api.waitForOutput(/tt_live_[0-9A-Za-z]+/)
  database = await openDatabase({ url, connectionsMax: 2 })
  // These tests poll more often than the plan allows.
  await database.kysely.updateTable('accounts').set({ rate_limit: 1_000_000 }).execute()
})

after(async () => {
  await api?.kill()
  await database?.close()
  await Promise.all(ways.map(({ fake }) => fake.close()))
  await postgres?.remove()
})

/** Each with a separate data directory, like separate machines. */
const placed = (name: string) => ({ ...environment, DATA_DIR: join(dir, name) })

async function startWorker(t: TestContext, name: string): Promise<RunningProcess> {
  const worker = startProcess(['worker'], { cwd: dir, env: placed(name) }, lines)
  t.after(() => worker.kill())
  await worker.waitForOutput(/is working: /)
  return worker
}

async function startFreezing(t: TestContext, freeze: Freeze): Promise<ChildProcess> {
  const worker = fork(freezingProgram, [JSON.stringify(freeze)], { cwd: dir, env: placed('freezing') })
  t.after(() => worker.kill('SIGKILL'))
  await new Promise((resolve, fail) => {
    worker.once('message', resolve).once('exit', () => fail(new Error('the worker has ended while it started')))
  })
  return worker
}

async function call<Body>(method: string, path: string, json?: object): Promise<Body> {
  const headers = { authorization: `Bearer ${key}`, ...(json && { 'content-type': 'application/json' }) }
  const body = json && JSON.stringify(json)
  const response = await ask(origin, `/v1${path}`, { method, headers, body, keepAlive: false })
  assert.ok(response.status < 300, `${method} ${path}: ${response.status} ${response.bytes}`)
  return JSON.parse(response.bytes.toString()) as Body
}

interface Begun {
  way: Way
  number: number
  id: string
}

let numbers = 0

async function begin(way: Way, params: object = {}): Promise<Begun> {
  const number = ++numbers
  const { id: workflowId } = await call<{ id: string }>(
    'POST',
    '/workflows',
    documentOf(way, number, 'picture', params),
  )
  const { executionId } = await call<ExecutionWithCost>('POST', '/workflows/execute', { workflowId, async: true })
  return { way, number, id: executionId }
}

/** Waits until the fake delays the request. */
async function beginHeld(way: Way, fault: Fault, params: object = {}): Promise<Begun> {
  const seen = way.fake.log.length
  way.fake.script(fault)
  const begun = await begin(way, params)
  await until(way.name, () => way.fake.log.slice(seen).some((each) => each.fault === fault.do) || undefined)
  return begun
}

const ended = ({ id }: Begun): Promise<ExecutionWithCost> =>
  until(`the end of ${id}`, async () => {
    const now = await call<ExecutionWithCost>('GET', `/workflows/executions/${id}`)
    return now.status === 'completed' || now.status === 'failed' ? now : undefined
  })

async function completes(begun: Begun, billed = 1): Promise<void> {
  const { status, error } = await ended(begun)
  assert.equal(status, 'completed', `${begun.way.name}: ${JSON.stringify(error)}`)
  assert.equal(billedFor(begun.way.fake, begun.number), billed, `${begun.way.name}: billed`)
}

async function staysUnknown(begun: Begun, billed: number): Promise<void> {
  const { status, error } = await ended(begun)
  assert.deepEqual([status, error?.details.problem], ['failed', 'outcome_unknown'], begun.way.name)
  assert.equal(billedFor(begun.way.fake, begun.number), billed, `${begun.way.name}: billed`)
}

async function accountsAreSettled(): Promise<void> {
  callsAreSettled(await readCalls(database.kysely), { givenUp: true })
}

test('a worker continues the jobs of a killed one, and sends nothing again', async (t) => {
  const first = await startWorker(t, 'one')
  const jobs = ways.filter(({ isQueued }) => isQueued)
  assert.ok(jobs.length >= 2)
  const begun = await Promise.all(jobs.map((way) => beginHeld(way, { when: polls, do: 'hang' })))
  await startWorker(t, 'two')
  await first.kill()
  await Promise.all(begun.map((each) => completes(each)))
  await accountsAreSettled()
})

test('a request of a killed worker stays unknown if its provider cannot look it up', async (t) => {
  const first = await startWorker(t, 'one')
  const begun = await Promise.all(
    ways.map((way) => beginHeld(way, { when: submits(way.subject), do: 'hang', at: 'after' })),
  )
  const again = await Promise.all(
    ways.map((way) =>
      beginHeld(way, { when: submits(way.subject), do: 'hang', at: 'after' }, { onUnknownOutcome: 'retry' }),
    ),
  )
  await startWorker(t, 'two')
  await first.kill()
  await Promise.all(begun.map((each) => (each.way.isFound ? completes(each) : staysUnknown(each, 1))))
  await Promise.all(again.map((each) => completes(each, each.way.isFound ? 1 : 2)))
  await accountsAreSettled()
})

test('a worker that freezes before it sends, and continues after a takeover, sends nothing late', async (t) => {
  const worker = await startFreezing(t, { method: 'begin', when: 'after', count: ways.length * 2 })
  const begun = await Promise.all(ways.map((way) => begin(way)))
  const again = await Promise.all(ways.map((way) => begin(way, { onUnknownOutcome: 'retry' })))
  await standsStill(worker)
  await startWorker(t, 'two')
  await Promise.all(begun.map((each) => (each.way.isFound ? completes(each) : staysUnknown(each, 0))))
  await Promise.all(again.map((each) => completes(each)))
  await goesOn(worker)
  for (const { way, number } of [...begun, ...again]) {
    const sent = way.isFound || again.some((each) => each.number === number) ? 1 : 0
    assert.equal(billedFor(way.fake, number), sent, `${way.name}: billed once the first worker goes on`)
    assert.equal(loggedOf(way.fake, number).length, sent, `${way.name}: sent`)
  }
  await accountsAreSettled()
})

test('a worker that freezes with the response, and continues after a takeover, does no harm', async (t) => {
  const jobs = ways.filter(({ isQueued }) => isQueued)
  const worker = await startFreezing(t, { method: 'accept', when: 'before', count: jobs.length })
  const begun = await Promise.all(jobs.map((way) => begin(way)))
  await standsStill(worker)
  await startWorker(t, 'two')
  await Promise.all(begun.map((each) => (each.way.isFound ? completes(each) : staysUnknown(each, 1))))
  await goesOn(worker)
  for (const { way, number } of begun) {
    assert.equal(loggedOf(way.fake, number).length, 1, `${way.name}: sent`)
    // Calls that no execution waits for are cancelled, and cost nothing if the job has not started.
    assert.ok(billedFor(way.fake, number) <= 1, `${way.name}: billed`)
  }
  await accountsAreSettled()
})

test('cancelling an execution in one process cancels its call at the provider in another', async (t) => {
  await startWorker(t, 'one')
  for (const way of ways.filter(({ subject }) => subject.provider.cancel)) {
    const begun = await beginHeld(way, { when: polls, do: 'hang' })
    await call('POST', `/workflows/executions/${begun.id}/cancel`)
    const row = database.kysely.selectFrom('provider_calls').select('state').where('execution_id', '=', begun.id)
    await until('the call to be cancelled', async () => {
      const { state } = await row.executeTakeFirstOrThrow()
      return state === 'accepted' ? undefined : assert.equal(state, 'cancelled') === undefined
    })
    assert.ok(way.fake.log.some(({ path }) => /\/cancel$|\/interrupt$|\/queue$/.test(path)))
    assert.equal((await ended(begun)).error?.details.reason, 'cancelled')
    assert.ok(billedFor(way.fake, begun.number) <= 1)
  }
  await accountsAreSettled()
})

async function standsStill({ pid }: ChildProcess): Promise<void> {
  // "12345 (node) T ..."
  await until('the process to freeze', () => / T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')) || undefined)
}

/** Waits until it has done its pending work and starts the next. */
async function goesOn(worker: ChildProcess): Promise<void> {
  worker.kill('SIGCONT')
  const open = database.kysely.selectFrom('provider_calls').select('id').where('ended_at', 'is', null)
  await until('its calls to end', async () => (await open.execute()).length === 0 || undefined)
  const next = await Promise.all(Array.from({ length: 6 }, (_, n) => begin(ways[n % ways.length] as Way)))
  await Promise.all(next.map((each) => completes(each)))
}
