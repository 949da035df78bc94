/**
 * A day of an account, in which one call of a port fails: every call of the day, each in a separate day, before it has an
 * effect and, for writes, after its effect with a lost response. Clients repeat requests without a success. Afterwards
 * everything exists once, and the invariants are satisfied.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { startFake } from '../../fakes/src/index.ts'
import { createApp } from '../../src/app/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { systemClock } from '../../src/domain/clock.ts'
import type { StagedBlob } from '../../src/domain/images/image.ts'
import { createFsBlobs } from '../../src/storage/blobs/fs.ts'
import { openDatabase } from '../../src/storage/database/open.ts'
import { ownerById } from '../../src/worker/jobs/blobs.ts'
import { createSweep } from '../../src/worker/jobs/sweep.ts'
import { canvas, scale } from '../harness/documents.ts'
import { sendRequest } from '../harness/http.ts'
import { file, multipart, multipartType } from '../harness/multipart.ts'
import { plain } from '../harness/pictures.ts'
import { isExhaustive, isFirst } from '../harness/repetitions.ts'
import { retentionOf } from '../harness/retention.ts'
import { until } from '../harness/wait.ts'
import { outputsWorkflow } from './clients.ts'
import { checkInvariants } from './invariants.ts'

/** A call of a port within a day, for example the second call of `executions.create`. */
interface Call {
  name: string
  nth: number
}

interface Fault extends Call {
  when: 'before' | 'after'
}

class InjectedFault extends Error {}

test('if any call of a port fails, nothing acknowledged is lost, nothing is created twice, and a retry succeeds', async (t) => {
  const first = await openSetup(t)
  const calls = await first.day(undefined)
  const names = new Set(calls.map(({ name }) => name))
  for (const name of [
    'images.create',
    'executions.complete',
    'providerCalls.begin',
    'blob.commit',
    'blobs.put',
    'previews.add',
    'blobRemovals.done',
  ])
    assert.ok(names.has(name), `${name} is not called: the day is too short`)
  // Reads have no effect. And the claim of the only process: SQLite responds within the process, so the claim is known or
  // the process is gone. With several processes, the queue starts an execution again.
  const isRead = ({ name }: Call) => /\.(find|list|count|read|bytesOf|claimNext|at$|existing)/.test(name)
  const every = calls.flatMap((call): Fault[] => [
    { ...call, when: 'before' },
    ...(isRead(call) ? [] : [{ ...call, when: 'after' as const }]),
  ])
  // By default the first call of each method; with TEST_FULL=all each call.
  const faults = isExhaustive ? every : every.filter(isFirst(({ name, when }) => `${name} ${when}`))
  t.diagnostic(`${faults.length} faults in ${calls.length} calls of ${names.size} methods`)
  await first.close()
  // Concurrently, because failed calls are retried after a pause.
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (faults.length > 0) {
        const setup = await openSetup(t)
        for (const fault of faults.splice(0, daysOfSetup))
          await setup.day(fault).catch((error) => {
            throw new Error(`${JSON.stringify(fault)}: ${error.message}`, { cause: error })
          })
        await setup.close()
      }
    }),
  )
})

/** Each day checks everything of the days before it, so a setup with more of them costs more than another setup. */
const daysOfSetup = 8

/** A complete service in this process, with SQLite and files. Each day has a separate account. */
async function openSetup(t: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), 'tintype-'))
  const provider = await startFake('fal')
  const settings = { DATA_DIR: dir, PORT: '0', EXECUTIONS_RUNNING_MAX: '2' }
  const env = { ...settings, FAL_BASE_URL: provider.url, FAL_KEY: provider.key }
  const config = { ...readConfig(env), publicUrl: undefined }
  const faultInjector = createFaultInjector()
  const app = await createApp(config, pino({ level: 'silent' }), { port: faultInjector.port })
  const server = await app.openServer()
  const port = await server.listen(config)
  const origin = `http://127.0.0.1:${port}`
  app.setPublicUrl(origin)
  const worker = await app.startWorker()
  const database = await openDatabase({ file: join(dir, 'tintype.db') })
  const blobs = createFsBlobs({ dir: join(dir, 'blobs') })
  const sweepClock = { ms: systemClock.now(), now: () => sweepClock.ms }
  const sweep = createSweep({
    blobs,
    removals: database.stores.blobRemovals,
    backgroundJobs: database.stores.backgroundJobs,
    retention: retentionOf({ ...database, clock: sweepClock }, { except: ['idempotency-keys', 'step-checkpoints'] }),
    owners: {
      img: ownerById(database.stores.images.existing),
      font: ownerById(database.stores.fonts.existing),
      step: database.stores.stepResults.existing,
      prev: ownerById(database.stores.previews.existing),
      call: database.stores.providerCalls.existing,
    },
    clock: sweepClock,
    onError: (error) => assert.fail(String(error)),
  })
  const png = await plain('png')
  const observed = {
    accepted: new Set<string>(),
    deleted: new Set<string>(),
    stored: new Set<string>(),
    ended: new Map<string, string>(),
  }

  /** Plays a day in which this call fails, if any. Returns the calls of the day. */
  async function day(fault: Fault | undefined): Promise<Call[]> {
    const account = await app.accounts.create({ name: 'A day', plan: 'enterprise', rateLimit: 1_000_000 })
    const { text: key } = await app.services.keys.create(account.id, { name: 'key' })
    faultInjector.begin(fault)
    const billed = provider.billed().length
    await runDay(origin, key, png, observed)
    await until('executions to end', async () => (await countOpenExecutions()) === 0 || undefined)
    const calls = faultInjector.end()
    assert.equal(provider.billed().length, billed + 1, 'what was asked of the model is paid once')
    // Another seven hours: the grace of blobs is over, and the interval of every job has passed.
    sweepClock.ms += 7 * 3_600_000
    await sweep.run()
    await checkInvariants(database, blobs, { ...observed, swept: true, abandoned: true })
    return calls
  }

  async function countOpenExecutions(): Promise<number> {
    const query = database.kysely.selectFrom('executions').select('id').where('status', 'in', ['pending', 'running'])
    return (await query.execute()).length
  }

  let isClosed = false
  async function close(): Promise<void> {
    if (isClosed) return
    isClosed = true
    await worker.stop(1)
    await server.close()
    await app.close()
    await provider.close()
    await database.close()
    rmSync(dir, { recursive: true, force: true })
  }
  t.after(close)
  return { day, close }
}

/** The requests of an account in a day. Requests without a success are repeated with their Idempotency-Key. */
async function runDay(
  origin: string,
  key: string,
  png: Buffer,
  observed: { accepted: Set<string>; deleted: Set<string>; stored: Set<string> },
): Promise<void> {
  let count = 0

  async function send<Body>(method: string, path: string, status: number, body?: object | Buffer): Promise<Body> {
    count += 1
    const headers = {
      authorization: `Bearer ${key}`,
      ...(method === 'POST' && { 'idempotency-key': `${count}` }),
      ...(body && { 'content-type': body instanceof Buffer ? multipartType : 'application/json' }),
    }
    const request = { method, headers, ...(body && { body: body instanceof Buffer ? body : JSON.stringify(body) }) }
    let response = await sendRequest(origin, `/v1${path}`, request)
    // Only errors of the service are worth a retry, and a failed execution that the day expects is none: the fault may be in its retry,
    // whose response doesn't name the execution. One call fails, so one retry is enough.
    const isExpected = response.status === status && response.bytes.includes('"executionId"')
    if (response.status >= 500 && !isExpected) response = await sendRequest(origin, `/v1${path}`, request)
    // The first may have deleted it without being able to report it.
    const isGone = method === 'DELETE' && response.status === 404
    assert.equal(isGone ? status : response.status, status, `${method} ${path}: ${response.bytes}`)
    return JSON.parse(response.bytes.toString())
  }

  interface Created {
    id: string
  }
  interface Failed {
    error: { details: { executionId: string } }
  }
  interface Executed {
    executionId: string
    status: string
    output?: { imageId: string }
  }
  const store = async (path: string, body: object | Buffer) => {
    const { id } = await send<Created>('POST', path, 201, body)
    observed.stored.add(id)
    return id
  }
  const execute = async (status: number, body: object) => {
    const executed = await send<Executed>('POST', '/workflows/execute', status, body)
    observed.accepted.add(executed.executionId)
    return executed
  }
  const projectId = await store('/projects', { name: 'A project' })
  const image = await store('/storage/upload', multipart([file(png)]))
  const canvasId = await store('/workflows', { ...canvas(), projectId })
  const scaling = await store('/workflows', scale())
  const generating = await store('/workflows', generate())

  const done = await execute(200, { workflowId: scaling, parameters: { source: image } })
  assert.equal(done.status, 'completed')
  count -= 1
  const again = await execute(200, { workflowId: scaling, parameters: { source: image } })
  assert.deepEqual(again, done)

  const several = await store('/workflows', outputsWorkflow())
  const failed = await send<Failed>('POST', '/workflows/execute', 500, {
    workflowId: several,
    parameters: { source: image, bytes: 100 },
  })
  const { executionId: failedId } = failed.error.details
  observed.accepted.add(failedId)
  const resumed = await send<Executed>('POST', `/workflows/executions/${failedId}/resume`, 200, {
    parameters: { bytes: 100_000 },
  })
  observed.accepted.add(resumed.executionId)
  assert.equal(resumed.status, 'completed', JSON.stringify(resumed))

  const { executionId } = await execute(202, { workflowId: canvasId, async: true, previews: true })
  const ended = await until('an asynchronous execution to end', async () => {
    const now = await send<Executed>('GET', `/workflows/executions/${executionId}`, 200)
    return now.status === 'pending' || now.status === 'running' ? undefined : now
  })
  assert.equal(ended.status, 'completed', JSON.stringify(ended))

  const generated = await execute(200, { workflowId: generating })
  assert.equal(generated.status, 'completed', JSON.stringify(generated))

  const cancelled = await execute(202, { workflowId: scaling, parameters: { source: image }, async: true })
  await send('POST', `/workflows/executions/${cancelled.executionId}/cancel`, 200)

  const output = done.output?.imageId ?? ''
  for (const id of [output, image]) {
    await send('DELETE', `/storage/images/${id}`, 200)
    observed.deleted.add(id)
    const look = () => sendRequest(origin, `/images/${id}.png`)
    const { status } = await look()
    assert.equal(status >= 500 ? (await look()).status : status, 404)
  }
}

/** Calls a provider with a job. */
function generate() {
  const params = { prompt: 'A cup', model: 'fal/fal-ai/flux/schnell', width: 256, height: 256 }
  const nodes = { cup: { type: 'generate', params } }
  return { ...canvas(), name: 'A cup', nodes, output: { node: 'cup', format: 'png' } }
}

/** Counts the calls of all ports by name, and lets one of them fail. */
function createFaultInjector() {
  let counts = new Map<string, number>()
  let calls: Call[] = []
  let fault: Fault | undefined
  let isOn = false

  /** Whether this call has to fail. */
  function note(name: string): Fault['when'] | undefined {
    if (!isOn) return undefined
    const nth = (counts.get(name) ?? 0) + 1
    counts.set(name, nth)
    calls.push({ name, nth })
    return fault?.name === name && fault.nth === nth ? fault.when : undefined
  }

  function port<Port extends object>(name: string, target: Port): Port {
    return new Proxy(target, {
      get(_, property) {
        const method: unknown = Reflect.get(target, property)
        if (typeof method !== 'function') return method
        return (...args: unknown[]) => {
          const called = `${name}.${String(property)}`
          const when = note(called)
          // Listeners of notices are called later, and `open` returns a stream: only the calls can fail.
          if (when === 'before') return failing(method, called)
          const result: unknown = method.apply(target, args)
          if (!(result instanceof Promise)) return result
          return result.then((value: unknown) => {
            if (when === 'after') throw new InjectedFault(`the response of ${called} was lost`)
            return called === 'blobs.stage' ? port('blob', value as StagedBlob) : value
          })
        }
      },
    })
  }

  return {
    port,
    begin(next: Fault | undefined) {
      counts = new Map()
      calls = []
      fault = next
      isOn = true
    },
    end() {
      isOn = false
      return calls
    },
  }
}

/** Fails like the method itself: later if it returns a promise, else immediately. */
function failing(method: object, called: string): Promise<never> {
  const error = new InjectedFault(`${called} failed`)
  if (method.constructor.name === 'AsyncFunction') return Promise.reject(error)
  throw error
}
