import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Type from 'typebox'
import { until } from '../../test/harness/wait.ts'
import type { BatchItem } from '../domain/batches/batch-item.ts'
import { systemClock } from '../domain/clock.ts'
import { Fault } from '../errors.ts'
import type { ImageUrls } from '../services/images/image-urls.ts'
import { defineRoute, type Route } from './define-route.ts'
import { eventStream, eventStreamHeaders, type ServerSentEvent } from './response/event-stream.ts'
import { batchItemPage } from './routes/batches/present.ts'
import { type ClientLimits, createServer } from './server.ts'
import type { Services } from './services.ts'

const unlimited = { counter: { count: async () => ({ used: 0, resetsInMs: 0 }) }, max: 1 }
const settings = { uploadBytesMax: 1 }
const manyClients = {
  connectionsMax: 1_000,
  connectionsPerAddressMax: 1_000,
  trustedProxies: [],
  wrongKeys: unlimited,
  signIns: unlimited,
  stalledResponseSeconds: 60,
}

/** A server whose only route sends `parts`, and a connection that has requested it and reads nothing yet. */
async function startServer(
  t: TestContext,
  parts: () => AsyncIterable<ServerSentEvent[]>,
  limits: Partial<ClientLimits> = {},
) {
  const route: Route = defineRoute({
    id: 'test.events',
    method: 'GET',
    path: '/events',
    summary: '',
    tag: 'Service',
    permission: 'public',
    reply: { status: 200, description: '', mediaType: 'text/event-stream' },
    handle: () => ({ headers: eventStreamHeaders, body: eventStream(parts()) }),
  })
  const log = { info() {}, warn() {}, error: (facts: object) => assert.fail(JSON.stringify(facts)) }
  const services = { clock: systemClock } as unknown as Services
  const clients = { ...manyClients, ...limits }
  const server = createServer({ routes: [route], services, log, ...settings, clients })
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  socket.pause()
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write('GET /v1/events HTTP/1.1\r\nHost: x\r\n\r\n')
  return { server, socket }
}

test('a client that does not read receives no more than the socket buffers, and does not delay the shutdown', async (t) => {
  let pulled = 0
  const ended = Promise.withResolvers<void>()
  const { server } = await startServer(t, async function* () {
    try {
      for (;;) {
        pulled += 1
        yield [{ id: pulled, event: 'step', data: { text: 'x'.repeat(1_000_000) } }]
      }
    } finally {
      ended.resolve()
    }
  })
  let before = -1
  await until('no more parts to be made', () => {
    const isStill = pulled > 0 && pulled === before
    before = pulled
    return isStill || undefined
  })
  assert.ok(pulled < 50, `${pulled} parts were made for nobody`)
  await server.close()
  await ended.promise
})

test('a response that its client does not read is aborted after the timeout, and its connection is released', async (t) => {
  const ended = Promise.withResolvers<void>()
  const parts = async function* () {
    try {
      for (let id = 1; ; id++) yield [{ id, event: 'step', data: { text: 'x'.repeat(1_000_000) } }]
    } finally {
      ended.resolve()
    }
  }
  const { server } = await startServer(t, parts, { stalledResponseSeconds: 0.05 })
  await ended.promise
  await server.close()
})

test('an event stream that ends with the service is complete', async (t) => {
  const closing = Promise.withResolvers<void>()
  const { server, socket } = await startServer(t, async function* () {
    yield [{ id: 1, event: 'step', data: { text: 'x'.repeat(2_000_000) } }]
    yield []
    await closing.promise
    yield [{ id: 2, event: 'step', data: {} }]
  })
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.resume()
  while (!text.includes(': keep-alive')) await once(socket, 'data')
  closing.resolve()
  await server.close()
  if (!socket.readableEnded) await once(socket, 'close')
  assert.match(text, /^HTTP\/1\.1 200 OK\r\n/)
  assert.match(text, /retry: 2000\n\r\n[0-9a-f]+\r\nid: 1\nevent: step\n/)
  assert.match(text, /id: 2\nevent: step\ndata: \{\}\n\n\r\n0\r\n\r\n$/)
})

/** A server with one route, which responds when the test lets it, and clients that keep their connections. */
async function openWaiting(t: TestContext) {
  const arrived = Promise.withResolvers<void>()
  const respond = Promise.withResolvers<void>()
  const route: Route = defineRoute({
    id: 'test.waiting',
    method: 'GET',
    path: '/waiting',
    summary: '',
    tag: 'Service',
    permission: 'public',
    reply: { status: 200, description: '', schema: Type.Object({}) },
    async handle() {
      arrived.resolve()
      await respond.promise
      return { body: {} }
    },
  })
  const log = { info() {}, warn() {}, error: (facts: object) => assert.fail(JSON.stringify(facts)) }
  const services = { clock: systemClock } as unknown as Services
  const server = createServer({ routes: [route], services, log, ...settings, clients: manyClients })
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const open = async () => {
    const socket = connect(port, '127.0.0.1')
    t.after(() => socket.destroy())
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }
  const socket = await open()
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.write('GET /v1/waiting HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n')
  await arrived.promise
  return { server, open, respond: respond.resolve, socket, text: () => text }
}

test('responses during the shutdown close their connections, so that keep-alive does not delay it', async (t) => {
  const { server, respond, socket, text } = await openWaiting(t)
  server.end(60_000)
  respond()
  await once(socket, 'end')
  assert.match(text(), /^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is)
  await server.close()
})

test('idle connections and requests over the time limit do not delay the shutdown', async (t) => {
  const { server, open } = await openWaiting(t)
  const silent = await open()
  await server.close()
  await once(silent.resume(), 'close')
})

test('a page of rows is an error response if its first rows cannot be read, and JSON otherwise', async (t) => {
  const unavailable = new Fault('unavailable', 'The database does not respond.')
  const none = { executionId: null, output: null, error: null, endedAt: null }
  const item = { key: 'a', row: 1, status: 'pending', parameters: {}, ...none } as BatchItem
  let parts = async function* (): AsyncGenerator<BatchItem[]> {
    yield [item]
    yield []
  }
  const route: Route = defineRoute({
    id: 'test.rows',
    method: 'GET',
    path: '/rows',
    summary: '',
    tag: 'Service',
    permission: 'public',
    reply: { status: 200, description: '', schema: Type.Object({}) },
    handle: () => ({
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: batchItemPage(parts(), { total: 2, hasMore: true }, {} as ImageUrls),
    }),
  })
  const log = { info() {}, warn() {}, error: (facts: object) => assert.fail(JSON.stringify(facts)) }
  const services = { clock: systemClock, docsUrl: () => undefined } as unknown as Services
  const server = createServer({ routes: [route], services, log, ...settings, clients: manyClients })
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => server.close())
  const get = () => fetch(`http://127.0.0.1:${port}/v1/rows`)

  const { items, ...rest } = (await (await get()).json()) as { items: { key: string }[] }
  assert.deepEqual([items.map(({ key }) => key), rest], [['a'], { total: 2, hasMore: true }])
  parts = async function* () {}
  assert.deepEqual(await (await get()).json(), { items: [], total: 2, hasMore: true })
  parts = async function* () {
    yield await Promise.reject(unavailable)
  }
  const failed = await get()
  assert.equal(failed.status, 503)
  assert.match(await failed.text(), /"code":"unavailable"/)
})

test('a request whose client has left runs nothing more, whatever stage it waited in, and leaves its Idempotency-Key unused', async (t) => {
  const stages = ['authenticate', 'count', 'idempotency'] as const
  for (const [last, ran] of stages.map((stage, i) => [stage, stages.slice(0, i + 1)] as const)) {
    const calls: string[] = []
    const reached = Promise.withResolvers<void>()
    const hasLeft = Promise.withResolvers<void>()
    /** Waits in the last stage until the client has left. */
    async function passes<Value>(stage: string, value: Value): Promise<Value> {
      calls.push(stage)
      if (stage === last) {
        reached.resolve()
        await hasLeft.promise
      }
      return value
    }
    const route = defineRoute({
      id: 'test.write',
      method: 'POST',
      path: '/write',
      summary: '',
      tag: 'Service',
      permission: ['all'],
      reply: { status: 200, description: '' },
      handle: async () => ({ body: await passes('handle', {}) }),
    })
    const caller = { key: { id: 'k', permissions: ['all'], workflowId: null }, account: { id: 'a', plan: 'pro' } }
    const services = {
      clock: systemClock,
      docsUrl: () => '',
      requestCounts: { count() {} },
      keys: { authenticate: () => passes('authenticate', caller) },
      counter: { count: () => passes('count', { used: 0, resetsInMs: 1 }) },
      idempotency: {
        async once(_: unknown, work: (once: object) => Promise<object>) {
          await passes('idempotency', undefined)
          calls.push(`stored ${JSON.stringify(await work({}))}`)
        },
      },
    } as unknown as Services
    const log = { info() {}, warn() {}, error: (facts: object) => calls.push(JSON.stringify(facts)) }
    const server = createServer({ routes: [route], services, log, ...settings, clients: manyClients })
    t.after(() => server.close())
    const port = await server.listen({ host: '127.0.0.1', port: 0 })
    const starts = Promise.withResolvers<ServerResponse>()
    const onStart = (message: unknown) => starts.resolve((message as { response: ServerResponse }).response)
    subscribe('http.server.request.start', onStart)
    t.after(() => unsubscribe('http.server.request.start', onStart))
    const client = connect(port, '127.0.0.1')
    client.write(
      'POST /v1/write HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer k\r\nIdempotency-Key: i\r\nContent-Length: 0\r\n\r\n',
    )
    // A response before the stage fails the test, which would wait forever otherwise.
    await Promise.race([reached.promise, once(client, 'data').then(([bytes]) => assert.fail(String(bytes)))])
    const closed = once(await starts.promise, 'close')
    client.destroy()
    await closed
    hasLeft.resolve()
    for (let turn = 0; turn < 10; turn += 1) await nextTurn()
    assert.deepEqual(calls, ran)
  }
})

test('without a connection, errors of requests with a body are responses, and a stream ends when its reader leaves', async (t) => {
  let isEnded = false
  const save: Route = defineRoute({
    id: 'test.save',
    method: 'POST',
    path: '/save',
    summary: '',
    tag: 'Service',
    permission: 'public',
    body: Type.Object({ name: Type.String() }),
    reply: { status: 200, description: '' },
    handle: ({ body }) => ({ body }),
  })
  const events: Route = defineRoute({
    id: 'test.events',
    method: 'GET',
    path: '/events',
    summary: '',
    tag: 'Service',
    permission: 'public',
    reply: { status: 200, description: '', mediaType: 'text/event-stream' },
    handle: () => ({
      headers: eventStreamHeaders,
      body: eventStream(
        (async function* () {
          try {
            for (let id = 1; ; id += 1) {
              yield [{ id, event: 'step', data: {} }]
              await nextTurn()
            }
          } finally {
            isEnded = true
          }
        })(),
      ),
    }),
  })
  const log = { info() {}, warn() {}, error: (facts: object) => assert.fail(JSON.stringify(facts)) }
  const services = { clock: systemClock, docsUrl: () => undefined } as unknown as Services
  const server = createServer({ routes: [save, events], services, log, ...settings, clients: manyClients })
  t.after(() => server.close())
  const post = (body: object) =>
    server.respond('http://service/v1/save', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  assert.deepEqual(await (await post({ name: 'a' })).json(), { name: 'a' })
  const refused = await post({ name: 1 })
  const { error } = (await refused.json()) as { error: { code: string } }
  assert.deepEqual([refused.status, error.code], [400, 'invalid_request'])
  const stream = await server.respond('http://service/v1/events')
  const reader = stream.body?.getReader()
  assert.match(Buffer.from((await reader?.read())?.value ?? []).toString(), /^retry: /)
  await reader?.cancel()
  await until('the end of the stream', () => isEnded || undefined)
})
