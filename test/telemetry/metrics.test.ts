/** The metrics of a running service. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { openRecordServices } from '../../src/app/records.ts'
import { readConfig } from '../../src/config/config.ts'
import { metricDefinitions } from '../../src/telemetry/definitions.ts'
import { type Client, createClient, ok } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { crash, executorId } from '../harness/executor.ts'
import { sendRequest } from '../harness/http.ts'
import { answer, connectMcp } from '../harness/mcp.ts'
import { freePort } from '../harness/port.ts'
import { type Service, startWithoutExamples } from '../harness/service.ts'
import type { Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { run, save } from '../harness/workflows.ts'
import { scrape, withoutPromtool } from './scrape.ts'

const document: Document = {
  name: 'Canvas',
  parameters: [{ name: 'width', type: 'number', default: 40 }],
  nodes: { a: { type: 'canvas', params: { width: '{{ width }}', height: 30, color: '#ff0000' } } },
  output: { node: 'a', format: 'png' },
}

suite('metrics', () => {
  let service: Service
  let api: Client
  let port: number

  before(async () => {
    port = await freePort()
    service = await startWithoutExamples({ METRICS_PORT: String(port) })
    api = await createClient(service, service.key)
  })
  after(() => service.remove())

  test('a scrape counts requests, executions and steps of all processes', async () => {
    const workflow = await save(api, document)
    const before = await scrape(port)
    await run(api, workflow.id, { width: 41 })
    await run(api, workflow.id, { width: 41 })
    ok(await api.get('/storage/images/img_0000000000000000000000000000'), 404)
    const execute = { method: 'POST', route: '/v1/workflows/execute', status: '2xx', process: 'service' }
    const unknownImage = { method: 'GET', route: '/v1/storage/images/{imageId}', status: '4xx' }
    const name = 'tintype_http_request_duration_seconds_count'
    const now = await until('the requests to be counted', async () => {
      const found = await scrape(port)
      return found.sum(name, unknownImage) === 1 && (found.sum(name, execute) ?? 0) >= 2 ? found : undefined
    })
    const added = (metric: string, labels: Record<string, string>) =>
      (now.sum(metric, labels) ?? 0) - (before.sum(metric, labels) ?? 0)
    assert.equal(added(name, execute), 2)
    assert.equal(added('tintype_executions_total', { outcome: 'completed', reason: '', process: 'executor' }), 2)
    assert.equal(added('tintype_step_duration_seconds_count', { operation: 'canvas', outcome: 'completed' }), 1)
    assert.equal(added('tintype_cache_lookups_total', { kind: 'output', result: 'hit' }), 1)
    assert.equal(now.sum('tintype_queue_executions'), 0)
    assert.equal(now.sum('tintype_executions_running'), 0)
  })

  test('a call of a tool over MCP counts as one request, and its requests within the process don’t', async () => {
    const { id } = await save(api, { ...document, mcp: { description: 'Draws a canvas.' } } as Document)
    ok(await api.put(`/workflows/${id}/slug`, { slug: 'canvas' }))
    const before = await scrape(port)
    const client = await connectMcp(service, api.key ?? '')
    await answer(client, 'run_canvas', { width: 43 })
    await answer(client, 'list_workflows')
    await client.close()
    const name = 'tintype_http_request_duration_seconds_count'
    const added = (found: Awaited<ReturnType<typeof scrape>>, labels: Record<string, string>) =>
      (found.sum(name, labels) ?? 0) - (before.sum(name, labels) ?? 0)
    // One is the start of the client.
    const found = await until('the calls to be counted', async () => {
      const found = await scrape(port)
      return added(found, { route: '/mcp' }) >= 3 ? found : undefined
    })
    assert.equal(added(found, { route: '/mcp' }), 3)
    assert.equal(added(found, { route: '/v1/workflows/execute' }), 0)
    assert.equal(added(found, { method: 'GET', route: '/v1/workflows' }), 0)
  })

  test('a failed execution has its reason, a cancelled one also', async () => {
    const workflow = await save(api, {
      ...document,
      nodes: { a: { type: 'image', params: { source: 'https://unknown.invalid/a.png' } } },
    })
    const { status } = await api.post<Execution>('/workflows/execute', { workflowId: workflow.id, parameters: {} })
    assert.equal(status, 500)
    const { executionId } = ok(
      await api.post<Execution>('/workflows/execute', { workflowId: workflow.id, parameters: {}, async: true }),
      202,
    )
    const cancelled = ok(await api.post<Execution>(`/workflows/executions/${executionId}/cancel`))
    const isCancelled = cancelled.error?.details.reason === 'cancelled' ? 1 : 0
    const found = await scrape(port)
    const failed = (reason: string) => found.sum('tintype_executions_total', { outcome: 'failed', reason }) ?? 0
    assert.deepEqual([failed('provider_unavailable'), failed('cancelled')], [2 - isCancelled, isCancelled])
  })

  test('promtool accepts the scrape', { skip: withoutPromtool }, async () => {
    const { text } = await scrape(port)
    execFileSync('promtool', ['check', 'metrics'], { input: text })
  })

  test('a scrape has every defined metric and no other', async () => {
    const { text } = await scrape(port)
    const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type])
    assert.deepEqual(
      types.sort(),
      Object.entries(metricDefinitions)
        .map(([name, { type }]) => [name, type as string])
        .sort(),
    )
  })

  test('many accounts and workflows have as many series as ten', async () => {
    const records = await openRecordServices(readConfig(service.environment))
    after(() => records.close())
    const addAccounts = async (count: number) => {
      for (let n = 0; n < count; n++) {
        const account = await records.accounts.create({ name: `Account ${n}`, plan: 'pro' })
        const { text } = await records.keys.create(account.id, { name: 'k' })
        const client = api.as(text)
        const workflow = await save(client, { ...document, name: `Workflow ${account.id}` })
        await run(client, workflow.id)
        ok(await client.get(`/workflows/${workflow.id}`))
      }
      const found = await until('the last request to be counted', async () => {
        const found = await scrape(port)
        const counted = found.sum('tintype_http_request_duration_seconds_count', {
          route: '/v1/workflows/{workflowId}',
        })
        total ??= count
        return (counted ?? 0) >= total ? found : undefined
      })
      // A process that starts or ends for another reason adds series.
      return found.samples.filter(({ name }) => !name.startsWith('tintype_pool_')).length
    }
    let total: number | undefined
    const ofTen = await addAccounts(10)
    total = 70
    const ofMany = await addAccounts(60)
    assert.ok(ofTen > 100)
    assert.equal(ofMany, ofTen)
  })

  test('unknown paths and methods have one series', async () => {
    const count = async () =>
      (await scrape(port)).samples.filter(
        ({ name, labels }) => name === 'tintype_http_request_duration_seconds_count' && labels.route === 'other',
      )
    for (const path of ['/nothing/1', '/v1/nothing/2', '/v1/images/x/y/z'])
      for (const method of ['GET', 'PURGE', 'LOCK']) await sendRequest(service.origin, path, { method })
    const found = await until('the requests to be counted', async () => {
      const series = await count()
      return series.some(({ labels }) => labels.method === 'other') ? series : undefined
    })
    for (const { labels } of found) assert.ok(['GET', 'other'].includes(labels.method ?? ''), labels.method)
  })

  test('an executor that ends is counted, and the scrapes go on', async () => {
    const [pid = 0] = service.processIds()
    const executor = await executorId(pid)
    await crash(executor)
    assert.equal((await scrape(port)).sum('tintype_executor_restarts_total', { process: 'service' }), 1)
    await until('the metrics of the next executor', async () =>
      (await scrape(port)).samples.some(({ labels }) => labels.process === 'executor') ? true : undefined,
    )
  })

  test('the port has the health of the process and nothing else', async () => {
    const origin = `http://127.0.0.1:${port}`
    assert.equal((await sendRequest(origin, '/health/live')).status, 200)
    assert.equal((await sendRequest(origin, '/v1/images')).status, 404)
    assert.equal((await sendRequest(origin, '/metrics', { method: 'POST' })).status, 404)
    assert.equal((await sendRequest(service.origin, '/metrics')).status, 404)
  })
})

test('a service whose metrics port is taken says so and ends', async (t) => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  t.after(() => taken.close())
  const { port } = taken.address() as { port: number }
  const lines: string[] = []
  await assert.rejects(
    startWithoutExamples({ METRICS_PORT: String(port) }).then((service) => service.remove()),
    (error: Error) => {
      lines.push(error.message)
      return /METRICS_PORT/.test(error.message)
    },
  )
  assert.match(lines.join(), /EADDRINUSE/)
})

test('only a service with METRICS_PORT loads the library', async (t) => {
  const report = `import { registerHooks } from 'node:module'
    registerHooks({ resolve(name, context, next) {
      if (name === 'prom-client') console.log('loaded ' + name)
      return next(name, context)
    } })`
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(report)}`
  const loadedBy = async (settings: Record<string, string>) => {
    const service = await startWithoutExamples({ NODE_OPTIONS, ...settings })
    t.after(() => service.remove())
    // The executor is open when it has run something.
    const api = await createClient(service, service.key)
    await run(api, (await save(api, document)).id)
    return service.lines.filter((line) => line === 'loaded prom-client').length
  }
  assert.equal(await loadedBy({}), 0)
  assert.equal(await loadedBy({ METRICS_PORT: '0' }), 2)
})
