/** One trace from a caller to a webhook: the same on one machine and with several processes. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fake } from '../../fakes/src/fake.ts'
import { drawn } from '../harness/ai.ts'
import { type Client, ok } from '../harness/client.ts'
import type { Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save } from '../harness/workflows.ts'
import type { Collector, ReceivedSpan } from './collector.ts'

const secrets = { prompt: 'secret-prompt-7d1f', query: 'secret-query-93ab' }

interface Receiver {
  url: string
  received: IncomingMessage['headers'][]
  close(): void
}

export async function startReceiver(): Promise<Receiver> {
  const received: IncomingMessage['headers'][] = []
  const server = createServer((request, response) => {
    received.push(request.headers)
    request.resume().on('end', () => response.writeHead(204).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://localhost:${port}/hook?token=${secrets.query}`, received, close: () => void server.close() }
}

/** A header as callers send it: https://www.w3.org/TR/trace-context/ */
export function newTrace(flags = '01'): { traceId: string; spanId: string; traceparent: string } {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` }
}

interface Scene {
  api: Client
  collector: Collector
  openai: Fake
  receiver: Receiver
  /** `tintype.process` of the process that executes. */
  executor: 'executor' | 'worker'
  lines: string[]
}

export async function checkOneTrace({ api, collector, openai, receiver, executor, lines }: Scene): Promise<void> {
  const caller = newTrace()
  const workflow = await save(api, drawn())
  const { executionId } = ok(
    await api.post<Execution>(
      '/workflows/execute',
      { workflowId: workflow.id, parameters: { prompt: secrets.prompt }, async: true, webhookUrl: receiver.url },
      { traceparent: caller.traceparent, tracestate: 'vendor=1' },
    ),
    202,
  )
  const ended = (await api.ended(executionId)) as Execution & { traceId?: string }
  assert.equal(ended.status, 'completed')
  assert.equal(ended.traceId, caller.traceId)

  const names = ['execution', 'step generate', 'step resize', 'generate_content gpt-image-1-mini', 'webhook POST']
  const spans = await collector.trace(caller.traceId, ['POST /v1/workflows/execute', ...names])
  const one = (name: string): ReceivedSpan => {
    const found = spans.filter((span) => span.name === name)
    assert.equal(found.length, 1, name)
    return found[0] as ReceivedSpan
  }
  const request = one('POST /v1/workflows/execute')
  const [execution, generate, resize, call, webhook] = names.map(one) as [
    ReceivedSpan,
    ReceivedSpan,
    ReceivedSpan,
    ReceivedSpan,
    ReceivedSpan,
  ]
  assert.deepEqual(
    [request, execution, generate, resize, call, webhook].map(({ parentSpanId }) => parentSpanId),
    [caller.spanId, request.spanId, execution.spanId, execution.spanId, generate.spanId, request.spanId],
  )
  assert.equal(request.resource['tintype.process'], 'service')
  for (const span of [execution, generate, resize, call, webhook])
    assert.equal(span.resource['tintype.process'], executor, span.name)
  for (const span of spans) {
    assert.equal(span.resource['service.name'], 'tintype-test')
    assert.equal(span.status, 0, span.name)
    assert.ok(span.startMs <= span.endMs, span.name)
  }
  assert.deepEqual(request.attributes['http.response.status_code'], 202)
  assert.equal(execution.attributes['tintype.execution.id'], executionId)
  assert.equal(execution.attributes['tintype.execution.outcome'], 'completed')
  const {
    'gen_ai.response.id': responseId,
    'tintype.call.id': callId,
    'tintype.call.cost_usd': usd,
    ...of
  } = call.attributes
  assert.ok(typeof callId === 'string' && Number(usd) > 0, `${responseId} ${callId} ${usd}`)
  assert.deepEqual(of, {
    'gen_ai.operation.name': 'generate_content',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-image-1-mini',
    'gen_ai.output.type': 'image',
    'tintype.capability': 'generate',
    'tintype.call.outcome': 'done',
  })
  assert.equal(webhook.attributes['server.address'], 'localhost')

  // The receiver can continue the trace. The provider learns nothing of it.
  const [headers] = receiver.received
  assert.equal(headers?.traceparent, `00-${caller.traceId}-${webhook.spanId}-01`)
  assert.ok(openai.log.length > 0)
  assert.ok(openai.log.every(({ headers }) => headers.traceparent === undefined))

  for (const body of collector.bodies)
    for (const secret of Object.values(secrets)) assert.ok(!body.includes(secret), secret)

  await until('the log line of the request', () => {
    const line = lines.find((each) => each.includes(caller.traceId) && each.includes('"route":"workflows.execute"'))
    return line && JSON.parse(line).traceId === caller.traceId ? true : undefined
  })
}

interface Batch {
  id: string
  status: string
}

/** The executions of all rows belong to the trace of the request that made the batch. */
export async function checkBatch({ api, collector }: Pick<Scene, 'api' | 'collector'>): Promise<void> {
  const caller = newTrace()
  const workflow = await save(api, {
    name: 'Rows',
    parameters: [{ name: 'width', type: 'number', required: true }],
    nodes: { sheet: { type: 'canvas', params: { width: '{{ width }}', height: 5, color: 'red' } } },
    output: { node: 'sheet', format: 'png' },
  })
  const headers = { traceparent: caller.traceparent }
  const { id } = ok(await api.post<Batch>('/batches', { workflowId: workflow.id }, headers), 201)
  const body = Buffer.from('width\n11\n12\n13\n')
  ok(await api.call('PUT', `/batches/${id}/items`, { body, headers: { 'content-type': 'text/csv' } }))
  ok(await api.post(`/batches/${id}/start`))
  await until('the end of the batch', async () =>
    ok(await api.get<Batch>(`/batches/${id}`)).status === 'completed' ? true : undefined,
  )
  const spans = await until('the spans of all rows', () => {
    const found = collector.spans.filter(({ traceId }) => traceId === caller.traceId)
    return found.filter(({ name }) => name === 'execution').length === 3 ? found : undefined
  })
  const request = spans.find(({ name }) => name === 'POST /v1/batches')
  const rows = spans.filter(({ name }) => name === 'batch rows')
  assert.ok(rows.length > 0)
  for (const { parentSpanId, attributes } of rows) {
    assert.equal(parentSpanId, request?.spanId)
    assert.equal(attributes['tintype.batch.id'], id)
  }
  for (const { name, parentSpanId } of spans)
    if (name === 'execution') assert.ok(rows.some(({ spanId }) => spanId === parentSpanId))
}
