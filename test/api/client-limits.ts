/** Limits per client address (connections, wrong keys, sign-ins), and proxies. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { after, before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { isMany } from '../harness/backing.ts'
import { type Client, createClient, ok, type Reply, refused } from '../harness/client.ts'
import { type Service, startWithoutExamples } from '../harness/service.ts'
import { until } from '../harness/wait.ts'

const perProcess = {
  skip: isMany ? 'each process counts its own, and the balancer is not their client' : (false as const),
}

/** Requests of these tests come through a proxy at 127.0.0.1. Those from 127.0.0.2 don't. */
const proxied = {
  TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8',
  WRONG_KEYS_PER_MINUTE_MAX: '5',
  SIGN_INS_PER_MINUTE_MAX: '3',
  CONNECTIONS_PER_ADDRESS_MAX: '4',
}

const unknownKey = `tt_live_${'a'.repeat(43)}`

area('limits per client address', perProcess, () => {
  let service: Service
  let api: Client
  before(async () => {
    service = await startWithoutExamples(proxied)
    api = await createClient(service, service.key)
  })
  after(() => service.remove())

  const from = (address: string, key: string | undefined, headers: Record<string, string> = {}) =>
    api.as(key).call('GET', '/projects', { headers: { ...headers, 'x-forwarded-for': address } })
  const signInFrom = (address: string, key: string) =>
    api.as(undefined).post('/session', { key }, { 'x-forwarded-for': address })
  const lineOf = (reply: Reply<unknown>) =>
    until('the line of the log', () => {
      const line = service.lines.find((each) => each.includes(`"requestId":"${reply.headers['x-request-id']}"`))
      return line === undefined ? undefined : (JSON.parse(line) as { ip: string })
    })

  /** The first request of an address over its limit. If a minute ends meanwhile, it takes more requests. */
  async function firstLimited(send: () => Promise<Reply<unknown>>, max: number): Promise<Reply<unknown>> {
    for (let i = 0; i <= 2 * max; i++) {
      const reply = await send()
      if (reply.status === 429) {
        assert.ok(i >= max, `request ${i + 1} of ${max} was refused`)
        return reply
      }
      refused(reply, 'unauthorized')
    }
    throw new Error(`no request of ${2 * max + 1} was limited`)
  }

  test('an address that sends wrong keys gets 429, and a valid key from there passes', async () => {
    const reply = await firstLimited(() => from('203.0.113.1', unknownKey), 5)
    const { limit, retryAfterSeconds = 0 } = refused(reply, 'rate_limited')
    assert.equal(limit, 5)
    assert.ok(retryAfterSeconds >= 1 && retryAfterSeconds <= 60)
    assert.equal(reply.headers['retry-after'], String(retryAfterSeconds))
    ok(await from('203.0.113.1', api.key))
    refused(await from('203.0.113.2', unknownKey), 'unauthorized')
  })

  test('malformed keys and sessions count as wrong keys, and a request without a key does not', async () => {
    const kinds = [{ authorization: 'Bearer' }, { authorization: 'Basic eA==' }, { cookie: 'tintype_session=x' }]
    let sent = 0
    const reply = await firstLimited(() => from('203.0.113.3', undefined, kinds[sent++ % kinds.length]), 5)
    refused(reply, 'rate_limited')
    for (let i = 0; i < 10; i++) refused(await from('203.0.113.3', undefined), 'unauthorized')
  })

  test('the addresses of one IPv6 network share a limit', async () => {
    let sent = 0
    await firstLimited(() => from(`2001:db8:1:2::${(++sent).toString(16)}`, unknownKey), 5)
    refused(await from('2001:db8:1:3::1', unknownKey), 'unauthorized')
  })

  test('throttled requests of a minute are one line of the log', async () => {
    await firstLimited(() => from('203.0.113.4', unknownKey), 5)
    const limited = [await from('203.0.113.4', unknownKey), await from('203.0.113.4', unknownKey)]
    await lineOf(await from('203.0.113.4', api.key))
    const warnings = service.lines.filter((line) => line.includes('"level":"warn"') && line.includes('203.0.113.4'))
    assert.ok(warnings.length >= 1 && warnings.length <= 2, warnings.join('\n'))
    for (const { status, headers } of limited)
      if (status === 429) assert.ok(!service.lines.some((line) => line.includes(String(headers['x-request-id']))))
  })

  test('sign-ins are limited per address, successful and failed ones', async () => {
    const statuses: number[] = []
    while (!statuses.includes(429) && statuses.length < 8)
      statuses.push((await signInFrom('203.0.113.5', statuses.length % 2 ? unknownKey : (api.key ?? ''))).status)
    assert.ok(statuses.indexOf(429) >= 3, statuses.join())
    refused(await signInFrom('203.0.113.5', api.key ?? ''), 'rate_limited')
    ok(await signInFrom('203.0.113.6', api.key ?? ''), 201)
    ok(await from('203.0.113.5', api.key))
  })

  test('the client is the last address of X-Forwarded-For that is not a proxy', async () => {
    const addresses: [forwarded: string, ip: string][] = [
      ['203.0.113.7', '203.0.113.7'],
      ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
      ['203.0.113.7, 10.1.2.3, 127.0.0.1', '203.0.113.7'],
      ['203.0.113.7:5000', '203.0.113.7'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
      ['unknown', '127.0.0.1'],
      ['203.0.113.7, <script>', '127.0.0.1'],
      ['', '127.0.0.1'],
    ]
    for (const [forwarded, ip] of addresses)
      assert.equal((await lineOf(await from(forwarded, api.key))).ip, ip, forwarded)
  })

  test('X-Forwarded-For is ignored if the address is not a trusted proxy', async () => {
    const socket = connect(service, '127.0.0.2')
    socket.end(
      'GET /health/live HTTP/1.1\r\nHost: x\r\nX-Request-Id: not-a-proxy\r\nX-Forwarded-For: 203.0.113.8\r\nConnection: close\r\n\r\n',
    )
    assert.match(await textOf(socket), /^HTTP\/1\.1 200 /)
    const line = await until('the line', () => service.lines.find((each) => each.includes('"not-a-proxy"')))
    assert.equal((JSON.parse(line) as { ip: string }).ip, '127.0.0.2')
  })

  test('the number of connections per address is limited, except for proxies', async () => {
    const connections = Array.from({ length: 4 }, () => connect(service, '127.0.0.3'))
    await Promise.all(connections.map((socket) => once(socket, 'connect')))
    assert.equal(await textOf(connect(service, '127.0.0.3')), '')
    const request = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    for (const socket of connections) {
      socket.end(request)
      assert.match(await textOf(socket), /^HTTP\/1\.1 200 /)
    }
    const many = Array.from({ length: 20 }, () => connect(service, '127.0.0.1'))
    for (const socket of many) socket.end(request)
    for (const text of await Promise.all(many.map(textOf))) assert.match(text, /^HTTP\/1\.1 200 /)
  })
})

area('connections', { ...perProcess, isSlow: true }, () => {
  let service: Service
  before(async () => {
    service = await startWithoutExamples({ CONNECTIONS_MAX: '60' })
  })
  after(() => service.remove())
  const isAlive = async () => {
    const socket = connect(service)
    socket.end('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    return (await textOf(socket)).startsWith('HTTP/1.1 200 ') || undefined
  }

  test('over the limit are closed, and rejected ones that their client keeps open do not count', async () => {
    for (let round = 0; round < 5; round++) {
      await until('a response of the service', isAlive)
      const sockets = Array.from({ length: 100 }, () => connect(service))
      for (const socket of sockets) socket.write('no http\r\n\r\n')
      const texts = await Promise.all(sockets.map(textOf))
      const rejected = texts.filter((text) => text.startsWith('HTTP/1.1 400 '))
      assert.ok(rejected.length >= 1 && rejected.length <= 60, `${rejected.length} were answered`)
    }
    await until('a response of the service', isAlive)
  })
})

/** A client that keeps its side of the connection open. Its connections are closed with the process. */
function connect(service: Service, localAddress = '127.0.0.1'): net.Socket {
  const { hostname, port } = new URL(service.origin)
  const socket = net.connect({ host: hostname, port: Number(port), localAddress, allowHalfOpen: true })
  socket.on('error', () => undefined)
  socket.unref()
  return socket
}

/** The bytes that the service sent before it closed its side. */
async function textOf(socket: net.Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await new Promise((resolve) => socket.once('end', resolve).once('close', resolve))
  return text
}
