import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { systemClock } from '../../domain/clock.ts'
import { type ConnectionLimits, httpServers } from './connections.ts'

const open: ConnectionLimits = { connectionsMax: 10_000, connectionsPerAddressMax: 1_000, trustedProxies: [] }

async function listen(t: TestContext) {
  const server = httpServers(open, systemClock, { warn() {} })((_request, response) => response.end('fine'))
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
  const client = async () => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    sockets.push(socket)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }
  return { server, client }
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

test('a malformed request is refused with the rule that it breaks', async (t) => {
  const { server, client } = await listen(t)
  for (const [sent, message] of [
    ['no http\r\n\r\n', /"The request is not valid HTTP\/1\.1: [A-Z][^"]+\."/],
    [
      'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: a\r\n\r\n',
      /is not valid HTTP\/1\.1: Invalid character in Content-Length\./,
    ],
    [
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      /"The request must have at most 16384 bytes of headers\."/,
    ],
  ] as const) {
    const socket = await client()
    socket.write(sent)
    assert.match(await textUntilEnd(socket), message)
  }
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
