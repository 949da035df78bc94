import assert from 'node:assert/strict'
import net, { type LookupFunction, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { limits } from '../limits.ts'
import { startSocketServer } from './test-server.ts'
import { createWebhookHttp, type WebhookHttpOptions, WebhookProblem } from './webhook-http.ts'

const never = new AbortController().signal

async function serve(t: TestContext, respond: (socket: Socket, request: string) => unknown) {
  const requests: string[] = []
  const server = await startSocketServer(t, (socket) =>
    socket.once('data', (data) => {
      requests.push(String(data))
      respond(socket, String(data))
    }),
  )
  return { ...server, url: `${server.url}/hook?a=1`, requests }
}

function post(url: string, options: Partial<WebhookHttpOptions> = {}, body = '{"a":1}') {
  const http = createWebhookHttp({ allow: [], allowsHttp: false, connectSeconds: 2, seconds: 2, ...options })
  return http.post(url, { 'webhook-id': 'evt_1', 'content-type': 'application/json' }, body, never)
}

const fails = (promise: Promise<unknown>, message: RegExp) =>
  assert.rejects(
    promise,
    (error) => (error instanceof WebhookProblem && message.test(error.message)) || assert.fail(error as Error),
  )

test('a webhook is one POST with its headers and body', async (t) => {
  const { url, host, requests } = await serve(t, (socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))
  const response = await post(url, { allow: [host] })
  assert.deepEqual(response, { status: 204, body: '', retryAfter: undefined })
  assert.equal(requests.length, 1)
  assert.match(requests[0] ?? '', /^POST \/hook\?a=1 HTTP\/1\.1\r\n.*webhook-id: evt_1\r\n.*\r\n\r\n\{"a":1\}$/s)
})

test('redirects are returned and not followed, with their Retry-After', async (t) => {
  const target = await serve(t, (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
  for (const status of [301, 302, 303, 307, 308]) {
    const head = `HTTP/1.1 ${status} Moved\r\nLocation: ${target.url}\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n`
    const { url, host } = await serve(t, (socket) => socket.end(head))
    assert.deepEqual(await post(url, { allow: [host, target.host] }), { status, body: '', retryAfter: '7' })
  }
  assert.equal(target.connections(), 0)
})

test('names that resolve to private addresses are not connected to, also if the name resolves to several', async (t) => {
  const { host, connections } = await serve(t, () => {})
  const port = host.split(':')[1]
  for (const addresses of [['127.0.0.1'], ['10.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['169.254.169.254'], ['::1']]) {
    const lookup: LookupFunction = (_name, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: net.isIP(address) })),
      )
    await fails(post(`https://receiver.example:${port}/`, { lookup }), /private network/)
  }
  assert.equal(connections(), 0)
})

test('a huge response is cut and its rest is not read', async (t) => {
  const piece = 'x'.repeat(65_536)
  const heads = ['Content-Length: 1000000000', 'X-A: b']
  for (const head of heads) {
    const { url, host } = await serve(t, (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`)
      const more = () => !socket.destroyed && socket.write(piece, more)
      more()
    })
    const { status, body } = await post(url, { allow: [host] })
    assert.deepEqual([status, body.length], [200, limits.webhookResponseBytesMax])
  }
})

test('control characters of a response are replaced, so that every database stores it', async (t) => {
  const { url, host } = await serve(t, (socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\na\u0000\nb\u001b'),
  )
  assert.equal((await post(url, { allow: [host] })).body, 'a\ufffd\nb\ufffd')
})

test('a receiver that hangs ends with a timeout, wherever it hangs', async (t) => {
  const hanging: ((socket: Socket) => unknown)[] = [
    () => {},
    (socket) => socket.write('HTTP/1.1 200 OK\r\nX-A: b'),
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => socket.write('X-A: b\r\n'), 10)
      socket.on('close', () => clearInterval(timer))
    },
  ]
  for (const hang of hanging) {
    const { url, host } = await serve(t, hang)
    await fails(post(url, { allow: [host], seconds: 0.2 }), /did not respond within 0\.2 s/)
  }
  const lookup: LookupFunction = () => {}
  await fails(post('https://slow-name.example/', { lookup, connectSeconds: 0.1 }), /no connection within 0\.1 s/)
})

test('a response whose body does not end counts, and its body is cut', async (t) => {
  const closed = Promise.withResolvers<void>()
  const { url, host } = await serve(t, (socket) => {
    socket.write('HTTP/1.1 410 Gone\r\nContent-Length: 1000\r\n\r\nx')
    const timer = setInterval(() => socket.write('x'), 10)
    socket.on('close', () => {
      clearInterval(timer)
      closed.resolve()
    })
  })
  const { status, body } = await post(url, { allow: [host], seconds: 0.2 })
  assert.equal(status, 410)
  assert.match(body, /^x{1,999}$/)
  await closed.promise
})

test('receivers without TLS, closed ports, unknown names and broken responses have a reason', async (t) => {
  const plain = await serve(t, (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
  await fails(post(`https://${plain.host}/`, { allow: [plain.host] }), /does not use TLS on this port/)
  const broken = await serve(t, (socket) => socket.end('SSH-2.0-OpenSSH\r\n'))
  await fails(post(broken.url, { allow: [broken.host] }), /closed the connection, or sent an invalid HTTP response/)
  await fails(post('http://127.0.0.1:1/', { allow: ['127.0.0.1'] }), /refused the connection/)
  const lookup: LookupFunction = (_name, _options, callback) =>
    callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), [])
  await fails(post('https://nothing.example/', { lookup }), /could not be resolved/)
})

test('a URL is checked again before each attempt, because the operator may have changed the settings', async (t) => {
  const { url, connections } = await serve(t, () => {})
  await fails(post(url), /https:\/\//)
  await fails(post(url, { allowsHttp: true }), /private network/)
  assert.equal(connections(), 0)
})

test('http:// is accepted for allowed hosts, and for others only by setting', () => {
  const problems = (options: Partial<WebhookHttpOptions>, url: string) =>
    createWebhookHttp({ allow: [], allowsHttp: false, ...options }).problemOf(url)
  assert.match(problems({}, 'http://example.com/') ?? '', /https:\/\//)
  assert.equal(problems({ allowsHttp: true }, 'http://example.com/'), undefined)
  assert.equal(problems({ allow: ['example.com'] }, 'http://example.com/'), undefined)
  assert.equal(problems({}, 'https://example.com/'), undefined)
  assert.match(problems({}, `https://example.com/${'a'.repeat(3_000)}`) ?? '', /2048 characters/)
})

test('a URL that is not sent as it is written, or that no server can have, has a reason', () => {
  const { problemOf } = createWebhookHttp({ allow: ['example.com'], allowsHttp: true })
  for (const [url, reason] of [
    [' https://example.com/', /white space or control characters, also not at its ends/],
    ['https://example.com/\n', /white space/],
    ['https://example.com/a b', /Write a space as %20/],
    ['ht\ttps://example.com/', /white space/],
    ['https://example.com/\u00a0', /white space/],
    ['https://example.com/\u0007', /white space/],
    ['https:example.com', /starts with https:\/\//],
    ['https:\\\\example.com\\', /starts with https:\/\//],
    ['https://example.com:99999/', /must be a URL/],
    ['https://example.com:0/', /port 0/],
    ['https://example.com/#/hook', /fragment/],
    ['https://example.com/#', /fragment/],
    ['https://user@example.com/', /user name/],
    ['https://@example.com/', /user name/],
    ['https://:@example.com/', /user name/],
    ['https:///example.com', /starts with https:\/\//],
  ] as const)
    assert.match(problemOf(url) ?? '', reason, JSON.stringify(url))
  for (const url of ['HTTPS://EXAMPLE.com', 'https://example.com:8443/a%20b@c?d=@', 'https://[2606:4700::1111]/ü'])
    assert.equal(problemOf(url), undefined, url)
})
