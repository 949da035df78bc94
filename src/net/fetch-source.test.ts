import assert from 'node:assert/strict'
import net, { type LookupFunction, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type FailureReason, Fault } from '../errors.ts'
import { limits } from '../limits.ts'
import { createFetcher, type FetcherOptions } from './fetch-source.ts'
import { startSocketServer } from './test-server.ts'

test('returns the bytes of an allowed host, and sends no header of the caller', async (t) => {
  const server = await serve(t, (socket) => socket.end(ok('picture')))
  assert.equal(String(await fetchFrom(`${server.url}/a%20b?c=d#e`, { allow: [server.host] })), 'picture')
  const lines = String(server.requests[0]).split('\r\n')
  assert.equal(lines[0], 'GET /a%20b?c=d HTTP/1.1')
  const names = lines.slice(1).map((line) => line.split(':')[0]?.toLowerCase())
  assert.deepEqual(names.filter((name) => name !== '').sort(), [
    'accept',
    'accept-encoding',
    'connection',
    'host',
    'user-agent',
  ])
  assert.ok(lines.some((line) => line.toLowerCase() === 'accept-encoding: identity'))
  assert.ok(lines.some((line) => line.toLowerCase() === 'user-agent: tintype'))
})

test('rejects every spelling of this machine unless it is allowed', async (t) => {
  const server = await serve(t, (socket) => socket.end(ok('secret')))
  const spellings = [
    ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001'],
    ...['127.0.0.1.', '%31%32%37.0.0.1', '①②⑦.⓪.⓪.①', '0', '0.0.0.0', '127.255.255.254', 'localhost', 'LOCALHOST'],
    ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
    ...['[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[fe80::1]', '169.254.169.254', '10.0.0.1'],
  ]
  for (const host of spellings) {
    await fails(fetchFrom(`http://${host}:${server.port}/`), 'input_invalid', /resolves to a private address/)
  }
  await fails(fetchFrom(`https://127.0.0.1:${server.port}/`), 'input_invalid', /private address/)
  assert.equal(server.connections(), 0)
})

test('rejects everything except plain http and https URLs, without repeating their contents', async () => {
  const sources = [
    ...[
      '',
      'picture.png',
      '/etc/passwd',
      'file:///etc/passwd',
      'ftp://img.test/a',
      'data:image/png;base64,AA',
      'javascript:1',
    ],
    ...[
      'http://',
      'http://[fe80::1%25eth0]/',
      'http://[::1',
      'http://a b/',
      'http://img.test:99999/',
      'http://%0d%0a/',
    ],
    ...['http://user@img.test/', 'http://user:hunter2@img.test/', `http://img.test/${'a'.repeat(5000)}`],
  ]
  for (const source of sources) {
    const fault = await fails(fetchFrom(source, { allow: ['img.test'] }), 'input_invalid')
    assert.doesNotMatch(fault.message, /hunter2|passwd|aaaa/)
  }
})

test('rejects a name with a private address, alone or among public ones, without the address in the message', async () => {
  for (const addresses of [
    ['10.9.8.7'],
    ['8.8.8.8', '10.9.8.7'],
    ['fd00::9'],
    ['::ffff:10.9.8.7'],
    ['169.254.169.254'],
  ]) {
    const fault = await fails(
      fetchFrom('http://img.test/a?token=s3cret', { lookup: resolvingTo(addresses) }),
      'input_invalid',
    )
    assert.match(fault.message, /^img\.test resolves to a private address/)
    assert.doesNotMatch(fault.message, /10\.9|fd00|169\.254|s3cret/)
  }
})

test('of a name with thousands of addresses, only the first ones are checked and connected to', async () => {
  const addresses = Array.from({ length: 4_000 }, (_, i) => `8.${i >> 8}.${i & 255}.1`)
  const checked: string[] = []
  const isOpen = (address: string) => checked.push(address) < limits.lookupAddressesMax
  await fails(fetchFrom('http://img.test/', { lookup: resolvingTo(addresses), isOpen }), 'input_invalid')
  assert.deepEqual(checked, addresses.slice(0, limits.lookupAddressesMax))
})

test('resolves a name once per connection and checks it again on every hop, so that rebinding gains nothing', async (t) => {
  const server = await serve(t, (socket) => socket.end(redirect(`http://img.test:${server.port}/again`)))
  const names: string[] = []
  const lookups = [['127.0.0.1'], ['10.0.0.1']]
  const lookup: LookupFunction = (name, options, callback) => {
    names.push(name)
    resolvingTo(lookups.shift() ?? ['127.0.0.1'])(name, options, callback)
  }
  // Loopback stands for the public internet here, and 10.0.0.1 for what lies inside.
  const isOpen = (address: string) => address === '127.0.0.1'
  await fails(
    fetchFrom(`http://img.test:${server.port}/`, { lookup, isOpen }),
    'input_invalid',
    /^img\.test:\d+ resolves to/,
  )
  assert.deepEqual([names, server.requests.length], [['img.test', 'img.test'], 1])
})

test('closes a connection to another address than the checked one before a byte is sent', async (t) => {
  const server = await serve(t, (socket) => socket.end(ok('secret')))
  const judged: string[] = []
  const isOpen = (address: string) => judged.push(address) === 1
  const lookup = resolvingTo(['127.0.0.1'])
  await fails(
    fetchFrom(`http://img.test:${server.port}/`, { lookup, isOpen }),
    'input_invalid',
    /resolves to a private address/,
  )
  assert.deepEqual([judged, server.requests.length], [['127.0.0.1', '127.0.0.1'], 0])
})

test('follows redirects to the end, including relative ones', async (t) => {
  const locations: Record<string, string> = {
    '/a': redirect('b?x=1', 301),
    '/b?x=1': redirect('//HOST/c', 307),
    '/c': ok('end'),
  }
  const server = await serve(t, (socket, path) => socket.end(String(locations[path]).replace('HOST', server.host)))
  assert.equal(String(await fetchFrom(`${server.url}/a`, { allow: [server.host] })), 'end')
})

test('a Location outside of ASCII reaches the host byte by byte, in any encoding', async (t) => {
  for (const [encoding, path] of [
    ['utf8', '/caf%C3%A9.png?n=%E2%82%AC'],
    ['latin1', '/caf%E9.png?n=%80'],
  ] as const) {
    const location = encoding === 'utf8' ? '/café.png?n=€' : '/caf\u00e9.png?n=\u0080'
    const server = await serve(t, (socket, asked) =>
      socket.end(asked === '/' ? Buffer.from(redirect(location), encoding) : ok('end')),
    )
    assert.equal(String(await fetchFrom(server.url, { allow: [server.host] })), 'end')
    assert.equal(String(server.requests[1]).split('\r\n')[0], `GET ${path} HTTP/1.1`)
  }
})

test('an allowed host does not allow the hosts that it redirects to', async (t) => {
  const inner = await serve(t, (socket) => socket.end(ok('secret')))
  for (const target of [
    inner.url,
    `http://localhost:${inner.port}/`,
    `http://[::1]:${inner.port}/`,
    'http://169.254.169.254/',
  ]) {
    const outer = await serve(t, (socket) => socket.end(redirect(target)))
    const fault = await fails(fetchFrom(outer.url, { allow: [outer.host] }), 'input_invalid', /private address/)
    assert.ok(fault.message.startsWith(outer.host), fault.message)
    assert.ok(!fault.message.includes('169.254') && !fault.message.includes(String(inner.port)), fault.message)
  }
  assert.equal(inner.connections(), 0)
})

test('rejects a redirect to another scheme or with credentials', async (t) => {
  for (const target of ['file:///etc/passwd', 'data:image/png,x', 'ftp://img.test/', 'http://user:hunter2@img.test/']) {
    const server = await serve(t, (socket) => socket.end(redirect(target)))
    const fault = await fails(
      fetchFrom(server.url, { allow: [server.host, 'img.test'] }),
      'input_invalid',
      /redirected to/,
    )
    assert.doesNotMatch(fault.message, /hunter2|passwd/)
  }
})

test('rejects a redirect without one usable Location', async (t) => {
  const none = 'HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n'
  const two = 'HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n'
  for (const [response, message] of [
    [none, /redirected without a Location\./],
    [two, /redirected with more than one Location\./],
    [redirect('http://'), /redirected to an invalid URL\./],
    [redirect(`/${'a'.repeat(5000)}`), /redirected to a URL of more than 4096 characters\./],
  ] as const) {
    const server = await serve(t, (socket) => socket.end(response))
    await fails(fetchFrom(server.url, { allow: [server.host] }), 'provider_unavailable', message)
    assert.equal(server.requests.length, 1)
  }
})

test('a Location cannot add headers to the next request', async (t) => {
  const server = await serve(t, (socket, path) =>
    socket.end(path === '/' ? redirect('/a%0d%0aX-Evil:%201?b\tc d\u00e9') : ok('end')),
  )
  await fetchFrom(server.url, { allow: [server.host] })
  assert.equal(server.requests.length, 2)
  const [start, ...headers] = String(server.requests[1]).split('\r\n')
  assert.equal(start, 'GET /a%0d%0aX-Evil:%201?bc%20d%C3%A9 HTTP/1.1')
  // Exactly the headers of the first request.
  assert.deepEqual(headers, String(server.requests[0]).split('\r\n').slice(1))
})

test('a redirect loop ends at its limit', async (t) => {
  const server = await serve(t, (socket) => socket.end(redirect('/again')))
  await fails(
    fetchFrom(server.url, { allow: [server.host], redirectsMax: 3 }),
    'provider_unavailable',
    /more than 3 times/,
  )
  assert.equal(server.requests.length, 4)
})

test('rejects a body with too large a declared length before it is read', async (t) => {
  const server = await serve(t, (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n'))
  await fails(fetchFrom(server.url, { allow: [server.host], bytesMax: 1000 }), 'limit_exceeded', /1000 bytes/)
})

test('stops reading a body that exceeds the limit, with a length and in chunks', async (t) => {
  for (const piece of ['x'.repeat(5000), '1388\r\n'.concat('x'.repeat(5000), '\r\n')]) {
    const chunked = piece.includes('\r\n') ? 'Transfer-Encoding: chunked\r\n' : ''
    const server = await serve(t, (socket) => writeEndlessly(socket, `HTTP/1.1 200 OK\r\n${chunked}\r\n`, piece))
    await fails(fetchFrom(server.url, { allow: [server.host], bytesMax: 100_000 }), 'limit_exceeded')
  }
})

test('a response that is far more work than its body ends long before the timeout', async (t) => {
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
  const wasteful: Record<string, [head: string, piece: string]> = {
    'chunks of a byte': [chunked, '1\r\nx\r\n'.repeat(1000)],
    'an extension of a chunk': [`${chunked}1;`, 'x'.repeat(5000)],
    'zeros of a length': [chunked, '0'.repeat(5000)],
    'informational responses': ['', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)],
    'blank lines before the response': ['', '\r\n'.repeat(5000)],
  }
  for (const [name, [head, piece]] of Object.entries(wasteful)) {
    const server = await serve(t, (socket) => writeEndlessly(socket, head, piece))
    const fetched = fetchFrom(server.url, { allow: [server.host], bytesMax: 1_000_000, timeoutSeconds: 60 })
    const fault = await fails(fetched, 'provider_unavailable')
    assert.match(fault.message, /far too many pieces, or with far more data/, name)
    await server.closed()
  }
})

test('trailers have the limit of headers', async (t) => {
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n'
  const server = await serve(t, (socket) => writeEndlessly(socket, head, 'a: b\r\n'.repeat(1000)))
  await fails(fetchFrom(server.url, { allow: [server.host] }), 'provider_unavailable', /bytes of headers/)
})

test('accepts a few informational responses', async (t) => {
  const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(3)
  const server = await serve(t, (socket) => socket.end(`${hints}${ok('picture')}`))
  assert.equal(String(await fetchFrom(server.url, { allow: [server.host] })), 'picture')
})

test('accepts a body of exactly the limit, complete and in order', async (t) => {
  const body = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 251))
  const plain = await serve(t, (socket) => socket.end(Buffer.concat([Buffer.from(ok('', body.length)), body])))
  const chunked = await serve(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
    for (let at = 0; at < body.length; at += 1000) {
      socket.write('3e8\r\n')
      socket.write(body.subarray(at, at + 1000))
      socket.write('\r\n')
    }
    socket.end('0\r\n\r\n')
  })
  for (const { url, host } of [plain, chunked]) {
    assert.ok((await fetchFrom(url, { allow: [host], bytesMax: body.length })).equals(body))
  }
})

test('rejects a compressed response, which was not requested and could grow without limit', async (t) => {
  const bomb = gzipSync(Buffer.alloc(1_000_000))
  for (const encoding of ['gzip', 'GZIP', 'br', 'deflate', 'identity, gzip']) {
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${bomb.length}\r\n\r\n`
    const server = await serve(t, (socket) => socket.end(Buffer.concat([Buffer.from(head), bomb])))
    await fails(fetchFrom(server.url, { allow: [server.host] }), 'provider_unavailable', /compressed/)
  }
})

test('a response that does not end within the timeout is aborted, wherever it hangs', async (t) => {
  const hanging: Record<string, (socket: Socket) => unknown> = {
    'before the headers': () => {},
    'in the headers': (socket) => socket.write('HTTP/1.1 200 OK\r\nX-A: b'),
    'in the body': (socket) => socket.write(ok('x', 1000)),
    'in a body that arrives too slowly': (socket) => {
      socket.write(ok('', 1_000_000))
      const timer = setInterval(() => socket.write('x'), 10)
      socket.on('close', () => clearInterval(timer))
    },
    'after an informational response': (socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'),
  }
  for (const [where, hang] of Object.entries(hanging)) {
    const server = await serve(t, hang)
    const source = `${server.url}/a?token=s3cret`
    const fault = await fails(fetchFrom(source, { allow: [server.host], timeoutSeconds: 0.2 }), 'timeout', /0\.2 s\./)
    assert.ok(!fault.message.includes('s3cret'), where)
    await server.closed()
  }
})

test('a name whose lookup never ends times out as well', async () => {
  await fails(fetchFrom('http://img.test/', { lookup: () => {}, timeoutSeconds: 0.1 }), 'timeout')
})

test('reports an error during the transfer as the fault of that host', async (t) => {
  const broken: Record<string, (socket: Socket) => unknown> = {
    'closes immediately': (socket) => socket.end(),
    resets: (socket) => socket.resetAndDestroy(),
    'ends before its Content-Length': (socket) => socket.end(ok('x', 1000)),
    'ends inside a chunk': (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab'),
    'sends endless headers': (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(10_000)}`),
    'does not speak HTTP': (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
    'switches to another protocol': (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'),
    'sends two lengths': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx'),
  }
  for (const [label, respond] of Object.entries(broken)) {
    const server = await serve(t, respond)
    const fault = await fails(
      fetchFrom(`${server.url}/?token=s3cret`, { allow: [server.host] }),
      'provider_unavailable',
    )
    assert.ok(fault.message.startsWith(server.host) && !fault.message.includes('s3cret'), label)
  }
})

test('a port without a listener and a server without TLS are the fault of that host', async (t) => {
  const closed = await serve(t, () => {})
  closed.close()
  await fails(fetchFrom(closed.url, { allow: [closed.host] }), 'provider_unavailable', /refused the connection/)
  const plain = await serve(t, (socket) => socket.end(ok('x')))
  await fails(fetchFrom(`https://${plain.host}/`, { allow: [plain.host] }), 'provider_unavailable')
})

test('reports a name without an address', async () => {
  const lookup: LookupFunction = (_name, _options, callback) =>
    callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])
  await fails(fetchFrom('http://img.test/', { lookup }), 'provider_unavailable', /has no address/)
})

test('only a 200 is an image', async (t) => {
  const reasons: Record<number, FailureReason> = { 404: 'input_not_found', 410: 'input_not_found' }
  for (const status of [201, 204, 206, 300, 304, 400, 401, 403, 404, 410, 429, 500, 503]) {
    const server = await serve(t, (socket) => socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`))
    const reason = reasons[status] ?? 'provider_unavailable'
    await fails(fetchFrom(server.url, { allow: [server.host] }), reason, new RegExp(String(status)))
  }
})

test('an aborted fetch rejects with the reason of its signal and leaves no connection', async (t) => {
  const reason = new Error('cancelled')
  await assert.rejects(fetchFrom('http://img.test/', {}, AbortSignal.abort(reason)), reason)

  const ending = new AbortController()
  const server = await serve(t, (socket) => {
    socket.write(ok('x', 1000))
    ending.abort(reason)
  })
  await assert.rejects(fetchFrom(server.url, { allow: [server.host] }, ending.signal), reason)
  await server.closed()
})

test('no connection outlives its fetch, even if the server would keep it alive', async (t) => {
  const server = await serve(t, (socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: keep-alive\r\nKeep-Alive: timeout=600\r\n\r\nx'),
  )
  await fetchFrom(server.url, { allow: [server.host] })
  await server.closed()
})

function fetchFrom(source: string, options: Partial<FetcherOptions> = {}, signal?: AbortSignal): Promise<Buffer> {
  const fetcher = createFetcher({ allow: [], bytesMax: 1_000_000, timeoutSeconds: 20, redirectsMax: 5, ...options })
  return fetcher.fetch(source, signal ?? new AbortController().signal)
}

async function fails(promise: Promise<unknown>, reason: FailureReason, message = /./): Promise<Fault> {
  const error = await promise.then(
    (value) => assert.fail(`expected ${reason}, got ${String(value)}`),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof Fault, String(error))
  assert.equal(error.details.reason, reason, error.message)
  assert.match(error.message, message)
  return error
}

/** A look-up that always returns these addresses, without a request to a name server. */
function resolvingTo(addresses: string[]): LookupFunction {
  return (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: net.isIP(address) })),
    )
}

function writeEndlessly(socket: Socket, head: string, piece: string): void {
  socket.write(head)
  const more = (error?: Error | null) => !error && !socket.destroyed && socket.write(piece, more)
  more()
}

function ok(body: string, length = Buffer.byteLength(body)): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: ${length}\r\n\r\n${body}`
}

function redirect(location: string, status = 302): string {
  return `HTTP/1.1 ${status} Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`
}

async function serve(t: TestContext, respond: (socket: Socket, path: string) => unknown) {
  const requests: string[] = []
  const server = await startSocketServer(t, (socket) =>
    socket.once('data', (data) => {
      // The first bytes of a TLS connection aren't HTTP, and get a response, too.
      requests.push(String(data))
      respond(socket, String(data).split(' ')[1] ?? '')
    }),
  )
  return { ...server, requests }
}
