import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

export interface SocketServer {
  port: number
  host: string
  url: string
  /** The number of connections, whether or not anything was sent. */
  connections(): number
  close(): void
  /** Resolves when the client has closed every connection. */
  closed(): Promise<void>
}

/** A server on loopback that writes raw bytes, for responses that no honest server sends. It ends with the test. */
export async function startSocketServer(t: TestContext, onConnection: (socket: Socket) => void): Promise<SocketServer> {
  let connections = 0
  const sockets = new Set<Socket>()
  const server = net.createServer((socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    onConnection(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
    connections: () => connections,
    close: () => void server.close(),
    async closed() {
      for (const socket of sockets) await new Promise((resolve) => socket.once('close', resolve))
    },
  }
}
