/** An OpenTelemetry collector for tests: decodes OTLP in JSON, or misbehaves. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { until } from '../harness/wait.ts'

export interface ReceivedSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId: string
  kind: number
  /** 2 for an error. */
  status: number
  attributes: Record<string, unknown>
  resource: Record<string, unknown>
  startMs: number
  endMs: number
}

export interface Collector {
  url: string
  spans: ReceivedSpan[]
  /** Everything that was sent, as text. */
  bodies: string[]
  headers: IncomingMessage['headers'][]
  /** Spans of a trace, once it has these names. */
  trace(traceId: string, names: string[]): Promise<ReceivedSpan[]>
  close(): Promise<void>
}

type Respond = (response: ServerResponse) => void

const accept: Respond = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')

export async function startCollector(respond: Respond = accept, port = 0): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  const bodies: string[] = []
  const headers: IncomingMessage['headers'][] = []
  const server = createServer(async (request, response) => {
    assert.equal(`${request.method} ${request.url}`, 'POST /v1/traces')
    const body = await text(request)
    bodies.push(body)
    headers.push(request.headers)
    spans.push(...spansIn(JSON.parse(body)))
    respond(response)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    trace: (traceId, names) =>
      until(`the spans ${names.join(', ')} of ${traceId}`, () => {
        const found = spans.filter((span) => span.traceId === traceId)
        return names.every((name) => found.some((span) => span.name === name)) ? found : undefined
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Attribute {
  key: string
  value: Record<string, unknown>
}

interface Otlp {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: {
      spans: (Omit<ReceivedSpan, 'attributes' | 'status' | 'resource'> & {
        attributes: Attribute[]
        status: { code?: number }
        startTimeUnixNano: string
        endTimeUnixNano: string
      })[]
    }[]
  }[]
}

function spansIn({ resourceSpans }: Otlp): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, traceId, spanId, parentSpanId = '', kind, attributes, status, ...times }) => ({
        name,
        traceId,
        spanId,
        parentSpanId,
        kind,
        attributes: valuesOf(attributes),
        status: status.code ?? 0,
        resource: valuesOf(resource.attributes),
        startMs: Number(times.startTimeUnixNano) / 1e6,
        endMs: Number(times.endTimeUnixNano) / 1e6,
      })),
    ),
  )
}

function valuesOf(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
