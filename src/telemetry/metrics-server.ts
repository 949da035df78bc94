/** The port for Prometheus: `/metrics`, and `/health/live` for a worker, which has no other port. */
import { createServer } from 'node:http'

export interface MetricsServer {
  port: number
  close(): Promise<void>
}

interface Options {
  host: string
  port: number
  contentType: string
  text(): Promise<string>
}

/** A scraper that reads slowly must not keep memory. */
const connectionsMax = 50
const requestMsMax = 15_000

/** Scrapes at the same time share one response. */
export async function openMetricsServer({ host, port, contentType, text }: Options): Promise<MetricsServer> {
  let scrape: Promise<string> | undefined
  const server = createServer(async (request, response) => {
    response.setTimeout(requestMsMax, () => response.destroy())
    const [path] = (request.url ?? '/').split('?')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (isRead && path === '/health/live') {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end('{"status":"ok"}')
    } else if (isRead && path === '/metrics') {
      scrape ??= text().finally(() => {
        scrape = undefined
      })
      const metrics = await scrape.catch(() => undefined)
      if (metrics === undefined) response.writeHead(503).end()
      else response.writeHead(200, { 'content-type': contentType }).end(metrics)
    } else {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Metrics are at /metrics.\n')
    }
  })
  server.maxConnections = connectionsMax
  server.requestTimeout = requestMsMax
  server.headersTimeout = requestMsMax
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  // The service ends without waiting for a scraper.
  server.unref()
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
