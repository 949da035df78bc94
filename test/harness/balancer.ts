/** One address before several processes: each connection goes to the next one that takes it. */
import { connect, createServer, type Socket } from 'node:net'

export interface Balancer {
  port: number
  /** The ports behind it from now on. */
  setTargets(ports: number[]): void
  close(): Promise<void>
}

export async function startBalancer(): Promise<Balancer> {
  let targets: number[] = []
  let next = 0
  const open = new Set<Socket>()

  function forward(client: Socket, triesLeft: number): void {
    const port = targets[next++ % Math.max(1, targets.length)]
    if (port === undefined || triesLeft === 0) return void client.destroy()
    const upstream = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    upstream.setNoDelay(true)
    open.add(upstream)
    let isConnected = false
    upstream.once('connect', () => {
      isConnected = true
      client.pipe(upstream)
      upstream.pipe(client)
    })
    // What came before it broke off is still passed on.
    upstream.on('error', () => (isConnected ? letGo(client) : forward(client, triesLeft - 1)))
    upstream.once('close', () => {
      open.delete(upstream)
      if (isConnected) letGo(client)
    })
    client.once('close', () => upstream.destroy())
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    open.add(client)
    client.on('error', () => client.destroy())
    client.once('close', () => open.delete(client))
    forward(client, targets.length)
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    setTargets(ports) {
      targets = ports
    },
    close() {
      for (const socket of open) socket.destroy()
      return new Promise((settle) => server.close(() => settle()))
    },
  }
}

/** Closed while there is something unread, a connection would lose what was sent last. */
function letGo(client: Socket): void {
  client.unpipe()
  client.end()
  client.resume()
}
