/** Connections of A that write bytes as fast as the service reads them. */
import net from 'node:net'
import type { Service } from '../../harness/service.ts'
import type { Load } from '../load.ts'
import { addressOfA } from '../setup.ts'

interface Written {
  head: string
  /** Comes again and again, until the connection is closed. */
  repeated: string
}

/** A connection that is closed is opened again. Resolves when each was used. */
export async function writeWithoutPause(service: Service, connections: number, written: Written): Promise<Load> {
  const { hostname, port } = new URL(service.origin)
  const to = { host: hostname, port: Number(port), ...(addressOfA && { localAddress: addressOfA }) }
  const repeated = Buffer.from(written.repeated)
  const responses: Load['responses'] = new Map()
  const count = (status: number | 'error') => responses.set(status, (responses.get(status) ?? 0) + 1)
  const open = new Set<net.Socket>()
  let isStopped = false

  const connect = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = net.connect(to, () => {
        resolve()
        socket.write(written.head)
        write()
      })
      open.add(socket)
      const write = () => {
        while (!isStopped && socket.writable && socket.write(repeated));
      }
      socket.on('drain', write)
      socket.on('error', () => {})
      socket.on('data', (bytes) => {
        const status = /^HTTP\/1\.1 (\d+)/.exec(bytes.toString('latin1'))?.[1]
        if (status !== undefined) count(Number(status))
      })
      socket.on('close', () => {
        open.delete(socket)
        count('error')
        if (!isStopped) void connect()
      })
    })

  await Promise.all(Array.from({ length: connections }, connect))
  return {
    responses,
    open: () => open.size,
    async stop() {
      isStopped = true
      for (const socket of open) socket.destroy()
    },
  }
}
