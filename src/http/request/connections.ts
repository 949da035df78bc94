/** Limits connections, and closes connections that sent no valid request. */
import { createServer, maxHeaderSize, type RequestListener, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../domain/clock.ts'
import { newId } from '../../domain/ids.ts'
import { invalidRequest } from '../../errors.ts'
import { limits as allLimits } from '../../limits.ts'
import { problemResponse } from '../response/problem.ts'
import { clientAddress, limitKey, networkMatcher } from './client-address.ts'

export interface ConnectionLimits {
  /** Limit for all clients together. */
  connectionsMax: number
  /** Connections per client address; proxies are exempt. */
  connectionsPerAddressMax: number
  /** Addresses and CIDR blocks. */
  trustedProxies: readonly string[]
}

/** The part of the log that reports refused connections. */
interface Log {
  warn(facts: object, message: string): void
}

/**
 * Returns a function that creates an HTTP server for a request handler. Fastify creates two servers for `localhost` (IPv4 and
 * IPv6), which share the counts.
 */
export function httpServers(limits: ConnectionLimits, clock: Clock, log: Log): (handler: RequestListener) => Server {
  const count = connectionCounter(limits, (address) =>
    log.warn({ ip: address, limit: limits.connectionsPerAddressMax }, 'connections of one address are refused'),
  )
  return (handler) => {
    // Without `requireHostHeader: false`, Node responds to a missing Host itself, and not in the error envelope.
    const server = createServer({ requireHostHeader: false, requestTimeout, keepAliveTimeout })
    server.on('request', handler)
    server.maxConnections = limits.connectionsMax
    // One more, so that `headFault` can reject them. Node leaves out the others.
    server.maxHeadersCount = allLimits.headersMax + 1
    server.on('connection', count)
    server.on('clientError', (error, socket) => refuseMalformed(error, socket as Socket, clock))
    return server
  }
}

/** Milliseconds. Long enough for a full upload over a slow line. */
const requestTimeout = 300_000
/** Milliseconds. Above the usual 60 s of proxies, so that the proxy closes idle connections and no request is lost. */
const keepAliveTimeout = 72_000

/** `onRefused` is called once for each address each time it reaches its limit. */
function connectionCounter(
  { connectionsPerAddressMax, trustedProxies }: ConnectionLimits,
  onRefused: (address: string) => void,
): (socket: Socket) => void {
  const isProxy = networkMatcher(trustedProxies)
  const open = new Map<string, { count: number; isReported: boolean }>()
  return (socket) => {
    const address = clientAddress(undefined, socket.remoteAddress)
    if (isProxy(address)) return
    const key = limitKey(address)
    const entry = open.get(key) ?? { count: 0, isReported: false }
    if (entry.count >= connectionsPerAddressMax) {
      if (!entry.isReported) onRefused(address)
      entry.isReported = true
      socket.destroy()
      return
    }
    entry.count += 1
    open.set(key, entry)
    socket.once('close', () => {
      entry.count -= 1
      // Far enough below the limit that a client at its limit does not fill the log.
      if (entry.count <= connectionsPerAddressMax / 2) entry.isReported = false
      if (entry.count === 0) open.delete(key)
    })
  }
}

/** Time for a client to read the response to a malformed request before its connection is destroyed. */
const lingerMs = 1_000
const refused = new WeakSet<Socket>()

function refuseMalformed(error: Error & { code?: string; reason?: string }, socket: Socket, clock: Clock): void {
  // Node reports the end of a connection that was refused as well.
  if (refused.has(socket)) return
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  refuse(socket, problemOf(error), clock)
}

/** Continues a sentence whose subject is the request. `reason`: the rule that Node's parser names. */
function problemOf({ code, reason }: { code?: string; reason?: string }): string {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'was not received in time'
  if (code === 'HPE_HEADER_OVERFLOW') return `must have at most ${maxHeaderSize} bytes of headers`
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 'must have at most 16 KiB of chunk extensions'
  return `is not valid HTTP/1.1${reason ? `: ${reason}` : ''}`
}

/**
 * Responds with a 400 in the error envelope and releases the connection, also if the client keeps its side open: Node
 * accepts half-open connections, and `end` alone closes only our side.
 */
function refuse(socket: Socket, message: string, clock: Clock): void {
  refused.add(socket)
  const { status, body } = problemResponse(invalidRequest([{ path: '', message }]), newId('req', clock.now()))
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(timer))
  socket.once('end', () => socket.destroySoon())
}
