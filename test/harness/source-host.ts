/** An outside host that hands out source images: at once, when told to, or not as it should. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { plain } from './pictures.ts'
import { until } from './wait.ts'

export interface Hold {
  url: string
  /** Until somebody has asked for it. */
  waiting(): Promise<void>
  release(): void
}

export interface SourceHost {
  port: number
  /** By name: what FETCH_ALLOW may name. */
  url(path: string): string
  /** Paths in the order they were asked for. Empty when nothing ever came. */
  asked: string[]
  /** Connections that were made, whether or not anything was asked. */
  connections: number
  /** A picture whose answer waits for `release`. */
  hold(): Hold
  /** Answers a path in its own way. */
  serve(path: string, handler: http.RequestListener): string
  close(): Promise<void>
}

export async function startSourceHost(): Promise<SourceHost> {
  const picture = await plain('png', 64, 48)
  const handlers = new Map<string, http.RequestListener>()
  const asked: string[] = []
  let holds = 0
  const answer: http.RequestListener = (request, response) => {
    const path = request.url ?? '/'
    asked.push(path)
    const handler = handlers.get(path.split('?')[0] ?? path)
    if (handler) handler(request, response)
    else response.writeHead(200, { 'content-type': 'image/png' }).end(picture)
  }
  // Both loopback addresses, because `localhost` may be either; where there is no IPv6 the first will do.
  const four = await listen(answer, 0, '127.0.0.1')
  const { port } = four.address() as AddressInfo
  const six = await listen(answer, port, '::1').catch(() => undefined)
  const servers = six ? [four, six] : [four]

  const host: SourceHost = {
    port,
    url: (path) => `http://localhost:${port}${path}`,
    asked,
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
          await until(`a request for ${path}`, () => (asked.includes(path) ? true : undefined))
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

function listen(answer: http.RequestListener, port: number, address: string): Promise<http.Server> {
  return new Promise((resolve, reject) => {
    const server = http.createServer(answer).on('error', reject)
    server.listen(port, address, () => resolve(server))
  })
}
