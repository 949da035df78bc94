/** Requests exactly as they are on the wire: no normalization, no redirects, no retries. */
import http from 'node:http'
import net from 'node:net'
import type { Readable } from 'node:stream'

export interface HttpResponse {
  status: number
  headers: http.IncomingHttpHeaders
  bytes: Buffer
}

export interface RequestOptions {
  method?: string
  headers?: Record<string, string | string[]>
  body?: Buffer | string | Readable | undefined
  /** False for a separate connection, which the service may close before everything was sent. */
  keepAlive?: boolean
  /** Closes the connection, with or without a response. */
  signal?: AbortSignal
  /** Connections that no other client uses, so requests don't wait for those of others. */
  agent?: http.Agent
}

/**
 * Closes idle connections long before the service does (72 s): on a busy machine, a request can be sent on a connection that the service
 * closes at this moment.
 */
const agent = new http.Agent({ keepAlive: true, maxSockets: 24, timeout: 20_000 })

/** `path` is sent unchanged, with dots and percent signs. */
export function sendRequest(origin: string, path: string, options: RequestOptions = {}): Promise<HttpResponse> {
  const { hostname, port } = new URL(origin)
  const { body } = options
  return new Promise((resolve, reject) => {
    let hasResponse = false
    const request = http.request(
      {
        host: hostname,
        port,
        path,
        method: options.method ?? 'GET',
        headers: { ...lengthOf(body), ...options.headers },
        agent: options.keepAlive === false ? false : (options.agent ?? agent),
        ...(options.signal && { signal: options.signal }),
      },
      (response) => {
        hasResponse = true
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) })
          request.destroy()
        })
      },
    )
    // A service that rejects a body early closes while the client is still writing: its response counts.
    request.on('error', (error) => {
      if (hasResponse) return
      // "socket hang up" alone says neither which request failed nor whether the service had closed an idle connection.
      error.message += `: ${request.method} ${path} on a ${request.reusedSocket ? 'reused' : 'new'} connection`
      reject(error)
    })
    if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) request.end(body)
    else body.pipe(request)
  })
}

function lengthOf(body: RequestOptions['body']): Record<string, string> {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return { 'content-length': String(Buffer.byteLength(body)) }
  return {}
}

const responseSecondsMax = 300

/** Sends arbitrary bytes, and returns the response; undefined if the service closes the connection without one. */
export function sendRaw(origin: string, text: string | Buffer): Promise<HttpResponse | undefined> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = net.connect(Number(port), hostname, () => socket.write(text))
    const finish = (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(parseResponse(Buffer.concat(chunks)))
    }
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`No response in ${responseSecondsMax} s. Received: ${Buffer.concat(chunks)}`))
    }, responseSecondsMax * 1000)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      const response = parseResponse(Buffer.concat(chunks))
      if (response && response.bytes.length >= Number(response.headers['content-length'] ?? Number.POSITIVE_INFINITY))
        finish()
    })
    socket.on('error', () => undefined)
    socket.on('close', finish)
  })
}

function parseResponse(bytes: Buffer): HttpResponse | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { status: Number(statusLine.split(' ')[1]), headers, bytes: bytes.subarray(end + 4) }
}
