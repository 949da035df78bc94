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
import { sendRequest } from '../harness/http.ts'
import { type PostgresServer, startPostgres } from '../harness/postgres.ts'
import { inherited, type RunningProcess, startProcess } from '../harness/process.ts'
import { until } from '../harness/wait.ts'
import { checkCalls, readCalls } from './call-invariants.ts'
import {
  countBilledJobs,
  documentOf,
  environmentOf,
  type FakeModel,
  requestsOf,
  startFakeModels,
} from './fake-models.ts'
import type { Freeze } from './processes/freezing-worker.ts'
import type { ExecutionWithCost } from './provider-setup.ts'

const freezingProgram = fileURLToPath(new URL('processes/freezing-worker.ts', import.meta.url))
const dir = scratchFolder()
const lines: string[] = []
let postgres: PostgresServer
let environment: Record<string, string>
let database: Database
/** A synchronous provider, one with jobs, and one that can look up a call by our id. */
let models: FakeModel[]
let api: RunningProcess
let origin: string
let key: string

before(async () => {
  models = await startFakeModels(['openai', 'fal', 'comfyui'])
  postgres = await startPostgres({ durable: false })
  const url = await postgres.newDatabase()
  environment = {
    ...inherited(),
    ...environmentOf(models),
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: url,
    DATABASE_CONNECTIONS_MAX: '4',
    STORAGE_URL: `file://${dir}/blobs`,
    EXECUTIONS_RUNNING_MAX: '20',
    SHUTDOWN_GRACE_SECONDS: '1',
  }
  api = startProcess(['serve', '--no-worker'], { cwd: dir, env: environmentIn('api') }, lines)
  origin = await api.waitForOutput(/http:\/\/127\.0\.0\.1:\d+/)
  key = await api.waitForOutput(/tt_live_[0-9A-Za-z]+/)
  database = await openDatabase({ url, connectionsMax: 2 })
  // These tests poll more often than the plan allows.
  await database.kysely.updateTable('accounts').set({ rate_limit: 1_000_000 }).execute()
})

after(async () => {
  await api?.kill()
  await database?.close()
  await Promise.all(models.map(({ fake }) => fake.close()))
  await postgres?.remove()
})

/** Each with a separate data directory, like separate machines. */
const environmentIn = (name: string) => ({ ...environment, DATA_DIR: join(dir, name) })

async function startWorker(t: TestContext, name: string): Promise<RunningProcess> {
  const worker = startProcess(['worker'], { cwd: dir, env: environmentIn(name) }, lines)
  t.after(() => worker.kill())
  await worker.waitForOutput(/is working: /)
  return worker
}

async function startFreezingWorker(t: TestContext, freeze: Freeze): Promise<ChildProcess> {
  const worker = fork(freezingProgram, [JSON.stringify(freeze)], { cwd: dir, env: environmentIn('freezing') })
  t.after(() => worker.kill('SIGKILL'))
  await new Promise((resolve, fail) => {
    worker.once('message', resolve).once('exit', () => fail(new Error('the worker has ended while it started')))
  })
  return worker
}

async function call<Body>(method: string, path: string, json?: object): Promise<Body> {
  const headers = { authorization: `Bearer ${key}`, ...(json && { 'content-type': 'application/json' }) }
  const body = json && JSON.stringify(json)
  const response = await sendRequest(origin, `/v1${path}`, { method, headers, body, keepAlive: false })
  assert.ok(response.status < 300, `${method} ${path}: ${response.status} ${response.bytes}`)
  return JSON.parse(response.bytes.toString()) as Body
}

interface StartedExecution {
  model: FakeModel
  number: number
  id: string
}

let numbers = 0

async function startExecution(model: FakeModel, params: object = {}): Promise<StartedExecution> {
  const number = ++numbers
  const { id: workflowId } = await call<{ id: string }>(
    'POST',
    '/workflows',
    documentOf(model, number, 'picture', params),
  )
  const { executionId } = await call<ExecutionWithCost>('POST', '/workflows/execute', { workflowId, async: true })
  return { model, number, id: executionId }
}

/** Waits until the fake delays the request. */
async function startHeldExecution(model: FakeModel, fault: Fault, params: object = {}): Promise<StartedExecution> {
  const requestsBefore = model.fake.log.length
  model.fake.script(fault)
  const execution = await startExecution(model, params)
  await until(
    model.name,
    () => model.fake.log.slice(requestsBefore).some((each) => each.fault === fault.do) || undefined,
  )
  return execution
}

const waitForEnd = ({ id }: StartedExecution): Promise<ExecutionWithCost> =>
  until(`the end of ${id}`, async () => {
    const now = await call<ExecutionWithCost>('GET', `/workflows/executions/${id}`)
    return now.status === 'completed' || now.status === 'failed' ? now : undefined
  })

async function assertCompletes(execution: StartedExecution, billed = 1): Promise<void> {
  const { status, error } = await waitForEnd(execution)
  assert.equal(status, 'completed', `${execution.model.name}: ${JSON.stringify(error)}`)
  assert.equal(countBilledJobs(execution.model.fake, execution.number), billed, `${execution.model.name}: billed`)
}

async function assertStaysUnknown(execution: StartedExecution, billed: number): Promise<void> {
  const { status, error } = await waitForEnd(execution)
  assert.deepEqual([status, error?.details.problem], ['failed', 'outcome_unknown'], execution.model.name)
  assert.equal(countBilledJobs(execution.model.fake, execution.number), billed, `${execution.model.name}: billed`)
}

async function checkCosts(): Promise<void> {
  checkCalls(await readCalls(database.kysely), { abandoned: true })
}

test('a worker continues the jobs of a killed one, and sends nothing again', async (t) => {
  const first = await startWorker(t, 'one')
  const jobs = models.filter(({ isQueued }) => isQueued)
  assert.ok(jobs.length >= 2)
  const executions = await Promise.all(jobs.map((model) => startHeldExecution(model, { when: polls, do: 'hang' })))
  await startWorker(t, 'two')
  await first.kill()
  await Promise.all(executions.map((each) => assertCompletes(each)))
  await checkCosts()
})

test('a request of a killed worker stays unknown if its provider cannot look it up', async (t) => {
  const first = await startWorker(t, 'one')
  const executions = await Promise.all(
    models.map((model) => startHeldExecution(model, { when: submits(model.subject), do: 'hang', at: 'after' })),
  )
  const retried = await Promise.all(
    models.map((model) =>
      startHeldExecution(
        model,
        { when: submits(model.subject), do: 'hang', at: 'after' },
        { onUnknownOutcome: 'retry' },
      ),
    ),
  )
  await startWorker(t, 'two')
  await first.kill()
  await Promise.all(
    executions.map((each) => (each.model.canBeLookedUp ? assertCompletes(each) : assertStaysUnknown(each, 1))),
  )
  await Promise.all(retried.map((each) => assertCompletes(each, each.model.canBeLookedUp ? 1 : 2)))
  await checkCosts()
})

test('a worker that freezes before it sends, and continues after a takeover, sends nothing late', async (t) => {
  const worker = await startFreezingWorker(t, { method: 'begin', when: 'after', count: models.length * 2 })
  const executions = await Promise.all(models.map((model) => startExecution(model)))
  const retried = await Promise.all(models.map((model) => startExecution(model, { onUnknownOutcome: 'retry' })))
  await waitUntilFrozen(worker)
  await startWorker(t, 'two')
  await Promise.all(
    executions.map((each) => (each.model.canBeLookedUp ? assertCompletes(each) : assertStaysUnknown(each, 0))),
  )
  await Promise.all(retried.map((each) => assertCompletes(each)))
  await resumeWorker(worker)
  for (const { model, number } of [...executions, ...retried]) {
    const sent = model.canBeLookedUp || retried.some((each) => each.number === number) ? 1 : 0
    assert.equal(countBilledJobs(model.fake, number), sent, `${model.name}: billed once the first worker goes on`)
    assert.equal(requestsOf(model.fake, number).length, sent, `${model.name}: sent`)
  }
  await checkCosts()
})

test('a worker that freezes with the response, and continues after a takeover, does no harm', async (t) => {
  const jobs = models.filter(({ isQueued }) => isQueued)
  const worker = await startFreezingWorker(t, { method: 'accept', when: 'before', count: jobs.length })
  const executions = await Promise.all(jobs.map((model) => startExecution(model)))
  await waitUntilFrozen(worker)
  await startWorker(t, 'two')
  await Promise.all(
    executions.map((each) => (each.model.canBeLookedUp ? assertCompletes(each) : assertStaysUnknown(each, 1))),
  )
  await resumeWorker(worker)
  for (const { model, number } of executions) {
    assert.equal(requestsOf(model.fake, number).length, 1, `${model.name}: sent`)
    // Calls that no execution waits for are cancelled, and cost nothing if the job has not started.
    assert.ok(countBilledJobs(model.fake, number) <= 1, `${model.name}: billed`)
  }
  await checkCosts()
})

test('cancelling an execution in one process cancels its call at the provider in another', async (t) => {
  await startWorker(t, 'one')
  for (const model of models.filter(({ subject }) => subject.provider.cancel)) {
    const execution = await startHeldExecution(model, { when: polls, do: 'hang' })
    await call('POST', `/workflows/executions/${execution.id}/cancel`)
    const row = database.kysely.selectFrom('provider_calls').select('state').where('execution_id', '=', execution.id)
    await until('the call to be cancelled', async () => {
      const { state } = await row.executeTakeFirstOrThrow()
      return state === 'accepted' ? undefined : assert.equal(state, 'cancelled') === undefined
    })
    assert.ok(model.fake.log.some(({ path }) => /\/cancel$|\/interrupt$|\/queue$/.test(path)))
    assert.equal((await waitForEnd(execution)).error?.details.reason, 'cancelled')
    assert.ok(countBilledJobs(model.fake, execution.number) <= 1)
  }
  await checkCosts()
})

async function waitUntilFrozen({ pid }: ChildProcess): Promise<void> {
  // "12345 (node) T ..."
  await until('the process to freeze', () => / T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')) || undefined)
}

/** Waits until it has done its pending work and starts the next. */
async function resumeWorker(worker: ChildProcess): Promise<void> {
  worker.kill('SIGCONT')
  const open = database.kysely.selectFrom('provider_calls').select('id').where('ended_at', 'is', null)
  await until('its calls to end', async () => (await open.execute()).length === 0 || undefined)
  const next = await Promise.all(
    Array.from({ length: 6 }, (_, n) => startExecution(models[n % models.length] as FakeModel)),
  )
  await Promise.all(next.map((each) => assertCompletes(each)))
}
