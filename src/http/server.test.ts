import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import Type from 'typebox'
import { until } from '../../test/harness/wait.ts'
import type { BatchItem } from '../domain/batch-item.ts'
import { processorMs, systemClock } from '../domain/clock.ts'
import { Fault } from '../errors.ts'
import type { ImageUrls } from '../services/image-urls.ts'
import { defineRoute, type Route } from './define-route.ts'
import { eventStream, eventStreamHeaders, type ServerSentEvent } from './response/event-stream.ts'
import { batchItemPage } from './routes/batches/present.ts'
import { createServer } from './server.ts'
import type { ClientLimits } from './server-options.ts'
import type { Services } from './services.ts'

const unlimited = { counter: { count: async () => ({ used: 0, resetsInMs: 0 }) }, max: 1 }
const settings = { uploadBytesMax: 1, databaseConnectionsMax: 10 }
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
  assert.match(text, /retry: 2000\n\n/)
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

test('only one long read begins in each turn of the event loop, and accounts alternate', async (t) => {
  const begun: string[] = []
  let sinceTurn = 0
  let isOpen = true
  t.after(() => {
    isOpen = false
  })
  const watch = () => {
    sinceTurn = 0
    if (isOpen) setImmediate(watch)
  }
  watch()
  const route: Route = defineRoute({
    id: 'test.read',
    method: 'GET',
    path: '/read',
    summary: '',
    tag: 'Service',
    permission: [],
    reply: { status: 200, description: '', schema: Type.Object({}) },
    handle({ caller }) {
      begun.push(caller.account.id)
      sinceTurn += 1
      const endMs = processorMs() + 6
      while (processorMs() < endMs);
      return { body: { sinceTurn } }
    },
  })
  const log = { info() {}, warn() {}, error: (facts: object) => assert.fail(JSON.stringify(facts)) }
  // All requests are authenticated in one turn.
  const arrived = Promise.withResolvers<void>()
  let waiting = 0
  const services = {
    clock: systemClock,
    counter: { count: async () => ({ used: 0, resetsInMs: 0 }) },
    requestCounts: { count() {} },
    keys: {
      async authenticate(id: string) {
        waiting += 1
        if (waiting === 22) arrived.resolve()
        await arrived.promise
        return { account: { id, plan: 'starter' }, key: { id, permissions: [] } }
      },
    },
  } as unknown as Services
  const server = createServer({ routes: [route], services, log, ...settings, clients: manyClients })
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => server.close())
  const get = async (key: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/read`, { headers: { authorization: `Bearer ${key}` } })
    return (await response.json()) as object
  }
  const responses = await Promise.all([...Array.from({ length: 20 }, () => get('a')), get('b'), get('b')])
  assert.deepEqual(new Set(responses.map((body) => JSON.stringify(body))), new Set(['{"sinceTurn":1}']))
  assert.ok(begun.lastIndexOf('b') <= 4, begun.join(''))
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
      body: batchItemPage({ parts: parts(), count: 1, total: 2 }, 0, {} as ImageUrls),
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

/** Work of the main thread, which grows with the number of requests. */
function work(ms: number): void {
  const startMs = processorMs()
  while (processorMs() - startMs < ms);
}

test('requests without a key take turns with those of other addresses, and health checks do not wait', async (t) => {
  const order: string[] = []
  const route = (id: string, ms: number): Route =>
    defineRoute({
      id,
      method: 'GET',
      path: `/${id}`,
      summary: '',
      tag: 'Service',
      permission: 'public',
      ...(ms === 0 && { isHealth: true }),
      reply: { status: 200, description: '' },
      handle({ headers }) {
        order.push(headers['x-from'] ?? '')
        work(ms)
        return { body: {} }
      },
    })
  const log = { info() {}, warn() {}, error: (facts: object) => assert.fail(JSON.stringify(facts)) }
  const services = { clock: systemClock } as unknown as Services
  const routes = [route('long', 6), route('health', 0)]
  const server = createServer({
    routes,
    services,
    log,
    ...settings,
    clients: { ...manyClients, trustedProxies: ['127.0.0.1'] },
  })
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => server.close())
  const client = async (from: string) => {
    const socket = connect(port, '127.0.0.1')
    t.after(() => socket.destroy())
    const send = (path: string) => {
      socket.write(`GET /v1/${path} HTTP/1.1\r\nHost: x\r\nX-From: ${from}\r\nX-Forwarded-For: ${from}\r\n\r\n`)
      return once(socket, 'data')
    }
    // Node accepts one connection in a turn of the event loop, so all are accepted before.
    await send('health')
    return send
  }
  const many = await Promise.all(Array.from({ length: 40 }, () => client('203.0.113.1')))
  const [other, checking] = await Promise.all([client('203.0.113.2'), client('203.0.113.3')])
  order.length = 0
  const sent = many.map((send) => send('long'))
  await Promise.race(sent)
  await Promise.all([...sent, other('long'), checking('health')])
  assert.ok(order.indexOf('203.0.113.2') < 15, order.join())
  assert.ok(order.indexOf('203.0.113.3') < 15, order.join())
})
