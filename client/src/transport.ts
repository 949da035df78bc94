/** Sends requests: authentication, timeouts, retries, errors. */
import { ApiError, apiError, ConnectionError, type ErrorFields, TimeoutError } from './errors.ts'
import { delayOf, isTemporary, retryAfterOf, sleep } from './retries.ts'
import type { RequestOptions } from './types.ts'

export interface ClientOptions {
  /** Address of the service, with or without `/v1`. */
  url: string
  /** API key. Without one, requests have the cookies of the page, as the console does. */
  key?: string | undefined
  /** Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
  /** Default: 3. */
  maxRetries?: number | undefined
  /** Milliseconds for each attempt. Default: 120,000, because the service waits for an execution for up to 55 seconds. */
  timeout?: number | undefined
}

export interface OutgoingRequest {
  method: string
  /** Path from the root of the service, such as `/v1/workflows`. */
  path: string
  query?: object | undefined
  /** Called for each attempt. */
  body?: (() => Body) | undefined
  headers?: Record<string, string> | undefined
  /** Whether the response can be a redirect, such as to the file of an image on another server. */
  followsRedirects?: boolean
}

interface Body {
  body: NonNullable<RequestInit['body']>
  contentType?: string | undefined
}

/** A transport other than `fetch` for one request, such as one that reports progress. */
export type Send = (url: string, init: RequestInit & { headers: Headers; signal: AbortSignal }) => Promise<Response>

export interface Transport {
  /** The parsed body; undefined if there is none. */
  json(request: OutgoingRequest, options?: RequestOptions, send?: Send): Promise<unknown>
  /** The response, whose body is not read. Only the start of the response has retries. */
  response(request: OutgoingRequest, options?: RequestOptions): Promise<Response>
  readonly maxRetries: number
  readonly timeout: number
}

const timeoutDefault = 120_000
const retriesDefault = 3

export function createTransport(settings: ClientOptions): Transport {
  const root = rootOf(settings.url)
  const maxRetries = countOf('maxRetries', settings.maxRetries ?? retriesDefault)
  const timeoutOfAll = countOf('timeout', settings.timeout ?? timeoutDefault)
  // Called without the object, which browsers require.
  const defaultSend: Send = (url, init) => (settings.fetch ?? globalThis.fetch)(url, init)

  async function attempts<Result>(
    request: OutgoingRequest,
    options: RequestOptions,
    send: Send,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const url = root + request.path + queryOf(request.query)
    const headers = headersOf(settings.key, request, options)
    const retries = countOf('maxRetries', options.maxRetries ?? maxRetries)
    const timeout = countOf('timeout', options.timeout ?? timeoutOfAll)
    const { signal } = options
    const isRepeatable = request.method !== 'PATCH' && !headers.has('if-match')
    let wasCut = false
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted()
      let error: ApiError | ConnectionError
      try {
        return await once(url, request, { headers, timeout, signal, send, read, onResponse: options.onResponse })
      } catch (cause) {
        if (!(cause instanceof ApiError || cause instanceof ConnectionError)) throw cause
        error = cause
      }
      const isCut = !(error instanceof ApiError)
      // The first attempt deleted the record, and its response was lost.
      if (wasCut && request.method === 'DELETE' && error instanceof ApiError && error.status === 404)
        return { deleted: true } as Result
      wasCut ||= isCut
      const mayRepeat = error instanceof ApiError ? isTemporary(error, isRepeatable) : isRepeatable
      const delay = delayOf(attempt, error instanceof ApiError ? error.retryAfter : undefined)
      if (attempt >= retries || !mayRepeat || delay === undefined) throw error
      await sleep(delay, signal)
    }
  }

  return {
    maxRetries,
    timeout: timeoutOfAll,
    json: (request, options = {}, send = defaultSend) => attempts(request, options, send, jsonOf),
    response: (request, options = {}) => attempts(request, options, defaultSend, async (response) => response),
  }
}

interface Attempt<Result> {
  headers: Headers
  timeout: number
  signal: AbortSignal | undefined
  send: Send
  read(response: Response): Promise<Result>
  onResponse: RequestOptions['onResponse']
}

async function once<Result>(
  url: string,
  { method, body, followsRedirects = false }: OutgoingRequest,
  { headers, timeout, signal, send, read, onResponse }: Attempt<Result>,
): Promise<Result> {
  const timer = new AbortController()
  const timeoutId = setTimeout(() => timer.abort(), timeout)
  const content = body?.()
  const sent = new Headers(headers)
  if (content?.contentType) sent.set('content-type', content.contentType)
  let response: Response | undefined
  try {
    response = await send(url, {
      method,
      headers: sent,
      redirect: followsRedirects ? 'follow' : 'manual',
      signal: signal ? AbortSignal.any([signal, timer.signal]) : timer.signal,
      ...(content && { body: content.body }),
      // A stream as the body requires it.
      ...(content?.body instanceof ReadableStream && { duplex: 'half' }),
    })
    // A failed response is an error in any case: it isn't reported to `read`.
    if (response.status >= 400) throw errorOf(response, await response.text())
    if (isRedirect(response)) throw redirectOf(response, url)
    return await read(response)
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (signal?.aborted) throw signal.reason
    if (timer.signal.aborted)
      throw new TimeoutError(`${method} ${url} had no complete response within ${timeout} ms.`, { cause: error })
    const problem = response ? 'The response ended early' : 'No response'
    throw new ConnectionError(`${problem}: ${method} ${url}: ${messageOf(error)}`, { cause: error })
  } finally {
    clearTimeout(timeoutId)
    if (response) onResponse?.(response)
  }
}

/** Whether a redirect was not followed: in browsers, its status is 0. */
function isRedirect({ type, status, headers }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && headers.has('location'))
}

/** Error of a redirect, which the API doesn't send. `fetch` would follow a POST with a GET, and send no key to another origin. */
function redirectOf({ status, headers }: Response, url: string): ApiError {
  const target = headers.get('location')
  return apiError({
    code: 'unexpected_response',
    message: `${url} redirects${target === null ? '' : ` to ${target}`}. Use the address of the service.`,
    details: {},
    status,
  })
}

/** A response that ends early has no complete JSON. */
async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (response.status === 204 || response.status === 304) return undefined
  if (!response.headers.get('content-type')?.includes('json')) throw errorOf(response, text)
  return JSON.parse(text)
}

function errorOf(response: Response, text: string): ApiError {
  const { status, headers } = response
  const retryAfter = retryAfterOf(headers)
  const requestId = headers.get('x-request-id')
  const error = envelopeOf(text)
  if (error)
    return apiError({
      ...error,
      status,
      // Pages of other origins can't read the header.
      retryAfter: retryAfter ?? error.retryAfter,
      details: { ...(requestId && { requestId }), ...error.details },
    })
  return apiError({
    code: 'unexpected_response',
    message: `Not a response of Tintype: check the URL of the service. Status ${status}: ${text.slice(0, 200)}`,
    details: requestId ? { requestId } : {},
    status,
    retryAfter,
  })
}

function envelopeOf(text: string): Omit<ErrorFields, 'status'> | undefined {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return undefined
  }
  const error = isObject(body) && body.error
  if (!isObject(error)) return undefined
  const { code, message, details, retryAfter } = error
  if (typeof code !== 'string' || typeof message !== 'string') return undefined
  return {
    code,
    message,
    details: isObject(details) ? details : {},
    retryAfter: typeof retryAfter === 'number' ? retryAfter : undefined,
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function headersOf(key: string | undefined, request: OutgoingRequest, options: RequestOptions): Headers {
  const headers = new Headers({ accept: 'application/json', ...request.headers, ...options.headers })
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
  if (request.method === 'POST' && !headers.has('idempotency-key'))
    headers.set('idempotency-key', options.idempotencyKey ?? randomKey())
  if (options.ifMatch !== undefined) headers.set('if-match', options.ifMatch)
  return headers
}

/** `crypto.randomUUID` is missing in pages without HTTPS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (each) => each.toString(16).padStart(2, '0')).join('')
}

/** Arrays are separated by commas, as in `ids`. */
function queryOf(query: object = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const text = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return text && `?${text}`
}

/** Root of the service: `https://images.example.com` for `https://images.example.com/v1/`. */
function rootOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:/i.test(url))
    throw new TypeError(`"url" must be the address of a service, such as https://images.example.com, not "${url}".`)
  const { origin, pathname } = new URL(url)
  return origin + pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
}

function countOf(name: string, value: number): number {
  if (Number.isFinite(value) && value >= 0) return value
  throw new TypeError(`"${name}" must be a number from 0, not ${value}.`)
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // fetch of Node has the reason in the cause: "fetch failed", because of "connect ECONNREFUSED".
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
