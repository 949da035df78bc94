/** HTTP for AI providers: their own origin with their key, result files from public hosts without it. Size and time are limited. */

import type { LookupFunction } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliDecompress, inflate, unzip } from 'node:zlib'
import { limits } from '../limits.ts'
import { isPublicAddress } from './address.ts'
import { AddressRefused } from './connect.ts'
import { locationOf } from './location.ts'
import { createLookup } from './lookup.ts'
import { createOrigins, type Route } from './provider-origins.ts'
import { BodyTooLarge } from './received.ts'
import { NoResponse, type Outgoing, send, TimedOut } from './send.ts'

export interface ProviderHttp {
  /**
   * Like the global `fetch`, for libraries: same checks and bounds, never repeated, redirects not followed, the body
   * whole when it resolves. Throws `HttpProblem`; when the signal aborts, its reason.
   */
  fetch: typeof fetch
  /**
   * One request, never repeated, redirects not followed; the body whole. Gives every status. Throws `HttpProblem`; when
   * the signal aborts, its reason.
   */
  request(request: ProviderRequest): Promise<ProviderResponse>
  /**
   * A result file: GET without credentials, redirects followed with every hop checked, with retries. Throws
   * `HttpProblem`, with the status where there is one; when the signal aborts, its reason.
   */
  download(url: string, signal: AbortSignal): Promise<Buffer>
}

export interface ProviderRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /**
   * URL of the request; to other origins than the provider's own, only GET, with only the headers `accept` and
   * `user-agent`.
   */
  url: string
  headers?: Record<string, string>
  /** Sent as JSON, as a form of several parts, or as it is. */
  json?: unknown
  form?: FormData
  body?: Uint8Array
  /** Default: of a POST none but the signal; of others `providerPollSeconds`. */
  timeoutSeconds?: number
  signal: AbortSignal
}

export interface ProviderResponse {
  status: number
  headers: Headers
  bytes: Buffer
  /** Undefined if the body isn't JSON. */
  json(): unknown
  text(): string
}

/**
 * The error of a request without a response. `isUnsent`: the provider certainly did not run it, because no connection was made,
 * or the request was rejected before.
 */
export class HttpProblem extends Error {
  readonly kind: 'unreachable' | 'broken' | 'timeout' | 'too_large' | 'refused_address'
  readonly isUnsent: boolean
  /** The status of a download that returned no file. */
  readonly status: number | undefined

  constructor(
    kind: HttpProblem['kind'],
    isUnsent: boolean,
    message: string,
    options?: { cause?: unknown; status?: number },
  ) {
    super(message, options)
    this.name = 'HttpProblem'
    this.kind = kind
    this.isUnsent = isUnsent
    this.status = options?.status
  }
}

export interface ProviderHttpOptions {
  baseUrl: string
  /** Origins in addition to the base URL: exact, or `https://*.bfl.ai`. */
  ownOrigins?: readonly string[]
  /** `FETCH_ALLOW`: `host` or `host:port` that are permitted at any address. */
  allow: readonly string[]
  /** Maximum size of a file. A response can contain one in base64. */
  bytesMax: number
  /** Resolves names. Default: `createLookup` with the settings of the system. */
  lookup?: LookupFunction
  /** Addresses that are permitted for every host. Default: those of the public internet. */
  isOpen?: (address: string) => boolean
  connectSeconds?: number
  pollSeconds?: number
  downloadSeconds?: number
}

/** Throws an Error if the base URL, an origin or an entry of `allow` is invalid. */
export function createProviderHttp(options: ProviderHttpOptions): ProviderHttp {
  const {
    ownOrigins = [],
    lookup = createLookup(),
    isOpen = isPublicAddress,
    connectSeconds = limits.providerConnectSeconds,
    pollSeconds = limits.providerPollSeconds,
    downloadSeconds = limits.providerDownloadSeconds,
  } = options
  const routeTo = createOrigins({ ...options, ownOrigins, lookup, isOpen })
  const responseBytesMax = Math.ceil((options.bytesMax * 4) / 3) + limits.providerEnvelopeBytesMax

  function routed(url: string, isFromResponse = false): Route {
    const route = routeTo(url, isFromResponse)
    if (typeof route === 'string') throw new HttpProblem('refused_address', true, `A URL of the provider ${route}.`)
    return route
  }

  async function exchange(
    route: Route,
    outgoing: Outgoing,
    bytesMax: number,
    seconds: number | undefined,
    signal: AbortSignal,
  ) {
    try {
      const sent = { ...outgoing, headers: { ...outgoing.headers, 'accept-encoding': 'identity' } }
      const { connector } = route
      const { status, headers, body } = await send(route.url, sent, {
        connector,
        bytesMax,
        connectSeconds,
        seconds,
        signal,
      })
      const encoding = String(headers['content-encoding'] ?? '')
      const bytes = await decode(body, encoding, bytesMax).catch((error) => {
        // The status alone says whether the provider ran the request. An unreadable body doesn't change that.
        if (status >= 400) return Buffer.alloc(0)
        throw error
      })
      return { status, headers: headersOf(headers), bytes }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw problemOf(error, route.url.host)
    }
  }

  async function requestOnce(url: string, outgoing: Outgoing, seconds: number | undefined, signal: AbortSignal) {
    const route = routed(url)
    if (!route.isOwn && outgoing.method !== 'GET') {
      const message = `${route.url.host} is not a host of the provider, so nothing is sent to it.`
      throw new HttpProblem('refused_address', true, message)
    }
    const headers = route.isOwn ? outgoing.headers : harmless(outgoing.headers)
    return exchange(route, { ...outgoing, headers }, responseBytesMax, seconds, signal)
  }

  async function follow(start: string, signal: AbortSignal): Promise<Buffer> {
    let route = routed(start)
    // Other hosts can't redirect to addresses that are permitted only for the provider.
    let isFromResponse = !route.isOwn
    for (let redirects = 0; redirects <= limits.fetchRedirectsMax; redirects++) {
      const outgoing = { method: 'GET', headers: { accept: '*/*', 'user-agent': userAgent } }
      const { status, headers, bytes } = await exchange(route, outgoing, options.bytesMax, downloadSeconds, signal)
      if (status === 200) return bytes
      if (!redirectStatuses.has(status)) {
        const message = `${route.url.host} returned status ${status} instead of a file.`
        throw new HttpProblem('broken', false, message, { status })
      }
      const location = locationOf(headers.get('location'), route.url)
      if (typeof location === 'string')
        throw new HttpProblem('broken', false, `${route.url.host} ${location}.`, { status })
      route = routed(location.href, isFromResponse)
      isFromResponse ||= !route.isOwn
    }
    const message = `A file has more than ${limits.fetchRedirectsMax} redirects.`
    throw new HttpProblem('broken', false, message, { status: 302 })
  }

  return {
    fetch: async (input, init) => {
      const signal = init?.signal ?? (input instanceof Request ? input.signal : new AbortController().signal)
      const { url, outgoing } = await outgoingOf(() => new Request(input, { ...init, signal: null }))
      const { status, headers, bytes } = await requestOnce(url, outgoing, undefined, signal)
      try {
        return new Response(bodyless.has(status) ? null : new Uint8Array(bytes), { status, headers })
      } catch (error) {
        throw new HttpProblem('broken', false, `The provider returned status ${status}.`, { cause: error })
      }
    },

    async request({ method, url, headers, json, form, body, timeoutSeconds, signal }) {
      // It can contain images of many megabytes, so it is copied as rarely as possible.
      const payload = json !== undefined ? Buffer.from(JSON.stringify(json)) : body
      const { outgoing } = await outgoingOf(() => {
        const request = new Request(routed(url).url, { method, headers: headers ?? {}, body: form ?? null })
        if (json !== undefined && !request.headers.has('content-type'))
          request.headers.set('content-type', 'application/json')
        return request
      }, payload)
      const seconds = timeoutSeconds ?? (method === 'POST' ? undefined : pollSeconds)
      const response = await requestOnce(url, outgoing, seconds, signal)
      return { ...response, json: parsedOnce(response.bytes), text: () => response.bytes.toString() }
    },

    async download(url, signal) {
      for (let tries = 1; ; tries++) {
        try {
          return await follow(url, signal)
        } catch (error) {
          if (tries === limits.providerDownloadTriesMax || !isTransient(error)) throw error
        }
        // Aborted by the signal: the next try throws its reason.
        await sleep(250 * 4 ** (tries - 1), undefined, { signal }).catch(() => {})
      }
    },
  }
}

const userAgent = 'Tintype'
const redirectStatuses = new Set([301, 302, 303, 307, 308])
/** Statuses to which `Response` allows no body. */
const bodyless = new Set([204, 205, 304])

/** Headers for other origins than the provider's own: any other header could contain a key. */
function harmless(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name === 'accept' || name === 'user-agent'))
}

/** A request as the standard reads it: forms with their boundary, names of headers in lower case. `payload`: in place of its body. */
async function outgoingOf(make: () => Request, payload?: Uint8Array): Promise<{ url: string; outgoing: Outgoing }> {
  let request: Request
  try {
    request = make()
  } catch (error) {
    if (error instanceof HttpProblem) throw error
    // Without the cause: it quotes the header that is not valid, which may be the key.
    throw new HttpProblem('broken', true, 'The request cannot be sent: a header or the URL is invalid.')
  }
  const { method, url } = request
  const body = payload ?? (request.body === null ? undefined : Buffer.from(await request.arrayBuffer()))
  const headers = { accept: '*/*', 'user-agent': userAgent, ...Object.fromEntries(request.headers) }
  return { url, outgoing: { method, headers, body } }
}

function headersOf(received: NodeJS.Dict<string | string[]>): Headers {
  const headers = new Headers()
  // The bytes are decoded, and their number is another one.
  for (const [name, values] of Object.entries(received))
    if (name !== 'content-encoding' && name !== 'content-length' && name !== 'transfer-encoding')
      for (const value of [values ?? []].flat()) headers.append(name, value)
  return headers
}

/** Parsed once: it can contain an image. */
function parsedOnce(bytes: Buffer): () => unknown {
  let parsed: { value: unknown } | undefined
  return () => {
    parsed ??= { value: parsedOrNot(bytes) }
    return parsed.value
  }
}

function parsedOrNot(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

/** Whether a retry can succeed. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof HttpProblem)) return false
  const { kind, status } = error
  if (status !== undefined) return status >= 500 || status === 429 || status === 408
  return kind === 'unreachable' || kind === 'broken' || kind === 'timeout'
}

function problemOf(error: unknown, host: string): HttpProblem {
  const isUnsent = error instanceof NoResponse && error.isUnsent
  const cause = error instanceof NoResponse ? error.cause : error
  const problem = (kind: HttpProblem['kind'], problemText: string) =>
    new HttpProblem(kind, isUnsent, `${host} ${problemText}.`, { cause })
  if (cause instanceof AddressRefused) return problem('refused_address', 'resolves to a blocked address')
  if (cause instanceof BodyTooLarge) return problem('too_large', 'sent more bytes than allowed')
  if (cause instanceof TimedOut) {
    const problemText = isUnsent ? 'could not be reached' : 'did not send its complete response'
    return problem('timeout', `${problemText} within ${cause.seconds} seconds`)
  }
  if (isUnsent) return problem('unreachable', 'could not be reached')
  return problem('broken', 'closed the connection, or sent an invalid HTTP response')
}

/** Decodes bodies that are compressed although the request did not accept that. */
const decoders = {
  br: promisify(brotliDecompress),
  deflate: promisify(inflate),
  gzip: promisify(unzip),
  'x-gzip': promisify(unzip),
}

/** Throws `BodyTooLarge` as soon as the result exceeds the limit, and an Error for invalid data. */
async function decode(body: Buffer, encoding: string, bytesMax: number): Promise<Buffer> {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity' || body.length === 0) return body
  if (!Object.hasOwn(decoders, name)) throw new Error('the content encoding is not known')
  try {
    return await decoders[name as keyof typeof decoders](body, { maxOutputLength: bytesMax })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') throw new BodyTooLarge()
    throw error
  }
}
