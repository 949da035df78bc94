import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener, Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { systemClock } from '../../domain/clock.ts'
import { limits } from '../../limits.ts'
import { type ConnectionLimits, httpServers } from './connections.ts'

const open: ConnectionLimits = { connectionsMax: 10_000, connectionsPerAddressMax: 1_000, trustedProxies: [] }

const fine: RequestListener = (_request, response) => response.end('fine')

async function listen(t: TestContext, changed: Partial<ConnectionLimits> = {}, handler = fine) {
  const warnings: object[] = []
  const log = { warn: (facts: object) => warnings.push(facts) }
  const server = httpServers({ ...open, ...changed }, systemClock, log)(handler)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const sockets: Socket[] = []
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  /** A client that keeps its side open when the server closes its own. */
  const client = async (localAddress = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
    sockets.push(socket)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }
  return { server, client, warnings }
}

async function textUntilEnd(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}

async function untilConnections(server: Server, count: number): Promise<void> {
  for (;;) {
    const [current] = await new Promise<[number]>((settle) => server.getConnections((_error, found) => settle([found])))
    if (current === count) return
    await turn()
  }
}

test('500 refused connections that clients keep open are released', async (t) => {
  const { server, client } = await listen(t)
  const sockets = await Promise.all(Array.from({ length: 500 }, () => client()))
  const texts = await Promise.all(
    sockets.map((socket) => {
      socket.write('no http\r\n\r\n')
      return textUntilEnd(socket)
    }),
  )
  for (const text of texts) assert.match(text, /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*"invalid_request"/)
  await untilConnections(server, 0)
})

test('a connection without complete headers gets a 400 and is released, even if the client continues to send', async (t) => {
  const { server, client } = await listen(t)
  const [socket, [peer]] = await Promise.all([client(), once(server, 'connection')])
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  const code = 'ERR_HTTP_REQUEST_TIMEOUT'
  server.emit('clientError', Object.assign(new Error(code), { code }), peer)
  const sending = setInterval(() => socket.write('a'), 1)
  t.after(() => clearInterval(sending))
  assert.match(await textUntilEnd(socket), /was not received in time/)
  await untilConnections(server, 0)
})

test('a client that does not read the 400 loses its connection', async (t) => {
  const { server, client } = await listen(t)
  const socket = await client()
  socket.pause()
  socket.write('no http\r\n\r\n')
  await untilConnections(server, 0)
})

test('connections per address are limited until some are closed', async (t) => {
  const { server, client, warnings } = await listen(t, { connectionsPerAddressMax: 3 })
  const held = await Promise.all([client(), client(), client()])
  const refused = await Promise.all([client(), client()])
  for (const socket of refused) assert.equal(await textUntilEnd(socket), '')
  assert.deepEqual(warnings, [{ ip: '127.0.0.1', limit: 3 }])
  const other = await client('127.0.0.2')
  other.end('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  assert.match(await textUntilEnd(other), /fine$/)
  for (const socket of held) socket.destroy()
  await untilConnections(server, 0)
  const again = await client()
  again.end('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  assert.match(await textUntilEnd(again), /fine$/)
})

test('a trusted proxy is exempt from the limit per address', async (t) => {
  const { client, warnings } = await listen(t, { connectionsPerAddressMax: 1, trustedProxies: ['127.0.0.0/30'] })
  const sockets = await Promise.all(Array.from({ length: 5 }, () => client('127.0.0.2')))
  for (const socket of sockets) {
    socket.end('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    assert.match(await textUntilEnd(socket), /fine$/)
  }
  assert.deepEqual(warnings, [])
})

/** A server that responds to each request with its number when the test calls `respond`. */
async function listenInOrder(t: TestContext) {
  const begun: ServerResponse[] = []
  const { client } = await listen(t, {}, (request, response) => {
    request.on('error', () => undefined).resume()
    begun.push(response)
  })
  const respond = () => begun.at(-1)?.end(`response ${begun.length}`)
  const untilBegun = async (count: number) => {
    while (begun.length < count) await turn()
  }
  return { client, begun, respond, untilBegun }
}

const short = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

test('requests of one connection are handled one after the other, and each once', async (t) => {
  const { client, begun, respond, untilBegun } = await listenInOrder(t)
  const socket = await client()
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes
  })
  socket.write(short.repeat(10))
  for (let i = 1; i <= 10; i++) {
    await untilBegun(i)
    // The others have arrived, and none of them begins.
    for (let turns = 0; turns < 3; turns++) await turn()
    assert.equal(begun.length, i)
    respond()
  }
  while (!text.includes('response 10')) await turn()
  assert.deepEqual(
    [...text.matchAll(/response (\d+)/g)].map(([, number]) => Number(number)),
    Array.from({ length: 10 }, (_, i) => i + 1),
  )
  socket.write(short)
  await untilBegun(11)
})

test('a connection with too many requests that wait is closed, and none of them is handled', async (t) => {
  const { client, begun } = await listenInOrder(t)
  const socket = await client()
  socket.write(short.repeat(limits.pipelinedRequestsMax + 2))
  assert.equal(await textUntilEnd(socket), '')
  assert.equal(begun.length, 1)
})

test('requests that wait are not handled after their client has left', async (t) => {
  const { client, begun, untilBegun } = await listenInOrder(t)
  const socket = await client()
  socket.write(short.repeat(3))
  await untilBegun(1)
  socket.destroy()
  await once(begun[0] as ServerResponse, 'close')
  for (let turns = 0; turns < 3; turns++) await turn()
  assert.equal(begun.length, 1)
})

test('an unknown expectation gets a 417, and the next request its response', async (t) => {
  const { client } = await listen(t)
  const socket = await client()
  socket.end(
    `GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n${short.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}`,
  )
  assert.match(await textUntilEnd(socket), /^HTTP\/1\.1 417 [\s\S]*HTTP\/1\.1 200 [\s\S]*fine$/)
})

const chunked = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'

for (const [label, body] of [
  ['', '1\r\nx\r\n'.repeat(20_000)],
  [' after long ones', `${'1000\r\n'}${'x'.repeat(4096)}\r\n${'1\r\nx\r\n'.repeat(20_000)}`],
] as const)
  test(`a body of many short chunks${label} gets a 400, and few of them are read`, async (t) => {
    let bytes = 0
    const { server, client } = await listen(t, {}, (request) => {
      request.on('error', () => undefined)
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
    })
    const socket = await client()
    socket.write(chunked)
    socket.write(body)
    assert.match(await textUntilEnd(socket), /^HTTP\/1\.1 400 [\s\S]*more than 1,024 chunks of fewer than 16 bytes/)
    assert.ok(bytes <= 4096 + limits.bodyChunksMax, `${bytes} bytes were read`)
    await untilConnections(server, 0)
  })

test('chunks behind a response are limited as well', async (t) => {
  const { server, client } = await listen(t)
  const socket = await client()
  socket.write(chunked)
  await once(socket, 'data')
  socket.write('1\r\nx\r\n'.repeat(20_000))
  socket.resume()
  await untilConnections(server, 0)
})

test('short chunks of a body arrive joined and complete, with those before and after them', async (t) => {
  const pieces = ['a'.repeat(100_000), ...Array.from({ length: 600 }, (_, i) => `${i} `), 'b'.repeat(70_000), 'c']
  let chunks = 0
  let text = ''
  const { client } = await listen(t, {}, async (request, response) => {
    for await (const chunk of request) {
      chunks += 1
      text += chunk
    }
    response.end('read')
  })
  const socket = await client()
  const body = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')
  socket.end(`${chunked.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}${body}0\r\n\r\n`)
  assert.match(await textUntilEnd(socket), /read$/)
  assert.equal(text, pieces.join(''))
  assert.ok(chunks < 100, `${chunks} chunks`)
})
