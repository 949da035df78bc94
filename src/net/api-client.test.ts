import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { retryAfterMs } from '../domain/retry-after.ts'
import { Fault } from '../errors.ts'
import { createApiClient } from './api-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'tintype-test-'))
after(() => rmSync(folder, { recursive: true }))

const now = Date.UTC(2026, 10, 1)

type Reply = (response: ServerResponse) => void

const json =
  (body: object, status = 200, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

const page =
  (status: number): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')

/** Sends half of a body and ends the connection. */
const cut: Reply = (response) => {
  response.writeHead(200, { 'content-length': '20' })
  response.write('{"half":', () => response.destroy())
}

const reset: Reply = (response) => void response.destroy()

/** A client of a server with these replies, in this order; the last one is repeated. */
async function open(t: TestContext, replies: Reply[]) {
  const requests: Pick<IncomingMessage, 'method' | 'headers'>[] = []
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    requests.push(request)
    const reply = replies[Math.min(requests.length, replies.length) - 1]
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    reply?.(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const waits: number[] = []
  const keys = ['key 1', 'key 2'].values()
  const client = createApiClient({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: 'k',
    newIdempotencyKey: () => keys.next().value ?? '',
    retryAfterMs: (get) => retryAfterMs(get, now),
    wait: async (ms) => waits.push(ms),
  })
  return { client, requests, bodies, waits }
}

const ok = json({ ok: true })

test('a response that is cut in its body is requested again, a POST with the same idempotency key', async (t) => {
  const { client, requests, waits } = await open(t, [cut, cut, ok])
  assert.deepEqual(await client.json('POST', '/batches', {}), { ok: true })
  assert.deepEqual(
    requests.map(({ headers }) => headers['idempotency-key']),
    ['key 1', 'key 1', 'key 1'],
  )
  assert.deepEqual(waits, [2_000, 2_000])
})

test('a file that is cut is downloaded again, and leaves no part', async (t) => {
  const { client } = await open(t, [cut, (response) => response.end('all of it')])
  const file = join(folder, 'results.zip')
  await client.download('/batches/b/results.zip', file)
  assert.equal(readFileSync(file, 'utf8'), 'all of it')
  assert.deepEqual(readdirSync(folder), ['results.zip'])
  rmSync(file)
})

test('a download that is always cut, or whose file cannot be written, is an error', async (t) => {
  const always = await open(t, [cut])
  const isUnreachable = (error: unknown) => error instanceof Fault && error.code === 'unavailable'
  await assert.rejects(always.client.download('/x', join(folder, 'x')), isUnreachable)
  assert.equal(always.requests.length, 10)
  const other = await open(t, [ok])
  await assert.rejects(other.client.download('/x', join(folder, 'missing', 'x')), { code: 'ENOENT' })
  assert.equal(other.requests.length, 1)
  assert.deepEqual(readdirSync(folder), [])
})

test('an upload is sent again from its beginning', async (t) => {
  const { client, bodies } = await open(t, [ok, reset, ok])
  const file = join(folder, 'rows.csv')
  writeFileSync(file, 'key\na\n')
  await client.json('GET', '/batches')
  assert.deepEqual(await client.upload('/batches/b/items', file, 'text/csv'), { ok: true })
  assert.equal(bodies.at(-1), 'key\na\n')
  rmSync(file)
})

test('502 and 504 of a proxy are temporary if the service was reached before', async (t) => {
  const { client, requests } = await open(t, [ok, page(502), page(504), ok])
  await client.json('GET', '/batches/b')
  assert.deepEqual(await client.json('GET', '/batches/b'), { ok: true })
  assert.equal(requests.length, 4)
  const wrong = await open(t, [page(502)])
  await assert.rejects(wrong.client.json('GET', '/batches/b'), /responded with 502, and not as Tintype does/)
  assert.equal(wrong.requests.length, 1)
})

test('Retry-After can be seconds or a date', async (t) => {
  const replies = [
    json({}, 429, { 'retry-after': '7' }),
    json({}, 429, { 'retry-after': new Date(now + 3_000).toUTCString() }),
    json({}, 503, { 'retry-after': 'soon' }),
    ok,
  ]
  const { client, waits } = await open(t, replies)
  await client.json('GET', '/batches/b')
  assert.deepEqual(waits, [7_000, 3_000, 2_000])
})

test('a DELETE that is repeated finds nothing if its response was lost', async (t) => {
  const missing = json({ error: { code: 'not_found', message: 'gone', details: {} } }, 404)
  const { client } = await open(t, [ok, reset, missing])
  await client.json('GET', '/batches/b')
  await client.json('DELETE', '/batches/b')
  const other = await open(t, [missing])
  await assert.rejects(other.client.json('DELETE', '/batches/b'), { code: 'not_found' })
})
