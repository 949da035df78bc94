/**
 * A service that kills itself before or after a call of a port, at each writing call of executions, uploads, deletions
 * and other requests. It starts again on the same data, clients repeat requests without a response, and the result must
 * be complete. With TINTYPE_TEST_KILL_POINTS=all also around calls that only read.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/domain/clock.ts'
import { createAccounts } from '../../src/services/accounts/accounts.ts'
import { createKeys } from '../../src/services/accounts/keys.ts'
import { createFsBlobs } from '../../src/storage/blobs/fs.ts'
import { openDatabase } from '../../src/storage/database/open.ts'
import { canvas } from '../harness/documents.ts'
import { type HttpResponse, sendRequest } from '../harness/http.ts'
import { file, multipart, multipartType } from '../harness/multipart.ts'
import { plain } from '../harness/pictures.ts'
import { isExhaustive } from '../harness/repetitions.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import { remains, until } from '../harness/wait.ts'
import { cropWorkflow, outputsWorkflow } from './clients.ts'
import { checkInvariants } from './invariants.ts'
import type { KillPoint, ParentMessage } from './processes/dying-service.ts'
import { sweepAll } from './sweep-all.ts'

/** Longer than steps of an execution stay in memory before they are saved. */
const slowMs = 300
const all = process.env.TINTYPE_TEST_KILL_POINTS === 'all'
const program = fileURLToPath(new URL('processes/dying-service.ts', import.meta.url))

/** Compiles shared imports once. */
const compiled = mkdtempSync(join(tmpdir(), 'tintype-compiled-'))
after(() => rmSync(compiled, { recursive: true, force: true }))

/** Requests during which the service dies, after `prepare`. */
interface Scenario {
  /** The service dies after each call of this method, not only the first. */
  repeatedCall?: string
  prepare?(setup: Setup): Promise<string>
  run(setup: Setup, prepared: string): Promise<void>
}

const scenarios: Record<string, Scenario> = {
  upload: { run: async (setup) => void (await setup.upload()) },

  'a saved workflow': {
    run: async (setup) => void setup.observed.stored.add((await setup.post('/workflows', canvas(), 201)).id),
  },

  'an execution': {
    run: async (setup) => {
      const executed = await setup.execute({ source: setup.slow(), sigma: setup.next() }, 200)
      assert.equal(executed.status, 'completed')
      // The service can die between signing and storing: before blobs.stage.
      const { bytes } = await setup.send('GET', `/v1/workflows/executions/${executed.id}`)
      const { pathname } = new URL(JSON.parse(bytes.toString()).output.url)
      const image = await setup.send('GET', pathname)
      const verified = await setup.send('POST', '/v1/verify', multipart([file(image.bytes)]))
      assert.equal(JSON.parse(verified.bytes.toString()).credentials?.state, 'trusted', `${verified.bytes}`)
    },
  },

  'an execution that fails, and one that resumes it': {
    prepare: (setup) => setup.upload(),
    run: async (setup, source) => {
      const { id } = await setup.execute({ source, left: 5_000, sigma: setup.next() }, 500)
      const again = { parameters: { left: 0 } }
      const resumed = await setup.post(`/workflows/executions/${id}/resume`, again, 200)
      setup.observed.accepted.add(resumed.id)
      assert.equal(resumed.body.status, 'completed')
    },
  },

  'an execution with several outputs, and the same from the cache': {
    repeatedCall: 'blobs.put img',
    prepare: (setup) => setup.upload(),
    run: async (setup, source) => {
      const parameters = { source, sigma: setup.next() }
      for (let i = 0; i < 2; i += 1) {
        const { body } = await setup.execute(parameters, 200, { workflowId: setup.outputsWorkflowId })
        assert.deepEqual(filesOf(body), [4, 1, 1])
      }
    },
  },

  'an execution with a failed output, and one that resumes it': {
    repeatedCall: 'blob.commit step',
    prepare: (setup) => setup.upload(),
    run: async (setup, source) => {
      const parameters = { source, sigma: setup.next(), bytes: 100 }
      const { id } = await setup.execute(parameters, 500, { workflowId: setup.outputsWorkflowId })
      const resumed = await setup.post(`/workflows/executions/${id}/resume`, { parameters: { bytes: 100_000 } }, 200)
      setup.observed.accepted.add(resumed.id)
      assert.deepEqual(filesOf(resumed.body), [4, 1, 1])
    },
  },

  'a cancelled execution': {
    run: async (setup) => {
      const { id } = await setup.execute({ source: setup.slow() }, 202, { async: true })
      const { bytes } = await setup.send('POST', `/v1/workflows/executions/${id}/cancel`)
      // Cancelling is repeated until it has a response, by which time the execution may have completed.
      assert.match(JSON.parse(bytes.toString()).status, /completed|failed/)
    },
  },

  'a batch with a failed row, and its retry': {
    run: async (setup) => {
      const { id } = await setup.post('/batches', { workflowId: setup.cropWorkflowId }, 201)
      const path = `/v1/batches/${id}`
      const source = setup.slow()
      const rows = `key,source,left\na,${source},0\nb,${source},5000\nc,${source},1\n`
      await setup.uploadRows(path, rows)
      const ended = async () => {
        const { status, counts } = JSON.parse((await setup.send('GET', path)).bytes.toString())
        return status === 'completed' ? counts : undefined
      }
      await setup.post(`/batches/${id}/start`, {}, 200)
      assert.deepEqual(await until('the end of the batch', ended), countsOf(2, 1))
      await setup.send('PATCH', `${path}/items/b`, { parameters: { left: 2 } })
      await setup.send('POST', `${path}/retry`, {})
      const counts = await until('the end of the retry', async () =>
        (await ended())?.failed === 0 ? ended() : undefined,
      )
      assert.deepEqual(counts, countsOf(3, 0))
      assert.equal(await setup.countExecutions(id), 4, 'the executions of three rows, one of them retried')
    },
  },

  'a deleted image': {
    prepare: (setup) => setup.upload(),
    run: async (setup, id) => {
      setup.deleting.add(id)
      const { status } = await setup.send('DELETE', `/v1/storage/images/${id}`)
      assert.ok(status === 200 || status === 404, `deleting gave ${status}`)
      setup.observed.deleted.add(id)
      assert.equal((await setup.send('GET', `/images/${id}.png`)).status, 404)
    },
  },
}

function countsOf(completed: number, failed: number) {
  return { total: completed + failed, pending: 0, running: 0, completed, failed, cancelled: 0 }
}

/** The number of files of each output. */
function filesOf({ outputs }: Record<string, unknown>): number[] {
  return (outputs as { files?: unknown[] }[]).map(({ files }) => files?.length ?? 1)
}

test('a service that is killed at any writing call loses nothing and creates nothing twice after a restart', async (t) => {
  const outside = await startSourceHost()
  t.after(() => outside.close())
  const setups = await Promise.all([0, 1].map(() => openSetup(t, outside)))
  const [setup] = setups
  assert.ok(setup)
  const points: { scenario: string; point: KillPoint }[] = []
  for (const [scenario, { repeatedCall }] of Object.entries(scenarios)) {
    const calls = await setup.runScenario(scenario, null)
    points.push(...pointsOf(calls, repeatedCall).map((point) => ({ scenario, point })))
  }
  for (const when of ['before', 'after'] as const) points.push({ scenario: 'upload', point: { ...timed, when } })
  const methods = new Set(points.map(({ point }) => point.name))
  for (const name of [
    'blobs.stage',
    'blobs.put img',
    'blob.commit img',
    'blob.commit step',
    'executions.create',
    'executions.claimNext',
    'executions.saveSteps',
  ])
    assert.ok(methods.has(name), `${name} is not called`)
  for (const name of ['executions.complete', 'executions.fail', 'idempotency.finish', 'blobRemovals.done img'])
    assert.ok(methods.has(name), `${name} is not called`)
  for (const name of [
    'batchItems.add',
    'batchItems.endUpload',
    'batches.changeStatus',
    'batches.complete',
    'batchItems.retry',
  ])
    assert.ok(methods.has(name), `${name} is not called`)
  for (const name of [
    'images.create',
    'images.remove',
    'blobs.remove img',
    'stepResults.add',
    'stepResults.saveCheckpoints',
  ])
    assert.ok(methods.has(name), `${name} is not called`)
  const killedAt = new Set<string>()
  const done = new Set<string>()
  const count = points.length
  await Promise.all(
    setups.map(async (ownSetup) => {
      for (let next = points.shift(); next; next = points.shift()) {
        const { scenario, point } = next
        const isRepeated = scenarios[scenario]?.repeatedCall === point.name
        const place = [...(isRepeated ? [scenario, point.nth] : []), point.when, point.name].join(' ')
        // By default each method in the first scenario that calls it; with TEST_FULL=all in every scenario.
        if (!isExhaustive && done.has(place)) continue
        try {
          await ownSetup.runScenario(scenario, point)
        } catch (error) {
          throw new Error(`${scenario}, killed ${JSON.stringify(point)}: ${(error as Error).message}`, { cause: error })
        }
        if (!ownSetup.wasKilled()) continue
        killedAt.add(point.name)
        done.add(place)
      }
    }),
  )
  const kills = setups.reduce((sum, each) => sum + each.kills(), 0)
  t.diagnostic(`killed ${kills} times at ${count} calls of ${methods.size} methods`)
  assert.deepEqual(
    [...methods].filter((name) => !killedAt.has(name) && name !== byChance),
    [],
    'methods at which it was never killed',
  )
})

/** A busy machine may call it in one run of a scenario and not in the next: the bytes of a step that was stored in vain. */
const byChance = 'blobs.remove step'

/**
 * A kill before a call directly after a write equals a kill after that write. Notices change no data, and repeated calls
 * of a scenario need one kill, except those of `repeatedCall`.
 */
function pointsOf(calls: string[], repeatedCall: string | undefined): KillPoint[] {
  const counts = new Map<string, number>()
  let isAfterWrite = false
  return calls.flatMap((name): KillPoint[] => {
    if (name === timed.name) return []
    const nth = (counts.get(name) ?? 0) + 1
    counts.set(name, nth)
    const before = { name, nth, when: 'before' } as const
    const after = { name, nth, when: 'after' } as const
    if (all) return [before, after]
    if (nth > 1 && name === repeatedCall) return [after]
    if (nth > 1 || readOnly.test(name)) return []
    const isBetweenWrites = isAfterWrite
    isAfterWrite = true
    return isBetweenWrites ? [after] : [before, after]
  })
}

/** The service calls it every 5 s, so a scenario that ends sooner has to wait for it. */
const timed = { name: 'activity.addRequests', nth: 1 }

/** Calls that write nothing. */
const readOnly =
  /\.(find|list|count|read|open|bytesOf|checkpointBytesOf|recentRuns|whichRun|existing|discard)|^notices\.|^keys\./

type Setup = Awaited<ReturnType<typeof openSetup>>

interface Created {
  id: string
  status: number
  body: Record<string, unknown>
}

/** A data directory, a service that is started again whenever it has died, and a client. */
async function openSetup(t: TestContext, outside: SourceHost) {
  const dir = mkdtempSync(join(tmpdir(), 'tintype-'))
  const database = await openDatabase({ file: join(dir, 'tintype.db') })
  const blobs = createFsBlobs({ dir: join(dir, 'blobs') })
  const { accounts, executions, keys, projects } = database.stores
  const clock = systemClock
  const about = { name: 'A setup', plan: 'enterprise', rateLimit: 1_000_000 } as const
  const account = await createAccounts({ accounts, projects, executions, clock }).create(about)
  const { text: key } = await createKeys({ keys, accounts, clock }).create(account.id)
  const png = await plain('png')
  const observed = {
    accepted: new Set<string>(),
    deleted: new Set<string>(),
    stored: new Set<string>(),
    ended: new Map<string, string>(),
  }
  /** Records whose deletion has no response yet: between request and response the record may exist or not. */
  const deleting = new Set<string>()
  let count = 0
  let kills = 0
  let isOver = false
  let killed = false
  let child: ChildProcess
  let service = start()
  /** POST requests of this scenario and their results. */
  let posted: (() => Promise<void>)[] = []

  /** Returns its origin. */
  async function start(): Promise<string> {
    child = fork(program, [dir], {
      env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    })
    const started = child
    const firstMessage = nextMessage(started)
    started.once('exit', (_, signal) => {
      if (isOver || started !== child) return
      killed = signal === 'SIGKILL'
      if (killed) kills += 1
      service = checkData().then(start)
      // Its waiting callers get the error.
      service.catch(() => undefined)
    })
    const { origin } = await firstMessage
    assert.ok(origin, 'the service has ended while it started')
    return origin
  }

  /** Runs while nothing is written: blobs without a row are unused. */
  async function checkData(): Promise<void> {
    await sweepAll(database, blobs)
    const remaining = await database.stores.images.existing([...deleting])
    const deleted = [...observed.deleted, ...[...deleting].filter((id) => !remaining.has(id))]
    await checkInvariants(database, blobs, { ...observed, deleted, swept: true })
  }

  async function sendToService(message: ParentMessage): Promise<{ calls?: string[] }> {
    await service
    const response = nextMessage(child)
    child.send(message, () => undefined)
    return response
  }

  async function send(
    method: string,
    path: string,
    body?: object | Buffer,
    idempotencyKey?: string,
  ): Promise<HttpResponse> {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      ...(body && { 'content-type': body instanceof Buffer ? multipartType : 'application/json' }),
    }
    const bytes = body && (body instanceof Buffer ? body : Buffer.from(JSON.stringify(body)))
    return until('a response', async () => {
      return sendRequest(await service, path, { method, headers, body: bytes, keepAlive: false }).catch(() => undefined)
    })
  }

  async function post(path: string, body: object | Buffer, status: number): Promise<Created> {
    count += 1
    const idempotencyKey = `${count}`
    const sendPost = () => send('POST', `/v1${path}`, body, idempotencyKey)
    const response = await sendPost()
    assert.equal(response.status, status, `POST ${path}: ${response.bytes}`)
    posted.push(async () => {
      const again = await sendPost()
      assert.equal(again.status, response.status, `POST ${path} again: ${again.bytes}`)
      assert.deepEqual(withoutRequestId(again), withoutRequestId(response), `POST ${path} again`)
    })
    const parsed = JSON.parse(response.bytes.toString())
    return { id: parsed.id ?? parsed.executionId ?? parsed.error?.details.executionId, status, body: parsed }
  }

  const signed = { ...cropWorkflow(), output: { ...cropWorkflow().output, credentials: 'always' } }
  const cropWorkflowId = (await post('/workflows', signed, 201)).id
  observed.stored.add(cropWorkflowId)
  const outputsWorkflowId = (await post('/workflows', outputsWorkflow(), 201)).id
  observed.stored.add(outputsWorkflowId)
  const picture = await plain('png', 64, 48)

  t.after(async () => {
    isOver = true
    child.kill('SIGKILL')
    await database.close()
    rmSync(dir, { recursive: true, force: true })
  })

  return {
    cropWorkflowId,
    outputsWorkflowId,
    observed,
    deleting,
    send,
    post,
    next: () => ++count % 1_000,
    kills: () => kills,
    wasKilled: () => killed,

    /** Another upload may begin some seconds after the process of the first one was lost. */
    async uploadRows(path: string, rows: string) {
      const reply = await until('the upload', async () => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/csv' }
        const options = { method: 'PUT', headers, body: Buffer.from(rows), keepAlive: false }
        const response = await sendRequest(await service, `${path}/items`, options).catch(() => undefined)
        return response?.status === 429 ? undefined : response
      })
      assert.equal(reply.status, 200, `${reply.bytes}`)
    },

    async countExecutions(batchId: string): Promise<number> {
      const query = database.kysely.selectFrom('executions').select('id').where('batch_id', '=', batchId)
      return (await query.execute()).length
    },

    async upload() {
      const { id } = await post('/storage/upload', multipart([file(png)]), 201)
      observed.stored.add(id)
      return id
    },

    async execute(parameters: object, status: number, more: object = {}) {
      const { id, body } = await post('/workflows/execute', { workflowId: cropWorkflowId, parameters, ...more }, status)
      observed.accepted.add(id)
      return { id, status: body.status, body }
    },

    /** An image that takes long enough for steps to be saved meanwhile. */
    slow() {
      return outside.serve(`/slow-${++count}`, (_, response) => {
        setTimeout(() => response.writeHead(200, { 'content-type': 'image/png' }).end(picture), slowMs)
      })
    },

    /** Runs the scenario with a kill at this point, then checks the invariants. Returns the calls. */
    async runScenario(name: string, point: KillPoint | null): Promise<string[]> {
      const scenario = scenarios[name]
      assert.ok(scenario)
      const prepared = (await scenario.prepare?.(this)) ?? ''
      posted = []
      killed = false
      await sendToService({ count: point })
      await scenario.run(this, prepared)
      await until('executions to end', async () => (await countOpenExecutions()) === 0 || undefined)
      if (point?.name === timed.name) await until('the timed call', () => killed || undefined)
      // Step results are stored concurrently with executions.
      await remains('the service runs', () => !killed, point ? 15 : 10).catch(() => {})
      const { calls = [] } = killed ? {} : await sendToService({ report: true })
      if (!killed) await sendToService({ count: null })
      await service
      for (const again of posted) await again()
      await checkInvariants(database, blobs, observed)
      return calls
    },
  }

  async function countOpenExecutions(): Promise<number> {
    const query = database.kysely.selectFrom('executions').select('id').where('status', 'in', ['pending', 'running'])
    return (await query.execute()).length
  }
}

/** The next message; undefined if it ends before. */
async function nextMessage(child: ChildProcess): Promise<{ origin?: string; calls?: string[] }> {
  const listening = new AbortController()
  const options = { signal: listening.signal }
  const ended = once(child, 'exit', options).then(() => [{}])
  try {
    const [message] = await Promise.race([once(child, 'message', options), ended])
    return message
  } finally {
    ended.catch(() => undefined)
    listening.abort()
  }
}

/** Each response has a different number. */
function withoutRequestId({ bytes }: HttpResponse): unknown {
  const body = JSON.parse(bytes.toString())
  if (body.error) delete body.error.details.requestId
  return body
}
