import net from 'node:net'
import { until } from '../../harness/wait.ts'
import type { Attack, Load } from '../load.ts'
import { addressOfA, type Setup } from '../setup.ts'

/** Security review, 6: the service ended its half of a refused connection and waited for the client's, without a limit. */
export function refusedConnections(connections: number): Attack {
  return {
    name: `${connections} refused connections that the client keeps open`,
    async start(setup) {
      const load = openAll(setup, connections)
      await until(`${connections} connections to be answered or refused`, () => load.open() === 0 || undefined)
      return load
    },
  }
}

/** Bytes that are not HTTP, on connections whose client never closes its half. */
function openAll({ service }: Pick<Setup, 'service'>, connections: number): Load {
  const { hostname, port } = new URL(service.origin)
  const responses: Load['responses'] = new Map()
  let open = connections
  const sockets = Array.from({ length: connections }, () => {
    const to = {
      host: hostname,
      port: Number(port),
      allowHalfOpen: true,
      ...(addressOfA && { localAddress: addressOfA }),
    }
    const socket = net.connect(to, () => socket.write('no http\r\n\r\n'))
    let answered = false
    const count = (status: number | 'error'): void => {
      if (answered) return
      answered = true
      open -= 1
      responses.set(status, (responses.get(status) ?? 0) + 1)
    }
    socket.on('data', (bytes) => count(Number(/^HTTP\/1\.1 (\d+)/.exec(bytes.toString('latin1'))?.[1] ?? 'error')))
    socket.on('error', () => count('error'))
    socket.on('close', () => count('error'))
    return socket
  })
  return {
    responses,
    open: () => open,
    async stop() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
