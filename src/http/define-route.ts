/** The shape of a route: one value from which routing, checks, permissions and the OpenAPI document are derived. */
import type { Static, TObject, TSchema } from 'typebox'
import type { Once } from '../domain/idempotency.ts'
import type { StagedBlob } from '../domain/image.ts'
import type { Caller, Grant } from '../domain/key.ts'
import type { ErrorCode } from '../errors.ts'
import type { Services } from './services.ts'

/** Schema option of objects: unknown fields are rejected in requests, and don't occur in responses. */
export const closed = { additionalProperties: false }

/** What a handler answers with. `body` is JSON unless it is bytes. */
export interface RouteResponse {
  status?: number
  headers?: Record<string, string>
  body: unknown | AsyncIterable<Uint8Array>
}

export interface RouteRequest<Params, Query, Body> {
  params: Params
  query: Query
  body: Body
  /** The file of a multipart upload, taken in and bounded but not yet looked at. Store it or discard it. */
  file: StagedBlob & { fileName: string }
  caller: Caller
  /** Of a POST under an `Idempotency-Key`: for the service that makes what it asks for, so that it is made once. */
  once: Once | undefined
  /** Lower-case names. */
  headers: Record<string, string | undefined>
  method: string
  /** Aborts when the client leaves unanswered: for work that nobody else can ask for. Executions go on. */
  signal: AbortSignal
}

interface RouteShape<P, Q, B> {
  /** The name everywhere: OpenAPI `operationId`, log field. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With `{name}` for path parameters. Below `/v1`, unless `root` says otherwise. */
  path: string
  summary: string
  description?: string
  tag: string
  /** Served outside `/v1` only, or also outside of it. */
  root?: 'only' | 'also'
  /**
   * Any one of these is enough; `all` is what only a key with everything has. An empty list takes every key; `public` asks
   * for no key and counts for no limit.
   */
  permission: readonly Grant[] | 'public'
  params?: P
  query?: Q
  /** Headers that it reads, by name, besides those that every route does. */
  requestHeaders?: Record<string, { description: string; schema: TSchema }>
  body?: B
  /** Bytes of a JSON body, if fewer than `jsonBodyBytesMax`. */
  bodyBytesMax?: number
  /** Requests are limited per client address and minute: `SIGN_INS_PER_MINUTE_MAX`. */
  isSignIn?: boolean
  /** The answer has a text that is kept nowhere: it is not kept for an `Idempotency-Key` either, and comes once. */
  showsSecret?: boolean
  /** The body is `multipart/form-data`: the fields of `body`, and one `file`. */
  upload?: boolean
  reply: { status: number; description: string; schema?: TSchema; mediaType?: string; headers?: Record<string, string> }
  /** Other successful answers. */
  moreReplies?: { status: number; description: string; schema?: TSchema }[]
  /** The route's own errors; those that every route may give are added. */
  errors?: readonly ErrorCode[]
}

export interface Route<P extends TObject = TObject, Q extends TObject = TObject, B extends TSchema = TSchema>
  extends RouteShape<P, Q, B> {
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
