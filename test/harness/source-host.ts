/** An external host that serves source images: immediately, when a test releases them, or with faults. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { plain } from './pictures.ts'
import { until } from './wait.ts'

export interface Hold {
  url: string
  /** Waits until the service has requested it. */
  waiting(): Promise<void>
  release(): void
}

export interface SourceHost {
  port: number
  /** URL with the host name that FETCH_ALLOW can contain. */
  url(path: string): string
  /** Requested paths in order. */
  requested: string[]
  /** The number of connections, with or without a request. */
  connections: number
  /** An image whose response waits for `release`. */
  hold(): Hold
  /** Serves a path with a handler. */
  serve(path: string, handler: http.RequestListener): string
  close(): Promise<void>
}

export async function startSourceHost(): Promise<SourceHost> {
  const picture = await plain('png', 64, 48)
  const handlers = new Map<string, http.RequestListener>()
  const requested: string[] = []
  let holds = 0
  const listener: http.RequestListener = (request, response) => {
    const path = request.url ?? '/'
    requested.push(path)
    const handler = handlers.get(path.split('?')[0] ?? path)
    if (handler) handler(request, response)
    else response.writeHead(200, { 'content-type': 'image/png' }).end(picture)
  }
  // Both loopback addresses, because `localhost` may be either. Without IPv6 the first is sufficient.
  const four = await listen(listener, 0, '127.0.0.1')
  const { port } = four.address() as AddressInfo
  const six = await listen(listener, port, '::1').catch(() => undefined)
  const servers = six ? [four, six] : [four]

  const host: SourceHost = {
    port,
    url: (path) => `http://localhost:${port}${path}`,
    requested,
    connections: 0,
    hold() {
      const path = `/held/${++holds}`
      let release: () => void = () => undefined
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      handlers.set(path, async (_request, response) => {
        await released
        response.writeHead(200, { 'content-type': 'image/png' }).end(picture)
      })
      return {
        url: host.url(path),
        release,
        waiting: async () => {
          await until(`a request for ${path}`, () => (requested.includes(path) ? true : undefined))
        },
      }
    },
    serve(path, handler) {
      handlers.set(path, handler)
      return host.url(path)
    },
    async close() {
      for (const server of servers) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
  for (const server of servers) {
    server.on('connection', () => {
      host.connections++
    })
  }
  return host
}

function listen(listener: http.RequestListener, port: number, address: string): Promise<http.Server> {
  return new Promise((resolve, reject) => {
    const server = http.createServer(listener).on('error', reject)
    server.listen(port, address, () => resolve(server))
  })
}
