/** A client of the API that checks every response (envelope, OpenAPI document, secrets) and records it in the ledger. */
import assert from 'node:assert/strict'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type HttpResponse, type RequestOptions, sendRequest } from './http.ts'
import { record } from './ledger.ts'
import { multipart, multipartType, type Part } from './multipart.ts'
import { judge, type OpenApi, type OpenApiDocument, readOpenApi } from './openapi.ts'
import { repository } from './process.ts'
import type { Service } from './service.ts'
import type { ErrorBody, ErrorDetails, Execution, Image } from './types.ts'
import { until } from './wait.ts'

export interface Reply<T> extends HttpResponse {
  /** The parsed body; undefined if it isn't JSON. */
  body: T
  text: string
}

export interface CallOptions extends RequestOptions {
  query?: Record<string, string | number>
  /** Sent as `application/json`. */
  json?: unknown
  /** Sent as `multipart/form-data`. */
  parts?: Part[]
}

export interface Client {
  service: Service
  key: string | undefined
  /** `path` is relative to the base URL, which ends in /v1. The paths of the OpenAI-compatible API are from the root. */
  call<T = unknown>(method: string, path: string, options?: CallOptions): Promise<Reply<T>>
  get<T>(path: string, query?: Record<string, string | number>): Promise<Reply<T>>
  post<T>(path: string, json?: unknown, headers?: Record<string, string>): Promise<Reply<T>>
  put<T>(path: string, json: unknown, headers?: Record<string, string>): Promise<Reply<T>>
  delete<T>(path: string): Promise<Reply<T>>
  upload(parts: Part[]): Promise<Reply<Image>>
  /** A path from the root of the origin: images, health, docs. */
  root<T = unknown>(method: string, path: string, options?: CallOptions): Promise<Reply<T>>
  /** Polls the execution until it has ended. */
  ended(executionId: string): Promise<Execution>
  /** The same service with another key, or without a key. */
  as(key: string | undefined): Client
}

/** The codes of the specification and of the decisions with their status. */
export const statusOfCode: Record<string, number> = {
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  execution_required: 409,
  precondition_failed: 412,
  rate_limited: 429,
  invalid_request: 400,
  workflow_failed: 500,
  internal_error: 500,
  unavailable: 503,
}

/** Sends a request in another way; returns undefined for requests that only `sendRequest` can send. */
export type SendOtherwise = (
  origin: string,
  method: string,
  path: string,
  options: CallOptions,
) => Promise<HttpResponse | undefined>

let sendOtherwise: SendOtherwise | undefined

/** Sets the transport of all clients of this process. */
export function sendBy(send: SendOtherwise): void {
  sendOtherwise = send
}

let openApi: OpenApi | undefined

/** The OpenAPI document of the service under test; the first client reads it. */
export async function openApiOf(service: Service, key: string): Promise<OpenApi> {
  if (!openApi) {
    const { bytes } = await sendRequest(service.origin, '/v1/openapi.json', {
      headers: { authorization: `Bearer ${key}` },
    })
    openApi = readOpenApi(JSON.parse(bytes.toString('utf8')) as OpenApiDocument)
  }
  return openApi
}

export async function createClient(service: Service, key: string): Promise<Client> {
  const judgeBy = await openApiOf(service, key)
  const client = (key: string | undefined): Client => {
    const root: Client['root'] = async <T>(method: string, path: string, options: CallOptions = {}) => {
      const query = new URLSearchParams(
        Object.entries(options.query ?? {}).map(([name, value]): [string, string] => [name, `${value}`]),
      )
      const full = query.size > 0 ? `${path}?${query}` : path
      const response =
        (await sendOtherwise?.(service.origin, method, path, options)) ??
        (await sendRequest(service.origin, full, {
          ...options,
          method,
          body: bodyOf(options),
          headers: headersOf(options),
        }))
      return inspect<T>(service, judgeBy, method, path, key, response)
    }
    const call: Client['call'] = (method, path, options = {}) => {
      const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
      return root(method, isOpenAi(path) ? path : `/v1${path}`, {
        ...options,
        headers: { ...authorization, ...options.headers },
      })
    }
    return {
      service,
      key,
      call,
      root,
      get: (path, query = {}) => call('GET', path, { query }),
      post: (path, json, headers = {}) => call('POST', path, { json, headers }),
      put: (path, json, headers = {}) => call('PUT', path, { json, headers }),
      delete: (path) => call('DELETE', path),
      upload: (parts) => call('POST', '/storage/upload', { parts }),
      ended: (executionId) =>
        until(`the end of ${executionId}`, async () => {
          const { body } = await call<Execution>('GET', `/workflows/executions/${executionId}`)
          return body.status === 'pending' || body.status === 'running' ? undefined : body
        }),
      as: client,
    }
  }
  return client(key)
}

/** Fails with the entire response if the status differs. */
export function ok<T>(reply: Reply<T>, status = 200): T {
  assert.equal(reply.status, status, `answered ${reply.status}: ${reply.text.slice(0, 2000)}`)
  return reply.body
}

/** Checks that the response is the error with this code, and only the envelope. Returns its details. */
export function refused(reply: Reply<unknown>, code: keyof typeof statusOfCode): ErrorDetails {
  const { error } = reply.body as ErrorBody
  assert.deepEqual(
    [reply.status, error?.code],
    [statusOfCode[code], code],
    `answered ${reply.status}: ${reply.text.slice(0, 2000)}`,
  )
  return error.details ?? openAiDetails(error as unknown as OpenAiError['error'])
}

export interface OpenAiError {
  error: { message: string; type: string; param: string | null; code: string }
}

function isOpenAi(path: string): boolean {
  return path.startsWith('/openai/')
}

/** Details that an error of the OpenAI-compatible API has, too. */
function openAiDetails({ message, param }: OpenAiError['error']): ErrorDetails {
  const [, permission] = /the permission "([^"]+)"/.exec(message) ?? []
  const issues = param === null ? [] : [{ path: param, message }]
  return { requestId: '', issues, ...(permission === undefined ? {} : { permission }) }
}

/** The sorted paths of the issues of a 400, without duplicates. */
export function issuePaths(reply: Reply<unknown>): string[] {
  const details = refused(reply, 'invalid_request')
  assert.ok(Array.isArray(details.issues), `an invalid_request lists its issues: ${reply.text}`)
  return [...new Set(details.issues.map((issue) => issue.path))].sort()
}

function bodyOf(options: CallOptions): RequestOptions['body'] {
  if (options.json !== undefined) return JSON.stringify(options.json)
  return options.parts ? multipart(options.parts) : options.body
}

function headersOf(options: CallOptions): Record<string, string | string[]> {
  const type = options.json !== undefined ? 'application/json' : options.parts ? multipartType : undefined
  return { ...(type ? { 'content-type': type } : {}), ...options.headers }
}

/** The content of a response that may be compressed. */
function decoded({ headers, bytes }: HttpResponse): Buffer {
  const encoding = headers['content-encoding']
  if (bytes.length === 0 || encoding === undefined) return bytes
  return encoding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)
}

function inspect<T>(
  service: Service,
  judgeBy: OpenApi,
  method: string,
  path: string,
  key: string | undefined,
  response: HttpResponse,
): Reply<T> {
  const type = response.headers['content-type'] ?? ''
  const isJson = /[/+]json\b/.test(type)
  const isText = isJson || type.includes('ndjson') || type.startsWith('text/')
  const text = isText ? decoded(response).toString('utf8') : ''
  const body = isJson && text !== '' ? (JSON.parse(text) as T) : (undefined as T)
  const reply: Reply<T> = { ...response, body, text }

  if (isText) assertNoSecrets(service, `the response to ${method} ${path}`, text, key ? [key] : [])
  assertNoSecrets(
    service,
    `the headers of the response to ${method} ${path}`,
    JSON.stringify(response.headers),
    key ? [key] : [],
  )
  if (method === 'HEAD') return reply
  if (response.status >= 400 && response.status !== 416)
    (isOpenAi(path) ? assertOpenAiEnvelope : assertEnvelope)(reply, `${method} ${path}`)
  const operation = judgeBy.find(method, path.split('?', 1)[0] ?? path)
  if (operation) {
    const code = response.status >= 400 ? (body as ErrorBody | undefined)?.error.code : undefined
    record(operation.operationId, response.status, code)
    assert.deepEqual(judge(operation, response.status, response.headers, body), [], text.slice(0, 2000))
    if (method === 'POST' && response.status === 201) assertLocation(judgeBy, reply as Reply<{ id?: string }>)
  } else if (isJson && response.status >= 400 && !isOpenAi(path)) {
    assert.deepEqual(judgeBy.judgeError(body), [], text.slice(0, 2000))
  }
  return reply
}

/** Checks that `Location` is the URL of the created resource, which a documented GET returns. */
function assertLocation(judgeBy: OpenApi, { body: { id }, headers: { location } }: Reply<{ id?: string }>): void {
  if (id === undefined) return
  const { pathname } = new URL(location ?? '')
  assert.ok(pathname.endsWith(`/${id}`), `Location is ${location}, and the id is ${id}`)
  assert.ok(judgeBy.find('GET', pathname), `no GET returns ${pathname}`)
}

/** Checks that an error has the envelope, and a code with its status. */
export function assertEnvelope(reply: HttpResponse, requestLabel: string): void {
  const message = `${requestLabel} answered ${reply.status}: ${reply.bytes.toString('utf8').slice(0, 2000)}`
  assert.match(reply.headers['content-type'] ?? '', /^application\/json\b/, message)
  const body = JSON.parse(reply.bytes.toString('utf8')) as ErrorBody
  assert.deepEqual(Object.keys(body), ['error'], message)
  const { 'retry-after': retryAfter } = reply.headers
  const added = retryAfter === undefined ? [] : ['retryAfter']
  assert.deepEqual(Object.keys(body.error).sort(), ['code', 'details', 'message', ...added], message)
  if (retryAfter !== undefined) assert.equal(body.error.retryAfter, Number(retryAfter), message)
  assert.equal(statusOfCode[body.error.code], reply.status, message)
  assert.ok(typeof body.error.message === 'string' && body.error.message.length > 0, message)
  assert.ok(typeof body.error.details.requestId === 'string' && body.error.details.requestId.length > 0, message)
  const { docs, reason } = body.error.details
  if (docs !== undefined) assert.equal(new URL(docs).hash, `#${reason ?? body.error.code}`, message)
}

/** Checks that an error has exactly the fields that clients of OpenAI read. */
function assertOpenAiEnvelope(reply: HttpResponse, requestLabel: string): void {
  const text = reply.bytes.toString('utf8')
  const message = `${requestLabel} answered ${reply.status}: ${text.slice(0, 2000)}`
  const body = JSON.parse(text) as OpenAiError
  assert.deepEqual(Object.keys(body), ['error'], message)
  assert.deepEqual(Object.keys(body.error).sort(), ['code', 'message', 'param', 'type'], message)
  assert.equal(statusOfCode[body.error.code], reply.status, message)
  const { status } = reply
  const type = status === 429 ? 'rate_limit_error' : status < 500 ? 'invalid_request_error' : 'server_error'
  assert.equal(body.error.type, type, message)
  assert.ok(body.error.message.length > 0, message)
}

/** Checks that a text contains no key and no path of the machine. */
export function assertNoSecrets(service: Service, source: string, text: string, keys: string[]): void {
  for (const secret of [
    repository,
    service.dataDir,
    '/node_modules/',
    ...keys,
    ...(service.key ? [service.key] : []),
  ]) {
    if (text.includes(secret)) assert.fail(`${source} contains ${secret}: ${text.slice(0, 2000)}`)
  }
}

/**
 * Checks that the object has all documented fields. It may also have the fields of `added`: optional ones that the
 * decisions allow the service to add to a documented shape.
 */
export function assertFields(object: object | undefined, documented: string[], added: string[] = []): void {
  const fields = Object.keys(object ?? {})
  const expected = documented.filter((each) => !added.includes(each)).sort()
  assert.deepEqual(fields.filter((each) => !added.includes(each)).sort(), expected)
}
