import assert from 'node:assert/strict'
import type { LookupFunction, Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { limits } from '../limits.ts'
import { createProviderHttp, HttpProblem, type ProviderHttpOptions } from './provider-http.ts'
import { startSocketServer } from './test-server.ts'

const never = new AbortController().signal
const key = { authorization: 'Bearer sk-secret', 'x-key': 'sk-secret' }

test('sends the key to the origin of the base URL', async (t) => {
  const server = await serve(t, (socket) => socket.end(httpResponse('{"ok":true}')))
  const response = await httpOf(server.url).request({
    method: 'POST',
    url: `${server.url}/v1/images`,
    headers: key,
    json: { prompt: 'a bear' },
    signal: never,
  })
  assert.deepEqual([response.status, response.json()], [200, { ok: true }])
  assert.equal(response.json(), response.json(), 'an answer with a picture in it is parsed once')
  const [request = ''] = server.requests
  assert.match(request, /^POST \/v1\/images HTTP\/1\.1\r\n/)
  assert.match(request, /\r\nauthorization: Bearer sk-secret\r\n/)
  assert.match(request, /\r\ncontent-type: application\/json\r\n/)
  assert.match(request, /\r\naccept-encoding: identity\r\n/)
  assert.match(request, /\r\n\r\n\{"prompt":"a bear"\}$/)
})

test('a URL without an origin is relative to the base URL, and a URL with another host keeps its host', async (t) => {
  const server = await serve(t, (socket) => socket.end(httpResponse('{}')))
  const http = httpOf(server.url)
  await http.request({ method: 'GET', url: '/v1/jobs/1?a=b', headers: key, signal: never })
  assert.match(
    server.requests[0] ?? '',
    /^GET \/v1\/jobs\/1\?a=b HTTP\/1\.1\r\n[\s\S]*\r\nauthorization: Bearer sk-secret\r\n/,
  )
  const elsewhere = server.url.replace('http:', '').replace('127.0.0.1', '127.0.0.2')
  await fails(() => http.request({ method: 'GET', url: elsewhere, signal: never }), { kind: 'refused_address' })
  assert.equal(server.requests.length, 1)
})

test('sends another origin no key under any name, and only GET requests', async (t) => {
  const server = await serve(t, (socket) => socket.end(httpResponse('own')))
  const other = await serve(t, (socket) => socket.end(httpResponse('other')))
  const http = httpOf(server.url, { allow: [other.host] })
  const headers = { ...key, 'x-anything': 'sk-secret', cookie: 'sk-secret', accept: 'image/png' }
  const response = await http.request({ method: 'GET', url: `${other.url}/poll`, headers, signal: never })
  assert.equal(response.text(), 'other')
  await http.fetch(`${other.url}/file`, { headers })
  assert.equal(other.requests.length, 2)
  for (const request of other.requests) {
    assert.doesNotMatch(request, /sk-secret/)
    assert.match(request, /\r\naccept: image\/png\r\n/)
  }
  for (const call of [
    () => http.request({ method: 'POST', url: other.url, json: {}, signal: never }),
    () => http.fetch(other.url, { method: 'POST', body: 'prompt' }),
  ])
    await fails(call, { kind: 'refused_address', isUnsent: true })
  assert.equal(other.requests.length, 2)
})

test('sends the key to an additional origin of the provider, and not to an origin with a similar suffix', async (t) => {
  const api = await serve(t, (socket) => socket.end(httpResponse('')))
  const regional = await serve(t, (socket) => socket.end(httpResponse('')))
  const http = httpOf(api.url, { ownOrigins: [regional.url, 'https://*.bfl.ai'], allow: [regional.host] })
  await http.request({ method: 'GET', url: `${regional.url}/poll`, headers: key, signal: never })
  assert.match(regional.requests[0] ?? '', /sk-secret/)
  // POST is refused, before any connection, exactly where the key would not go.
  const lookup: LookupFunction = (_name, _options, callback) =>
    callback(Object.assign(new Error('none'), { code: 'ENOTFOUND' }), [])
  const strict = createProviderHttp({
    baseUrl: 'https://api.bfl.ai/v1',
    ownOrigins: ['https://*.bfl.ai'],
    allow: [],
    bytesMax: 1000,
    lookup,
  })
  const kindOf = async (url: string) => {
    const error = await strict.request({ method: 'POST', url, json: {}, signal: never }).catch((reason) => reason)
    return error instanceof HttpProblem ? error.kind : error
  }
  assert.equal(await kindOf('https://api.eu2.bfl.ai/v1'), 'unreachable')
  for (const url of ['https://bfl.ai.evil.test/', 'https://xbfl.ai/', 'https://bfl.ai/', 'https://api.bfl.ai:8443/'])
    assert.equal(await kindOf(url), 'refused_address', url)
  assert.equal(await kindOf('http://api.bfl.ai/v1'), 'refused_address', 'a key in clear')
})

test('does not follow the redirect of a request, and returns it', async (t) => {
  const target = await serve(t, (socket) => socket.end(httpResponse('x')))
  const server = await serve(t, (socket) => socket.end(redirect(`${target.url}/steal`)))
  const http = httpOf(server.url, { allow: [target.host] })
  const one = await http.request({ method: 'POST', url: server.url, headers: key, json: {}, signal: never })
  const two = await http.fetch(server.url, { method: 'POST', headers: key, body: '{}' })
  assert.deepEqual([one.status, two.status, target.requests.length], [302, 302, 0])
})

test('only the origin of the base URL may have a private address', async (t) => {
  const server = await serve(t, (socket) => socket.end(httpResponse('own')))
  const other = await serve(t, (socket) => socket.end(httpResponse('other')))
  const http = httpOf(server.url)
  assert.equal(String(await http.download(`${server.url}/file`, never)), 'own')
  await fails(() => http.download(`${other.url}/file`, never), { kind: 'refused_address', isUnsent: true })
  await fails(() => http.request({ method: 'GET', url: other.url, signal: never }), { kind: 'refused_address' })
  assert.deepEqual([other.requests.length, other.connections()], [0, 0])
})

test('does not connect to a name that resolves to a private address, whatever it resolved to before', async (t) => {
  const server = await serve(t, (socket) => socket.end(httpResponse('own')))
  const inside = await serve(t, (socket) => socket.end(httpResponse('inside')))
  const addresses = ['203.0.113.7', '127.0.0.1']
  let requestCount = 0
  const lookup: LookupFunction = (_name, _options, callback) =>
    callback(null, [{ address: addresses[Math.min(requestCount++, 1)] ?? '', family: 4 }])
  const http = httpOf(server.url, { lookup, isOpen: (address) => address === '203.0.113.7', connectSeconds: 0.2 })
  const url = `http://files.test:${inside.port}/x`
  // The first time it is let through to an address where nobody answers.
  await fails(() => http.request({ method: 'GET', url, signal: never }), { isUnsent: true })
  await fails(() => http.request({ method: 'GET', url, signal: never }), { kind: 'refused_address', isUnsent: true })
  assert.equal(inside.connections(), 0)
})

test('a download follows redirects without the key, and checks every hop', async (t) => {
  const inside = await serve(t, (socket) => socket.end(httpResponse('secret')))
  const files = await serve(t, (socket, path) =>
    socket.end(
      path === '/ok' ? httpResponse('picture') : path === '/own' ? redirect(`${server.url}/x`) : redirect(inside.url),
    ),
  )
  const server = await serve(t, (socket, path) =>
    socket.end(path === '/x' ? httpResponse('from inside') : redirect(`${files.url}${path}`)),
  )
  const http = httpOf(server.url, { allow: [files.host] })
  assert.equal(String(await http.download(`${server.url}/ok`, never)), 'picture')
  await fails(() => http.download(`${server.url}/inside`, never), { kind: 'refused_address' })
  assert.equal(inside.connections(), 0)
  // Whoever is not the provider does not lead back to where only the provider is let in.
  await fails(() => http.download(`${files.url}/own`, never), { kind: 'refused_address' })
  for (const request of [...server.requests, ...files.requests])
    assert.doesNotMatch(request, /authorization|x-key|cookie/i)
})

test('a download fails after too many redirects', async (t) => {
  const server = await serve(t, (socket) => socket.end(redirect('/again')))
  await fails(() => httpOf(server.url).download(server.url, never), { kind: 'broken' })
  assert.equal(server.requests.length, limits.fetchRedirectsMax + 1)
})

test('retries a download after a reset or a 500, and reports the status of a missing file', async (t) => {
  let tries = 0
  const server = await serve(t, (socket) => {
    tries++
    if (tries === 1) socket.resetAndDestroy()
    else socket.end(tries === 2 ? httpResponse('', 500) : httpResponse('picture'))
  })
  assert.equal(String(await httpOf(server.url).download(server.url, never)), 'picture')
  const notFound = await serve(t, (socket) => socket.end(httpResponse('', 404)))
  await fails(() => httpOf(notFound.url).download(notFound.url, never), { kind: 'broken', status: 404 })
  assert.equal(notFound.requests.length, 1)
})

test('reports a refused connection, an unknown name and a connect timeout as unsent', async (t) => {
  const closed = await serve(t, () => {})
  closed.close()
  const post = (http: ReturnType<typeof httpOf>, url: string) =>
    http.request({ method: 'POST', url, json: {}, signal: never })
  await fails(() => post(httpOf(closed.url), closed.url), { kind: 'unreachable', isUnsent: true })
  const failing: LookupFunction = (_name, _options, callback) =>
    callback(Object.assign(new Error('none'), { code: 'ENOTFOUND' }), [])
  const nowhere = 'http://nowhere.test'
  await fails(() => post(httpOf(nowhere, { lookup: failing }), nowhere), { kind: 'unreachable', isUnsent: true })
  const silent: LookupFunction = () => {}
  const http = httpOf(nowhere, { lookup: silent, connectSeconds: 0.05 })
  const { message } = await fails(() => post(http, nowhere), { kind: 'timeout', isUnsent: true })
  assert.match(message, /within 0\.05 seconds/)
})

test('sends a request once if it fails after the connection was made', async (t) => {
  const responders: Record<string, (socket: Socket) => void> = {
    'a reset before the response': (socket) => socket.resetAndDestroy(),
    'an end before the response': (socket) => void socket.end(),
    'a reset in the headers': (socket) => socket.write('HTTP/1.1 200 OK\r\nconte', () => socket.resetAndDestroy()),
    'half a body': (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'),
    'half a chunked body': (socket) =>
      void socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n'),
    'a response that is not HTTP': (socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
    'an uncompressed body that is declared as compressed': (socket) =>
      void socket.end('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nhalf'),
  }
  for (const [fault, respond] of Object.entries(responders)) {
    const server = await serve(t, respond)
    const http = httpOf(server.url)
    await fails(
      () => http.request({ method: 'POST', url: server.url, json: {}, signal: never }),
      { kind: 'broken', isUnsent: false },
      fault,
    )
    await fails(
      () => http.fetch(server.url, { method: 'POST', body: '{}' }),
      { kind: 'broken', isUnsent: false },
      fault,
    )
    assert.equal(server.requests.length, 2, fault)
  }
})

test('never reuses a connection, so that a closed one does not look like a sent request', async (t) => {
  const server = await serve(t, (socket) =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: keep-alive\r\n\r\nok'),
  )
  const http = httpOf(server.url)
  for (let times = 0; times < 2; times++) await http.fetch(server.url, { method: 'POST', body: '{}' })
  assert.equal(server.connections(), 2)
})

test('a response that is missing or arrives too slowly times out', async (t) => {
  const hanging = await serve(t, () => {})
  const dripping = await serve(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
    const drip = setInterval(() => socket.write('x'), 10)
    socket.on('close', () => clearInterval(drip))
  })
  for (const { url } of [hanging, dripping]) {
    const http = httpOf(url, { pollSeconds: 0.1, downloadSeconds: 0.1 })
    await fails(() => http.request({ method: 'GET', url, signal: never }), { kind: 'timeout', isUnsent: false })
    const post = () => http.request({ method: 'POST', url, json: {}, timeoutSeconds: 0.1, signal: never })
    await fails(post, { kind: 'timeout', isUnsent: false })
  }
  await fails(() => httpOf(hanging.url, { downloadSeconds: 0.05 }).download(hanging.url, never), { kind: 'timeout' })
})

test('the signal ends every kind of request with its reason, and closes its connection', async (t) => {
  const server = await serve(t, () => {})
  const http = httpOf(server.url)
  const reason = new Error('cancelled by somebody')
  for (const call of [
    (signal: AbortSignal) => http.request({ method: 'POST', url: server.url, json: {}, signal }),
    (signal: AbortSignal) => http.fetch(server.url, { method: 'POST', body: '{}', signal }),
    (signal: AbortSignal) => http.download(server.url, signal),
  ]) {
    const controller = new AbortController()
    const ended = assert.rejects(call(controller.signal), reason)
    await server.asked()
    controller.abort(reason)
    await ended
    await server.closed()
    await assert.rejects(call(controller.signal), reason)
  }
  assert.equal(server.connections(), 3)
})

test('accepts a body up to its limit, with or without a declared length or compression', async (t) => {
  const bytesMax = 3000
  const responseBytesMax = 4000 + limits.providerEnvelopeBytesMax
  const bomb = gzipSync(Buffer.alloc(responseBytesMax + 1))
  const bodies: Record<string, (socket: Socket) => void> = {
    told: (socket) => void socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${responseBytesMax + 1}\r\n\r\nx`),
    endless: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const more = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536)));
        socket.once('drain', more)
      }
      more()
    },
    'gzip bomb': (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
      socket.end(bomb)
    },
  }
  for (const [name, respond] of Object.entries(bodies)) {
    const { url } = await serve(t, respond)
    const http = httpOf(url, { bytesMax })
    await fails(() => http.request({ method: 'POST', url, json: {}, signal: never }), { kind: 'too_large' }, name)
    await fails(() => http.fetch(url, { method: 'POST', body: '{}' }), { kind: 'too_large', isUnsent: false }, name)
    await fails(() => http.download(url, never), { kind: 'too_large' }, name)
  }
  const fitting = await serve(t, (socket) => socket.end(httpResponse('x'.repeat(3000))))
  assert.equal((await httpOf(fitting.url, { bytesMax }).download(fitting.url, never)).length, 3000)
  await fails(() => httpOf(fitting.url, { bytesMax: 2999 }).download(fitting.url, never), { kind: 'too_large' })
})

test('reports a rejection with a body that cannot be decoded by its status', async (t) => {
  const bomb = gzipSync(Buffer.alloc(4000 + limits.providerEnvelopeBytesMax + 1))
  for (const body of [bomb, Buffer.from('no gzip')]) {
    const server = await serve(t, (socket) => {
      socket.write(`HTTP/1.1 400 Bad Request\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`)
      socket.end(body)
    })
    const http = httpOf(server.url, { bytesMax: 3000 })
    const posted = await http.request({ method: 'POST', url: server.url, json: {}, signal: never })
    assert.deepEqual([posted.status, posted.bytes.length, posted.json()], [400, 0, undefined])
    const response = await http.fetch(server.url, { method: 'POST', body: '{}' })
    assert.deepEqual([response.status, await response.text()], [400, ''])
  }
})

test('reads a compressed response although compression was not requested', async (t) => {
  const packed = gzipSync('{"paid":true}')
  const server = await serve(t, (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`)
    socket.end(packed)
  })
  const http = httpOf(server.url)
  const post = { method: 'POST', url: server.url, json: {}, signal: never } as const
  assert.deepEqual((await http.request(post)).json(), { paid: true })
  const response = await http.fetch(server.url, { method: 'POST', body: '{}' })
  assert.deepEqual([await response.json(), response.headers.has('content-encoding')], [{ paid: true }, false])
})

test('sends a form with its boundary, by both functions', async (t) => {
  const server = await serve(t, (socket) => socket.end(httpResponse('{}')))
  const http = httpOf(server.url)
  const form = () => {
    const data = new FormData()
    data.append('model', 'm')
    data.append('image', new Blob([new Uint8Array([1, 2, 3])], { type: 'image/png' }), 'a.png')
    return data
  }
  await http.request({ method: 'POST', url: server.url, headers: key, form: form(), signal: never })
  await http.fetch(server.url, { method: 'POST', headers: key, body: form() })
  for (const request of server.requests) {
    const [, boundary = '-'] = /content-type: multipart\/form-data; boundary=(\S+)\r\n/.exec(request) ?? []
    assert.ok(request.includes(`--${boundary}--`), request)
    assert.match(request, /name="image"; filename="a\.png"\r\nContent-Type: image\/png/i)
    assert.match(request, /sk-secret/)
  }
})

test('accepts statuses without a body, and empty bodies', async (t) => {
  const server = await serve(t, (socket, path) =>
    socket.end(`HTTP/1.1 ${path.slice(1)} X\r\nconnection: close\r\n\r\n`),
  )
  const http = httpOf(server.url)
  for (const status of [200, 204, 304, 404, 500]) {
    const response = await http.fetch(`${server.url}/${status}`, { method: 'POST', body: '{}' })
    assert.deepEqual([response.status, await response.text()], [status, ''])
  }
  assert.equal((await http.request({ method: 'GET', url: `${server.url}/200`, signal: never })).json(), undefined)
})

test('no error contains a key that is not a valid header', async () => {
  const http = httpOf('http://127.0.0.1:9')
  const headers = { authorization: 'Bearer sk-secret\nx' }
  for (const call of [
    () => http.request({ method: 'POST', url: 'http://127.0.0.1:9/', headers, json: {}, signal: never }),
    () => http.fetch('http://127.0.0.1:9/', { method: 'POST', headers, body: '{}' }),
  ]) {
    const error = await fails(call, { kind: 'broken', isUnsent: true })
    assert.doesNotMatch(`${error.stack} ${JSON.stringify(error.cause)}`, /sk-secret/)
  }
})

test('rejects a malformed URL, a URL with a user and another protocol before sending', async () => {
  const http = createProviderHttp({ baseUrl: 'https://api.test/v1', allow: [], bytesMax: 1000 })
  for (const url of ['https://u:p@api.test/', 'http://api.test/', 'file:///etc/passwd', 'data:,x', 'x', '']) {
    await fails(() => http.download(url, never), { kind: 'refused_address', isUnsent: true }, url)
    await fails(() => http.request({ method: 'GET', url, signal: never }), { kind: 'refused_address' }, url)
  }
})

test('rejects an ambiguous additional origin', () => {
  for (const origin of ['*.bfl.ai', 'https://*', 'http://*.bfl.ai', 'https://*.bfl.ai/v1', 'https://a.*.ai'])
    assert.throws(
      () => createProviderHttp({ baseUrl: 'https://a.test', ownOrigins: [origin], allow: [], bytesMax: 1 }),
      /origin/,
      origin,
    )
})

function httpOf(baseUrl: string, options: Partial<ProviderHttpOptions> = {}) {
  return createProviderHttp({ baseUrl, allow: [], bytesMax: 1_000_000, ...options })
}

async function fails(
  call: () => Promise<unknown>,
  expected: Partial<Pick<HttpProblem, 'kind' | 'isUnsent' | 'status'>>,
  label = '',
): Promise<HttpProblem> {
  const error = await call().then(
    () => assert.fail(`${label} did not fail`),
    (reason) => reason,
  )
  assert.ok(error instanceof HttpProblem, `${label} ${error}`)
  for (const [name, value] of Object.entries(expected)) assert.equal(error[name as 'kind'], value, `${label}: ${name}`)
  return error
}

function httpResponse(body: string, status = 200): string {
  return `HTTP/1.1 ${status} X\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

function redirect(location: string): string {
  return `HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`
}

/** `respond` is called when the entire request has arrived. */
async function serve(t: TestContext, respond: (socket: Socket, path: string) => unknown) {
  const requests: string[] = []
  let arrived = Promise.withResolvers<void>()
  const server = await startSocketServer(t, (socket) => {
    let received = ''
    let hasResponse = false
    socket.on('data', (data) => {
      received += data.toString('latin1')
      const [head = '', body] = received.split(/\r\n\r\n(.*)/s)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (hasResponse || body === undefined || body.length < length) return
      hasResponse = true
      requests.push(received)
      arrived.resolve()
      arrived = Promise.withResolvers<void>()
      respond(socket, received.split(' ')[1] ?? '')
    })
  })
  return {
    ...server,
    requests,
    /** Resolves when the next request has arrived. */
    asked: () => arrived.promise,
  }
}
