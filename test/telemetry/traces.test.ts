/** Traces of a running service, and collectors that don't work. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, suite, test } from 'node:test'
import { createTraces } from '../../src/telemetry/traces.ts'
import { type AiService, startAiService } from '../harness/ai.ts'
import { type Client, createClient, ok } from '../harness/client.ts'
import { canvas, type Document } from '../harness/documents.ts'
import { freePort } from '../harness/port.ts'
import { startWithoutExamples } from '../harness/service.ts'
import type { Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save } from '../harness/workflows.ts'
import { type Collector, startCollector } from './collector.ts'
import { checkBatch, checkOneTrace, newTrace, startReceiver } from './one-trace.ts'

const named = { OTEL_SERVICE_NAME: 'tintype-test' }

suite('traces', () => {
  let collector: Collector
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let ai: AiService
  let api: Client

  before(async () => {
    collector = await startCollector()
    receiver = await startReceiver()
    ai = await startAiService({
      ...named,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=one',
      FETCH_ALLOW: 'localhost',
    })
    api = await createClient(ai.service, ai.service.key)
  })
  after(async () => {
    await ai.close()
    receiver.close()
    await collector.close()
  })

  test('one trace has the request, the execution, its steps, the model call and the webhook', async () => {
    const { lines } = ai.service
    await checkOneTrace({ api, collector, openai: ai.openai, receiver, executor: 'executor', lines })
    assert.ok(collector.headers.every((headers) => headers['x-tenant'] === 'one'))
  })

  test('the executions of a batch are in the trace of the request that made it', () => checkBatch({ api, collector }))

  test('a request without a valid header starts its own trace', async () => {
    const workflow = await save(api, canvas())
    const ids = new Set<string>()
    for (const traceparent of [undefined, 'nonsense', `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`, 'x'.repeat(5_000)]) {
      const { executionId } = ok(
        await api.post<Execution>(
          '/workflows/execute',
          { workflowId: workflow.id, parameters: {} },
          traceparent === undefined ? {} : { traceparent },
        ),
      )
      const { traceId = '' } = ok(await api.get<{ traceId?: string }>(`/workflows/executions/${executionId}`))
      assert.match(traceId, /^(?!0+$)[0-9a-f]{32}$/)
      ids.add(traceId)
    }
    assert.equal(ids.size, 4)
  })

  test('the execution of a tool over MCP is in the trace of the client', async () => {
    const { id } = await save(api, { ...canvas(), mcp: { description: 'Draws a canvas.' } } as Document)
    ok(await api.put(`/workflows/${id}/slug`, { slug: 'canvas' }))
    const { traceId, traceparent } = newTrace()
    const params = { name: 'run_canvas', arguments: {} }
    const headers = { traceparent, accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' }
    const reply = await api.post<unknown>('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers)
    const [, executionId = ''] = /"executionId\\?":\\?"(\w+)/.exec(reply.text) ?? []
    const execution = ok(await api.get<{ traceId?: string }>(`/workflows/executions/${executionId}`))
    assert.equal(execution.traceId, traceId)
  })

  test('a failed execution and a rejected request have the type of their error', async () => {
    const workflow = await save(api, {
      ...canvas(),
      nodes: { sheet: { type: 'image', params: { source: 'https://unknown.invalid/a.png?secret' } } },
    })
    const { traceparent, traceId } = newTrace()
    ok(await api.post('/workflows/execute', { workflowId: workflow.id, parameters: {} }, { traceparent }), 500)
    const spans = await collector.trace(traceId, ['POST /v1/workflows/execute', 'execution', 'step image'])
    const of = (name: string) => spans.find((span) => span.name === name)
    assert.equal(of('execution')?.attributes['error.type'], 'provider_unavailable')
    assert.equal(of('step image')?.attributes['error.type'], 'provider_unavailable')
    assert.equal(of('POST /v1/workflows/execute')?.attributes['error.type'], '500')
    assert.ok(spans.every(({ status }) => status === 2))
    const rejected = newTrace()
    ok(await api.as('tt_live_wrong').post('/workflows/execute', {}, { traceparent: rejected.traceparent }), 401)
    const [request] = await collector.trace(rejected.traceId, ['POST /v1/workflows/execute'])
    assert.equal(request?.attributes['http.response.status_code'], 401)
    assert.equal(request?.status, 0)
  })

  test('a caller that does not sample is respected', async () => {
    const workflow = await save(api, canvas())
    const not = newTrace('00')
    const sampled = newTrace('01')
    const body = { workflowId: workflow.id, parameters: {} }
    const { executionId } = ok(await api.post<Execution>('/workflows/execute', body, { traceparent: not.traceparent }))
    const { traceId } = ok(await api.get<{ traceId?: string }>(`/workflows/executions/${executionId}`))
    assert.equal(traceId, not.traceId)
    ok(await api.post('/workflows/execute', body, { traceparent: sampled.traceparent }))
    await collector.trace(sampled.traceId, ['execution'])
    assert.ok(collector.spans.every((span) => span.traceId !== not.traceId))
  })

  test('the last spans are sent when the service stops', async () => {
    const workflow = await save(api, canvas())
    const { traceparent, traceId } = newTrace()
    ok(await api.post('/workflows/execute', { workflowId: workflow.id, parameters: {} }, { traceparent }))
    assert.equal(await ai.service.stop(), 0)
    await collector.trace(traceId, ['POST /v1/workflows/execute', 'execution'])
  })
})

const collectors: [string, () => Promise<{ url: string; close(): unknown }>][] = [
  ['never answers', () => startCollector(() => {})],
  ['answers 500', () => startCollector((response) => response.writeHead(500).end())],
  ['refuses connections', async () => ({ url: `http://127.0.0.1:${await freePort()}`, close() {} })],
]
suite('collectors that do not work', { concurrency: true }, () => {
  for (const [label, start] of collectors) {
    test(`a collector that ${label} delays nothing, and is reported once`, async (t) => {
      const collector = await start()
      t.after(() => collector.close())
      const service = await startWithoutExamples({
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_TIMEOUT: '500',
      })
      t.after(() => service.remove())
      const api = await createClient(service, service.key)
      const workflow = await save(api, canvas())
      const execute = async () => ok(await api.post('/workflows/execute', { workflowId: workflow.id, parameters: {} }))
      for (let n = 0; n < 20; n++) await execute()
      const reports = () => service.lines.filter((line) => line.includes('spans can not be exported'))
      await until('the report of each process', () => (reports().length >= 2 ? true : undefined))
      await execute()
      assert.equal(await service.stop(), 0)
      assert.equal(reports().length, 2)
    })
  }
})

test('exports continue when the collector is back', async (t) => {
  const port = await freePort()
  const service = await startWithoutExamples({ ...named, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
  t.after(() => service.remove())
  const api = await createClient(service, service.key)
  await until('the report', () => {
    void api.get('/workflows')
    return service.lines.some((line) => line.includes('spans can not be exported')) ? true : undefined
  })
  const collector = await startCollector(undefined, port)
  t.after(() => collector.close())
  await until('spans', async () => {
    await api.get('/workflows')
    return collector.spans.length > 0 ? true : undefined
  })
  await until('the report of the recovery', () =>
    service.lines.some((line) => line.includes('spans are exported again')) ? true : undefined,
  )
})

test('without an endpoint there is no trace, also if the caller has one', async (t) => {
  const service = await startWithoutExamples()
  t.after(() => service.remove())
  const api = await createClient(service, service.key)
  const workflow = await save(api, canvas())
  const { traceparent } = newTrace()
  const { executionId } = ok(
    await api.post<Execution>('/workflows/execute', { workflowId: workflow.id, parameters: {} }, { traceparent }),
  )
  const record = ok(await api.get<{ traceId?: string }>(`/workflows/executions/${executionId}`))
  assert.equal(record.traceId, undefined)
})

test('a slow collector gets at most the spans that can wait', async (t) => {
  const held: ServerResponse[] = []
  const collector = await startCollector((response) => held.push(response))
  t.after(() => collector.close())
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url
  t.after(() => delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT)
  const errors: unknown[] = []
  const traces = createTraces({
    process: 'worker',
    version: '1',
    sampler: 'always_on',
    ratio: 1,
    onError: (error) => errors.push(error),
    onRecovered() {},
  })
  for (let n = 0; n < 20_000; n++) {
    const facts = {
      method: 'GET',
      route: '/',
      requestId: `${n}`,
      elapsedMs: 0,
      traceparent: undefined,
      tracestate: undefined,
    }
    traces.observer.begin('request', facts).end()
  }
  const closing = traces.close()
  const release = setInterval(() => {
    for (const response of held.splice(0)) response.end('{}')
  }, 5)
  await closing
  clearInterval(release)
  assert.deepEqual(errors, [])
  assert.ok(collector.spans.length > 1_000 && collector.spans.length <= 2_560, `${collector.spans.length}`)
})
