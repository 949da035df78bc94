/** Services and workers on one PostgreSQL, when one of them or the database fails. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { scale } from '../harness/documents.ts'
import { type Frame, openEvents } from '../harness/event-stream.ts'
import { crash, executorId, executorOf } from '../harness/executor.ts'
import { sendRequest } from '../harness/http.ts'
import { file, multipart, multipartType } from '../harness/multipart.ts'
import { plain } from '../harness/pictures.ts'
import { type PostgresServer, startPostgres } from '../harness/postgres.ts'
import { inherited, type RunningProcess, startProcess } from '../harness/process.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Execution, Image } from '../harness/types.ts'
import { remains, until } from '../harness/wait.ts'

/** Time until another worker takes over the executions of a lost one. */
const takeOverSeconds = 15
/** Time until a worker stops a cancelled execution, less than the download may take: `fetchSeconds`. */
const cancelSeconds = 10
/** Time without the database. */
const outageMs = 2_000

/** Executions that a process runs at the same time. */
const runningMax = 2
/** The most blobs without a row: the sweep removes them an hour later. */
let orphanedMax = 0

const dir = mkdtempSync(path.join(os.tmpdir(), 'tintype-workers-'))
const lines: string[] = []
let postgres: PostgresServer
let databaseUrl: string
let outside: SourceHost
let api: RunningProcess
let origin: string
let key: string
let scaleId: string
let workers: RunningProcess[] = []

before(async () => {
  outside = await startSourceHost()
  postgres = await startPostgres()
  databaseUrl = await postgres.newDatabase()
  api = start('api', 'serve', '--no-worker')
  origin = await api.waitForOutput(/http:\/\/127\.0\.0\.1:\d+/)
  key = await api.waitForOutput(/tt_live_[0-9A-Za-z]+/)
  scaleId = (await call<{ id: string }>('POST', '/workflows', scale())).id
})

after(async () => {
  await Promise.all([api, ...workers].map((each) => each?.kill()))
  await outside.close()
  await postgres.remove()
  rmSync(dir, { recursive: true, force: true })
})

function start(name: string, ...args: string[]): RunningProcess {
  const env = {
    ...inherited(),
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: path.join(dir, name),
    DATABASE_URL: databaseUrl,
    DATABASE_CONNECTIONS_MAX: '4',
    STORAGE_URL: `file://${dir}/blobs`,
    EXECUTIONS_RUNNING_MAX: String(runningMax),
    FETCH_ALLOW: 'localhost',
    FETCH_TIMEOUT_SECONDS: '100',
    LOG_LEVEL: 'info',
    SHUTDOWN_GRACE_SECONDS: '1',
  }
  return startProcess(args, { cwd: dir, env }, lines)
}

async function startWorker(name: string): Promise<RunningProcess> {
  const worker = start(name, 'worker')
  workers.push(worker)
  await worker.waitForOutput(/is working: /)
  return worker
}

/** Every test starts without a worker. */
async function endWorkers(): Promise<void> {
  await Promise.all(workers.map((each) => each.kill()))
  workers = []
}

async function call<T>(method: string, place: string, json?: unknown): Promise<T> {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const body = json === undefined ? undefined : Buffer.from(JSON.stringify(json))
  const response = await sendRequest(origin, `/v1${place}`, {
    method,
    headers,
    keepAlive: false,
    ...(body && { body }),
  })
  assert.ok(response.status < 300, `${method} ${place}: ${response.status} ${response.bytes}`)
  return JSON.parse(response.bytes.toString()) as T
}

const execute = (source: string): Promise<Execution> =>
  call('POST', '/workflows/execute', { workflowId: scaleId, parameters: { source }, async: true })
const getExecution = (id: string): Promise<Execution> => call('GET', `/workflows/executions/${id}`)
const waitForEnd = (id: string): Promise<Execution> =>
  until(
    `the end of ${id}`,
    async () => {
      const now = await getExecution(id)
      return now.status === 'completed' || now.status === 'failed' ? now : undefined
    },
    40,
  )
async function upload(): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': multipartType }
  const body = multipart([file(await plain('png'))])
  const { status, bytes } = await sendRequest(origin, '/v1/storage/upload', {
    method: 'POST',
    headers,
    body,
    keepAlive: false,
  })
  assert.equal(status, 201, bytes.toString())
}
const images = async (): Promise<Image[]> =>
  (await call<{ images: Image[] }>('GET', '/storage/images?limit=100')).images
/** The id of the worker that runs the execution; null if none does. */
async function workerOf(id: string): Promise<string | null> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const { rows } = await client
    .query<{ worker_id: string | null }>('select worker_id from executions where id = $1', [id])
    .finally(() => client.end())
  return rows[0]?.worker_id ?? null
}
const timesRequested = (url: string): number => outside.requested.filter((each) => url.endsWith(each)).length

/** An execution that a first worker runs until the test releases its source. */
async function startHeldExecution(t: TestContext) {
  t.after(endWorkers)
  const first = await startWorker('one')
  const hold = outside.hold()
  const { executionId } = await execute(hold.url)
  await hold.waiting()
  return { first, hold, executionId }
}

test('a synchronous request to a process without a worker gets its response from the result of another worker', async (t) => {
  t.after(endWorkers)
  await startWorker('one')
  const { status } = await call<Execution>('POST', '/workflows/execute', {
    workflowId: scaleId,
    parameters: { source: outside.url('/sync.png') },
  })
  assert.equal(status, 'completed')
})

for (let i = 1; i <= 3; i++) {
  test(`the execution of a killed worker is taken over in time and completes once (${i})`, async (t) => {
    const { first, hold, executionId } = await startHeldExecution(t)
    await startWorker('two')
    const before = (await images()).length
    const killedMs = performance.now()
    await first.kill()
    await until('the second attempt', async () => timesRequested(hold.url) === 2 || undefined, takeOverSeconds)
    t.diagnostic(`taken over after ${((performance.now() - killedMs) / 1000).toFixed(1)} s`)
    hold.release()
    assert.equal((await waitForEnd(executionId)).status, 'completed')
    assert.equal((await images()).length, before + 1)
  })
}

test('an event stream continues with the next attempt on the same connection when a worker is killed', async (t) => {
  t.after(endWorkers)
  const first = await startWorker('one')
  const hold = outside.hold()
  const { executionId } = await execute(hold.url)
  const stream = await openEvents({ service: { origin }, key }, executionId, { last: 0 })
  const frames: Frame[] = []
  const isRunning = ({ event, data }: Frame) => event === 'step' && data.node === 'load' && data.status === 'running'
  const waitForAttempts = async (count: number) => {
    while (frames.filter(isRunning).length < count) frames.push((await stream.next()) ?? assert.fail())
  }
  await waitForAttempts(1)
  await startWorker('two')
  await first.kill()
  await waitForAttempts(2)
  hold.release()
  frames.push(...(await stream.rest()))
  assert.deepEqual(
    frames.flatMap(({ event, data }) => (event === 'execution' ? [data.status] : [])),
    ['pending', 'running', 'pending', 'running', 'completed'],
  )
  const again = await openEvents({ service: { origin }, key }, executionId, { last: 0 })
  assert.deepEqual(await again.rest(), frames)
  assert.deepEqual(
    frames.map(({ id }) => id),
    frames.map((_, i) => i + 1),
  )
})

test('a crash of the executor of an API costs the executions of workers no attempt', async (t) => {
  const { first, hold, executionId } = await startHeldExecution(t)
  assert.equal(executorOf(first.pid ?? 0), undefined, 'a worker starts no executor')
  const pid = await executorId(api.pid ?? 0)
  await crash(pid)
  await executorId(api.pid ?? 0, pid)
  // The upload waits for the next process.
  await upload()
  hold.release()
  assert.equal((await waitForEnd(executionId)).status, 'completed')
  assert.equal(timesRequested(hold.url), 1)
  assert.equal(api.isRunning(), true)
})

test('a worker that freezes and continues writes nothing late', async (t) => {
  const { first, hold, executionId } = await startHeldExecution(t)
  first.signal('SIGSTOP')
  await startWorker('two')
  await until('the second attempt', async () => timesRequested(hold.url) === 2 || undefined, takeOverSeconds)
  hold.release()
  const completed = await waitForEnd(executionId)
  assert.equal(completed.status, 'completed')
  const before = await images()
  first.signal('SIGCONT')
  // It has the image by now, and would complete within milliseconds.
  const isUnchanged = async () => isDeepStrictEqual(await getExecution(executionId), completed)
  await remains('the result of the second attempt', isUnchanged, 200)
  assert.equal(first.isRunning(), true)
  assert.deepEqual(await images(), before)
  const next = await execute(outside.url('/after-standing-still.png'))
  assert.equal((await waitForEnd(next.executionId)).status, 'completed')
})

test('a cancellation reaches a running step in another process', async (t) => {
  t.after(endWorkers)
  await startWorker('one')
  let left = false
  const url = outside.serve('/never', (_request, response) => response.on('close', () => (left = true)))
  const { executionId } = await execute(url)
  await until('the step', async () => timesRequested(url) === 1 || undefined)
  await call('POST', `/workflows/executions/${executionId}/cancel`)
  assert.equal((await getExecution(executionId)).error?.details.reason, 'cancelled')
  await until('the step to stop', async () => left || undefined, cancelSeconds)
  const next = await execute(outside.url('/after-cancel.png'))
  assert.equal((await waitForEnd(next.executionId)).status, 'completed')
  assert.equal((await getExecution(executionId)).status, 'failed')
})

test('SIGTERM gives running executions to another worker, and the process ends with success', async (t) => {
  const { first, hold, executionId } = await startHeldExecution(t)
  await startWorker('two')
  const lost = await workerOf(executionId)
  assert.ok(lost)
  first.signal('SIGTERM')
  assert.equal(await first.ended(), 0)
  assert.notEqual(await workerOf(executionId), lost, 'it does not wait for the end of a lease')
  await until('the second attempt', async () => timesRequested(hold.url) === 2 || undefined)
  hold.release()
  assert.equal((await waitForEnd(executionId)).status, 'completed')
})

for (const how of ['restart', 'kill'] as const) {
  test(`PostgreSQL that is unavailable for a while (${how}) costs no execution and no process`, async (t) => {
    t.after(endWorkers)
    const both = [await startWorker('one'), await startWorker('two')]
    const before = (await images()).length
    const hold = [outside.hold(), outside.hold()]
    const ids = await Promise.all(hold.map(async ({ url }) => (await execute(url)).executionId))
    for (const each of hold) await each.waiting()
    for (let i = 0; i < 20; i++) ids.push((await execute(outside.url(`/${how}-${i}.png`))).executionId)
    if (how === 'restart') await postgres.restart()
    else {
      await postgres.kill()
      // Their steps end while the database is unavailable.
      for (const each of hold) each.release()
      await pause(outageMs)
      await postgres.start()
    }
    for (const each of hold) each.release()
    await until('the service again', async () => (await images().catch(() => undefined)) && true)
    if (how === 'kill') orphanedMax += both.length * runningMax
    for (const id of ids) assert.equal((await waitForEnd(id)).status, 'completed')
    assert.equal((await images()).length, before + ids.length)
    assert.deepEqual(
      [api, ...both].map((each) => each.isRunning()),
      [true, true, true],
    )
    const last = await execute(outside.url(`/after-${how}.png`))
    assert.equal((await waitForEnd(last.executionId)).status, 'completed')
  })
}

test('each image has its blob, and only steps that ended without the database leave others', async () => {
  const blobs = readdirSync(path.join(dir, 'blobs'), { recursive: true, withFileTypes: true }).filter(
    (each) => each.isFile() && each.name.startsWith('img_'),
  )
  const stored = (await images()).map(({ id }) => id)
  const names = blobs.map(({ name }) => name)
  assert.deepEqual(
    stored.filter((id) => !names.some((name) => name.startsWith(id))),
    [],
  )
  assert.ok(names.length <= stored.length + orphanedMax, `${names.length} blobs, ${stored.length} images`)
})

test('a worker, and a service without one, require PostgreSQL, and say so', async () => {
  for (const args of [['worker'], ['serve', '--no-worker']]) {
    const refused = startProcess(args, { cwd: dir, env: { ...inherited(), DATA_DIR: path.join(dir, 'alone') } }, lines)
    assert.equal(await refused.ended(), 2)
    assert.match(refused.printed().join('\n'), /requires DATABASE_URL/)
  }
})

test('a worker with an unreachable database ends immediately with a message', async () => {
  const env = {
    ...inherited(),
    DATA_DIR: path.join(dir, 'alone'),
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
  }
  const refused = startProcess(['worker'], { cwd: dir, env }, lines)
  assert.equal(await refused.ended(), 1)
  assert.match(refused.printed().join('\n'), /PostgreSQL at 127\.0\.0\.1:1\/nothing can.t be used/)
})
