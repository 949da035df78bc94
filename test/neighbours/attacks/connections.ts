import net from 'node:net'
import { until } from '../../harness/wait.ts'
import type { Attack, Load } from '../load.ts'
import { addressOfA } from '../setup.ts'

const connectionsMax = 100
const more = 200

/** Connections without a request. Only Linux has a second address for A, so that B is not limited as well. */
export const connections: Attack = {
  name: `${connectionsMax + more} connections of one address, of which ${connectionsMax} are allowed`,
  settings: { CONNECTIONS_PER_ADDRESS_MAX: String(connectionsMax) },
  async start({ service }) {
    const { hostname, port } = new URL(service.origin)
    const responses: Load['responses'] = new Map([['error', 0]])
    const open = new Set<net.Socket>()
    const closed = () => responses.get('error') ?? 0
    for (let i = 0; i < connectionsMax + more; i++) {
      const socket = net.connect({
        host: hostname,
        port: Number(port),
        ...(addressOfA && { localAddress: addressOfA }),
      })
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        responses.set('error', closed() + 1)
      })
      // The service refuses a connection by closing it.
      socket.resume()
    }
    await until('the limit of connections', () => closed() >= more || undefined)
    return {
      responses,
      open: () => open.size,
      async stop() {
        for (const socket of open) socket.destroy()
      },
    }
  },
}
