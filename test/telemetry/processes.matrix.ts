/** Metrics and traces of an API and a worker on PostgreSQL: the server of TINTYPE_TEST_POSTGRES or a separate one. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, before, suite, test } from 'node:test'
import type { Fake } from '../../fakes/src/fake.ts'
import { startFake } from '../../fakes/src/index.ts'
import { scratchFolder } from '../contract/scratch.ts'
import { fakeKey } from '../harness/ai.ts'
import { type Client, createClient, ok } from '../harness/client.ts'
import { canvas } from '../harness/documents.ts'
import { createFirstAccount } from '../harness/first-account.ts'
import { sendRequest } from '../harness/http.ts'
import { freePort } from '../harness/port.ts'
import { newDatabaseOn, startPostgres } from '../harness/postgres.ts'
import { inherited, type RunningProcess, startProcess } from '../harness/process.ts'
import type { Service } from '../harness/service.ts'
import type { Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save } from '../harness/workflows.ts'
import { type Collector, startCollector } from './collector.ts'
import { checkBatch, checkOneTrace, startReceiver } from './one-trace.ts'
import { scrape, withoutPromtool } from './scrape.ts'

const serverUrl = process.env.TINTYPE_TEST_POSTGRES
const server = serverUrl === undefined ? await startPostgres({ durable: false }) : undefined
after(() => server?.remove())

suite('an API and a worker', () => {
  const lines: string[] = []
  const ports = { api: 0, worker: 0 }
  let collector: Collector
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let openai: Fake
  let processes: RunningProcess[] = []
  let startWorker: () => RunningProcess
  let api: Client

  before(async () => {
    ports.api = await freePort()
    ports.worker = await freePort()
    collector = await startCollector()
    receiver = await startReceiver()
    openai = await startFake('openai', { key: fakeKey })
    const folder = scratchFolder()
    const env = {
      ...inherited(),
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: folder,
      DATABASE_URL: await newDatabaseOn(serverUrl ?? server?.url ?? ''),
      STORAGE_URL: `file://${folder}/blobs`,
      DOCS: 'false',
      FETCH_ALLOW: 'localhost',
      OPENAI_BASE_URL: openai.url,
      OPENAI_API_KEY: fakeKey,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'tintype-test',
    }
    const key = await createFirstAccount(env)
    const start = (port: number, ...args: string[]) =>
      startProcess(args, { cwd: folder, env: { ...env, METRICS_PORT: String(port) } }, lines)
    startWorker = () => start(ports.worker, 'worker')
    const service = start(ports.api, 'serve', '--no-worker')
    processes = [service, startWorker()]
    const origin = await service.waitForOutput(/http:\/\/127\.0\.0\.1:\d+/)
    await processes[1]?.waitForOutput(/is working/)
    api = await createClient({ origin, dataDir: folder, lines } as Service, key)
  })
  after(async () => {
    await Promise.all(processes.map((each) => each.kill()))
    receiver.close()
    await Promise.all([openai.close(), collector.close()])
  })

  test('one trace goes from the caller through the API, the worker and the provider to the receiver', () =>
    checkOneTrace({ api, collector, openai, receiver, executor: 'worker', lines }))

  test('the executions of a batch are in the trace of the request that made it', () => checkBatch({ api, collector }))

  test('the worker counts what it executes, and the API its requests', async () => {
    const worker = await scrape(ports.worker)
    assert.ok((worker.sum('tintype_executions_total', { outcome: 'completed', process: 'worker' }) ?? 0) >= 4)
    assert.equal(worker.sum('tintype_batch_rows_total', { outcome: 'submitted' }), 3)
    assert.equal(worker.sum('tintype_batch_rows_total', { outcome: 'completed' }), 3)
    const call = { provider: 'openai', model: 'gpt-image-1-mini' }
    assert.equal(worker.sum('tintype_provider_call_duration_seconds_count', { ...call, outcome: 'done' }), 1)
    assert.ok((worker.sum('tintype_provider_cost_usd_total', call) ?? 0) > 0)
    assert.equal(worker.sum('tintype_webhook_attempt_duration_seconds_count', { outcome: 'delivered' }), 1)
    assert.equal(worker.sum('tintype_webhook_lag_seconds_count'), 1)
    assert.equal(worker.sum('tintype_http_request_duration_seconds_count'), undefined)
    const service = await scrape(ports.api)
    assert.equal(service.sum('tintype_executions_total'), undefined)
    assert.ok((service.sum('tintype_http_request_duration_seconds_count', { route: '/v1/workflows/execute' }) ?? 0) > 0)
    for (const each of [worker, service]) {
      assert.ok((each.sum('tintype_database_connections') ?? 0) > 0)
      assert.equal(each.sum('tintype_queue_executions'), 0)
    }
    assert.equal((await sendRequest(`http://127.0.0.1:${ports.worker}`, '/health/live')).status, 200)
  })

  test('promtool accepts the scrape of a worker', { skip: withoutPromtool }, async () => {
    execFileSync('promtool', ['check', 'metrics'], { input: (await scrape(ports.worker)).text })
  })

  test('without a worker the queue and the age of its oldest execution grow', async () => {
    const [, worker] = processes
    worker?.signal('SIGTERM')
    assert.equal(await worker?.ended(), 0)
    const workflow = await save(api, canvas())
    const { executionId } = ok(
      await api.post<Execution>('/workflows/execute', { workflowId: workflow.id, parameters: {}, async: true }),
      202,
    )
    const ready = { plan: 'enterprise', state: 'ready' }
    await until('the waiting execution in the metrics', async () => {
      const found = await scrape(ports.api)
      const isOld = (found.sum('tintype_queue_oldest_age_seconds', ready) ?? 0) > 0
      return found.sum('tintype_queue_executions', ready) === 1 && isOld ? true : undefined
    })
    processes[1] = startWorker()
    assert.equal((await api.ended(executionId)).status, 'completed')
    await until('an empty queue in the metrics', async () =>
      (await scrape(ports.api)).sum('tintype_queue_executions', ready) === 0 ? true : undefined,
    )
  })
})
