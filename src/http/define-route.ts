/** The shape of a route: one value from which routing, checks, permissions and the OpenAPI document are derived. */
import type { Static, TObject, TSchema } from 'typebox'
import { type Caller, type Grant, needsLiveKey } from '../domain/accounts/key.ts'
import type { IdempotentCreate } from '../domain/idempotency.ts'
import type { StagedBlob } from '../domain/images/image.ts'
import type { ErrorCode } from '../errors.ts'
import type { CallApi } from '../mcp/api.ts'
import type { Tag } from './routes/tags.ts'
import type { Services } from './services.ts'

/** Schema option of objects: requests with unknown fields are rejected. */
export const closed = { additionalProperties: false }

/** The response of a handler. `body` is sent as JSON unless it is bytes, or text with a `content-type`. */
export interface RouteResponse {
  status?: number
  headers?: Record<string, string>
  body: unknown | AsyncIterable<Uint8Array>
}

export interface RouteRequest<Params, Query, Body> {
  params: Params
  query: Query
  body: Body
  /** The file of a multipart upload: staged, within the size limit, not yet decoded. The handler stores or discards it. */
  file: StagedBlob & { fileName: string }
  /** The body of a route with `stream`. The handler reads it to its end, or throws. */
  stream: { mediaType: string; body: AsyncIterable<Uint8Array> }
  caller: Caller
  /** Set for a POST with an `Idempotency-Key`. The service passes it to the transaction that creates the record. */
  once: IdempotentCreate | undefined
  /** Lower-case names. */
  headers: Record<string, string | undefined>
  method: string
  /** Id for the log. */
  requestId: string
  /** Path and query as they were sent. */
  url: string
  /** Makes another request of the API as this caller, within the process and without counting it again. */
  callApi: CallApi
  /** Logs an unexpected error that is not thrown. */
  onError(error: unknown): void
  /** Aborts when the client disconnects before the response. Executions continue: other requests can read their result. */
  signal: AbortSignal
}

export interface Reply {
  status: number
  description: string
  /** Objects have a name (`named`), and no `closed`: later versions add fields. */
  schema?: TSchema
  /** Default: `application/json` if there is a schema. */
  mediaType?: string | string[]
  /** Descriptions of headers by name, in addition to the headers of every response. */
  headers?: Record<string, string>
  /** The same for headers that not every response has. */
  optionalHeaders?: Record<string, string>
}

interface RouteShape<P, Q, B> {
  /** The OpenAPI `operationId` and the `route` field of the log. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /**
   * Path below `/v1`, unless `root` says otherwise; path parameters are written `{name}`. Below `/v1`, unless `root`
   * says otherwise.
   */
  path: string
  summary: string
  description?: string
  tag: Tag
  /** Served outside `/v1` only, or also outside of it. */
  root?: 'only' | 'also'
  /**
   * One of these permissions is enough; only an unrestricted key has `all`. An empty list accepts every key. `public` needs
   * no key and has no rate limit. `run-link` accepts only the keys of run links, which no other route accepts.
   */
  permission: readonly Grant[] | 'public' | 'run-link'
  /** Test keys are refused. Default: whether all of the permissions are for live keys only (`needsLiveKey`). */
  liveOnly?: boolean
  params?: P
  query?: Q
  /** Request headers by name, in addition to the headers of every route. */
  requestHeaders?: Record<string, { description: string; schema: TSchema }>
  body?: B
  /** Bytes of a JSON body, if fewer than `jsonBodyBytesMax`. */
  bodyBytesMax?: number
  /** Limited per client address and minute by `SIGN_INS_PER_MINUTE_MAX`. */
  isSignIn?: boolean
  /** Counted apart from the requests of the plan, with this limit for each account or run link. */
  rate?: { name: string; perMinute: number }
  /** A check of the service. It is handled immediately, and other requests without a key when it is the turn of their address. */
  isHealth?: true
  /**
   * The response contains a secret, or can be large, so it is not stored for an `Idempotency-Key`. `again`: the handler makes it again for the resource that
   * the request created. Otherwise it cannot be replayed.
   */
  showsSecret?: boolean | 'again'
  /**
   * The request is a file of one of these media types, which the handler reads as a stream. `schema`: default: text. Without a description, the
   * type is accepted but isn't in the OpenAPI document.
   */
  stream?: Record<string, { description?: string; schema?: TSchema }>
  /** An `Idempotency-Key` has no effect: the messages in the body are not the action of the method. */
  ignoresIdempotencyKey?: true
  /** The request is `multipart/form-data` with the fields of `body` and one file, in one of the fields with these names. */
  upload?: readonly [string, ...string[]]
  reply: Reply
  /** Headers of all error responses. */
  errorHeaders?: Record<string, string>
  /** Other successful responses. */
  moreReplies?: Reply[]
  /** Error codes of this route, in addition to the codes of every route. */
  errors?: readonly ErrorCode[]
}

/** The schema in the documentation, if a body or a query is checked with another one. */
export function documented(schema: TSchema): TSchema {
  return (schema as { 'x-reference'?: TSchema })['x-reference'] ?? schema
}

/** A POST whose fields are all optional accepts a missing body as `{}`. A PUT does not: it would replace a resource with defaults. */
export function isBodyOptional({ method, body, upload }: Pick<Route, 'method' | 'body' | 'upload'>): boolean {
  if (method !== 'POST' || upload || body === undefined) return false
  const { type, required = [] } = documented(body) as { type?: string; required?: string[] }
  return type === 'object' && required.length === 0
}

/** Whether test keys are refused. */
export function needsLive({ permission, liveOnly }: Pick<Route, 'permission' | 'liveOnly'>): boolean {
  if (permission === 'run-link') return true
  return liveOnly ?? (permission !== 'public' && needsLiveKey(permission))
}

export interface Route<P extends TObject = TObject, Q extends TObject = TObject, B extends TSchema = TSchema>
  extends RouteShape<P, Q, B> {
  /** Waits before the handler reads, in no slot of `reads.ts`: a slot is for work. */
  wait?(request: RouteRequest<Static<P>, Static<Q>, Static<B>>, services: Services): Promise<void> | undefined
  handle(
    request: RouteRequest<Static<P>, Static<Q>, Static<B>>,
    services: Services,
  ): Promise<RouteResponse> | RouteResponse
}

// biome-ignore lint/complexity/noBannedTypes: an object schema with no properties
type None = TObject<{}>

export function defineRoute<P extends TObject = None, Q extends TObject = None, B extends TSchema = None>(
  route: Route<P, Q, B>,
): Route {
  return route as unknown as Route
}
