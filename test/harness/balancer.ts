/** A load balancer with one address: each connection goes to the next process that accepts it. */
import { connect, createServer, type Socket } from 'node:net'

export interface Balancer {
  port: number
  /** Sets the ports of the processes. */
  setTargets(ports: number[]): void
  close(): Promise<void>
}

export async function startBalancer(): Promise<Balancer> {
  let targets: number[] = []
  let next = 0
  const open = new Set<Socket>()

  /** Tries the ports in their order. */
  function forward(client: Socket, [port, ...others]: number[]): void {
    if (port === undefined) return void client.destroy()
    const upstream = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    upstream.setNoDelay(true)
    open.add(upstream)
    let isConnected = false
    upstream.once('connect', () => {
      isConnected = true
      client.pipe(upstream)
      upstream.pipe(client)
    })
    // Bytes that arrived before the connection broke are still passed on.
    upstream.on('error', () => (isConnected ? closeAfterWrites(client) : forward(client, others)))
    upstream.once('close', () => {
      open.delete(upstream)
      if (isConnected) closeAfterWrites(client)
    })
    client.once('close', () => upstream.destroy())
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    open.add(client)
    client.on('error', () => client.destroy())
    client.once('close', () => open.delete(client))
    // Each connection tries each process, also if others are made at the same time.
    const first = next++ % Math.max(1, targets.length)
    forward(client, [...targets.slice(first), ...targets.slice(0, first)])
  })
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    setTargets(ports) {
      targets = ports
    },
    close() {
      for (const socket of open) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Closing a connection with unread bytes would lose the last sent bytes. */
function closeAfterWrites(client: Socket): void {
  client.unpipe()
  client.end()
  client.resume()
}
