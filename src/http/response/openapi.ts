/** The OpenAPI 3.1 document, derived from the routes. */
import type { TSchema } from 'typebox'
import { named } from '../../domain/named-schema.ts'
import { type ErrorCode, errors } from '../../errors.ts'
import { closed, documented, isBodyOptional, needsLive, type Reply, type Route } from '../define-route.ts'
import { tags } from '../routes/tags.ts'
import { webhookBodies } from '../routes/webhook-deliveries/schema.ts'
import { isOpenAiPath, OpenAiErrorReply, shouldRetryHeader } from './openai-problem.ts'
import { deliveryStatus, headers, headersOf, idempotentReplayed, webhookHeaders } from './openapi-headers.ts'
import { type Direction, type Json, publishSchemas, type SchemaUse } from './openapi-schemas.ts'
import { ErrorReply } from './problem.ts'

/** Errors of every route that requires a key. */
const commonErrors: ErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'rate_limited',
  'internal_error',
  'unavailable',
]

export function errorsOf(route: Route): ErrorCode[] {
  return [...new Set([...(route.permission === 'public' ? publicErrors : commonErrors), ...(route.errors ?? [])])]
}

/** Every request can be rejected for its `Host` header. */
const publicErrors: ErrorCode[] = ['invalid_request', 'internal_error', 'unavailable']

export function openApiDocument(options: { routes: Route[]; baseUrl: string; version: string }): Json {
  const { routes, baseUrl, version } = options
  const root = baseUrl.replace(/\/v1$/, '')
  const uses = [
    ...routes.flatMap(schemasOf),
    ...webhookBodies.map(({ schema }) => ({ schema, direction: 'response' }) as const),
  ]
  const { publish, components } = publishSchemas(uses)
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const item = paths[route.path] ?? {}
    if (route.root) item.servers = route.root === 'only' ? [{ url: root }] : [{ url: root }, { url: baseUrl }]
    paths[route.path] = { ...item, [route.method.toLowerCase()]: operationOf(route, publish) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tintype',
      version,
      description:
        'Runs saved image workflows over HTTP: execute a workflow by its id with parameters, and get an image with a URL. Requests with unknown fields, parameters or query parameters are rejected; the error contains their path. Responses can get additional fields in later versions: ignore fields that you do not know. A request with an unsupported method returns 405 `method_not_allowed` with the header `Allow`. `null` for an optional field has the same effect as omitting it. Every response has the header `X-Request-Id`. Every response to a request with a valid API key has the rate limit of the account in the headers `X-RateLimit-Limit`, `X-RateLimit-Remaining`, `X-RateLimit-Reset`, `RateLimit` and `RateLimit-Policy`.',
      contact: { name: 'Operator of this service', url: root },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: Object.fromEntries(webhookBodies.map((body) => [body.type, webhook(body, publish)])),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'A Tintype API key, `tt_live_...` or `tt_test_...`.' },
      },
      headers,
      responses: Object.fromEntries(
        routes
          .flatMap(errorGroups)
          .map((group) => [errorResponseName(group), errorResponse(group, publish(errorReplyOf(group), 'response'))]),
      ),
      schemas: components,
    },
  }
}

/** Bodies are those of responses: later versions add fields. */
function webhook({ type, description, schema }: (typeof webhookBodies)[number], publish: Publish): Json {
  return {
    post: {
      operationId: `webhooks.${type.replace(/\.(.)/, (_, letter) => letter.toUpperCase())}`,
      summary: description,
      description:
        'Sent to webhook endpoints, signed as Standard Webhooks 1.0 describes. Respond with 2xx within 15 seconds. Other responses are retried for three days, and 410 disables the endpoint.',
      tags: ['Webhooks'],
      security: [],
      parameters: webhookHeaders,
      requestBody: { required: true, content: { 'application/json': { schema: publish(schema, 'response') } } },
      responses: { '2XX': { description: 'The event was received.' } },
    },
  }
}

type Publish = (schema: TSchema, direction: Direction) => Json

function schemasOf(route: Route): SchemaUse[] {
  const { params, requestHeaders = {}, reply, moreReplies = [] } = route
  const replies = [reply, ...moreReplies].flatMap(({ schema }) => schema ?? [])
  const described = [...Object.values(requestHeaders), ...Object.values(route.stream ?? {})]
  const requests = [params, queryOf(route), bodyOf(route), ...described.map(({ schema }) => schema)]
  return [
    ...requests.flatMap((schema): SchemaUse[] => (schema === undefined ? [] : [{ schema, direction: 'request' }])),
    ...[...replies, errorReplyOf({ isOpenAi: isOpenAiPath(route.path) })].map(
      (schema): SchemaUse => ({ schema, direction: 'response' }),
    ),
  ]
}

function neededKey(route: Route): string {
  const { permission } = route
  if (permission === 'public') return 'No API key required.'
  if (permission === 'run-link') return 'Required: the key of a run link.'
  if (permission.length === 0) return 'Any API key.'
  return `Required permission: \`${permission.join('` or `')}\`${needsLive(route) ? ', with a live key' : ''}.`
}

function operationOf(route: Route, publish: Publish): Json {
  const { id, summary, description, tag, permission } = route
  return {
    operationId: id,
    summary,
    description: [description, neededKey(route)].filter(Boolean).join('\n\n'),
    tags: [tag],
    ...(permission === 'public' ? { security: [] } : {}),
    parameters: [
      ...parameters(route.params, 'path', publish),
      ...parameters(queryOf(route), 'query', publish),
      ...headerParameters(route),
      ...routeHeaders(route, publish),
    ],
    ...requestBody(route, publish),
    responses: responses(route, publish),
  }
}

function parameters(schema: TSchema | undefined, location: 'path' | 'query', publish: Publish): Json[] {
  const { properties = {}, required = [] } = (schema ? publish(schema, 'request') : {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(
    ([name, { description, ...property }]): Json => ({
      name,
      in: location,
      required: location === 'path' || required.includes(name),
      ...(description ? { description } : {}),
      schema: property,
    }),
  )
}

function hasIdempotencyKey({ method, permission, ignoresIdempotencyKey }: Route): boolean {
  return method === 'POST' && permission !== 'public' && !ignoresIdempotencyKey
}

function headerParameters(route: Route): Json[] {
  if (!hasIdempotencyKey(route)) return []
  const description =
    route.showsSecret === true
      ? 'A retry with the same key within 24 hours is rejected with the id of the created API key. The response cannot be replayed, because the API key is not stored.'
      : 'A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected.'
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description,
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  ]
}

function routeHeaders({ requestHeaders = {} }: Route, publish: Publish): Json[] {
  return Object.entries(requestHeaders).map(([name, { description, schema }]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: publish(schema, 'request'),
  }))
}

function requestBody(route: Route, publish: Publish): Json {
  if (route.stream) return { requestBody: { required: true, content: streamContent(route.stream, publish) } }
  const body = bodyOf(route)
  if (body === undefined) return {}
  const mediaType = route.upload ? 'multipart/form-data' : 'application/json'
  const required = !isBodyOptional(route)
  return { requestBody: { required, content: { [mediaType]: { schema: publish(body, 'request') } } } }
}

function streamContent(stream: NonNullable<Route['stream']>, publish: Publish): Json {
  return Object.fromEntries(
    Object.entries(stream)
      .filter(([, { description }]) => description !== undefined)
      .map(([mediaType, { description, schema }]) => [
        mediaType,
        { schema: schema ? { ...publish(schema, 'request'), description } : { type: 'string', description } },
      ]),
  )
}

function queryOf({ query }: Route): TSchema | undefined {
  return query && documented(query)
}

/** The body with the name that it declares, or with the name of its operation: `WorkflowsExecuteRequest`. */
function bodyOf({ id, body, upload }: Route): TSchema | undefined {
  if (body === undefined) return undefined
  const name = `${id.split('.').map(capitalized).join('')}Request`
  if (!upload) return { ...named(name), ...documented(body) }
  const { properties } = body as unknown as { properties: Json }
  return {
    ...named(name),
    type: 'object',
    required: [upload[0]],
    properties: { [upload[0]]: file, ...properties },
    ...closed,
  } as TSchema
}

/** `contentMediaType` is the form of OpenAPI 3.1, and `format` the form that generators of clients know from 3.0. */
const file = {
  type: 'string',
  format: 'binary',
  contentMediaType: 'application/octet-stream',
  description: 'The content of the file.',
}

function responses(route: Route, publish: Publish): Json {
  const { reply, moreReplies = [] } = route
  const replayed = hasIdempotencyKey(route) && route.showsSecret !== true ? idempotentReplayed : {}
  const success = [reply, ...moreReplies].map((response): [string, Json] => [
    String(response.status),
    {
      description: response.description,
      headers: headersOf(
        { ...response, optionalHeaders: { ...response.optionalHeaders, ...replayed } },
        route.permission !== 'public',
      ),
      ...contentOf(response, publish),
    },
  ])
  const failures = errorGroups(route).map((group): [string, Json] => [
    String(group.status),
    { $ref: `#/components/responses/${errorResponseName(group)}` },
  ])
  return Object.fromEntries([...success, ...failures])
}

function contentOf({ schema, mediaType = schema ? 'application/json' : [] }: Reply, publish: Publish): Json {
  const content = [mediaType]
    .flat()
    .map((type) => [type, { schema: schema ? publish(schema, 'response') : contentOfType(type) }] as const)
  return content.length === 0 ? {} : { content: Object.fromEntries(content) }
}

/** Generated clients return text as a string, and everything else as a Blob. */
function contentOfType(mediaType: string): Json {
  return mediaType.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' }
}

/** The errors of a route with one status. */
interface ErrorGroup {
  status: number
  codes: ErrorCode[]
  isPublic: boolean
  isOpenAi: boolean
}

function errorReplyOf({ isOpenAi }: Pick<ErrorGroup, 'isOpenAi'>): TSchema {
  return isOpenAi ? OpenAiErrorReply : ErrorReply
}

/** Errors of delivery URLs with the header `Tintype-Status`. */
const deliveryErrors: readonly ErrorCode[] = ['invalid_request', 'unavailable']

const shouldRetry = { [shouldRetryHeader]: 'Whether to repeat the request. Clients of OpenAI read it.' }

function errorGroups(route: Route): ErrorGroup[] {
  const isPublic = route.permission === 'public'
  const isOpenAi = isOpenAiPath(route.path)
  return [...Map.groupBy(errorsOf(route), (code) => errors[code].status)].map(([status, codes]) => ({
    status,
    codes,
    isPublic,
    isOpenAi,
  }))
}

/** `NotFound`, `PublicNotFound` of routes without a key, or `InternalErrorOrTimeout` for a status with two codes. */
function errorResponseName({ codes, isPublic, isOpenAi }: ErrorGroup): string {
  const words = codes.join('_or_').split('_')
  return [...(isPublic ? ['public'] : []), ...(isOpenAi ? ['openAi'] : []), ...words].map(capitalized).join('')
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** `x-error-codes`: the values of `error.code` that occur with this status. */
function errorResponse({ status, codes, isPublic, isOpenAi }: ErrorGroup, schema: Json): Json {
  const hasRetryAfter = codes.includes('rate_limited') || codes.includes('unavailable')
  const hasKey = !isPublic && !codes.includes('unauthorized')
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code].meaning}`).join('\n\n'),
    headers: headersOf(
      {
        ...(hasRetryAfter ? { headers: { 'Retry-After': '' } } : {}),
        ...(isPublic && codes.some((code) => deliveryErrors.includes(code)) ? { optionalHeaders: deliveryStatus } : {}),
        ...(isOpenAi && status >= 500 ? { optionalHeaders: shouldRetry } : {}),
      },
      hasKey,
    ),
    content: { 'application/json': { schema } },
    'x-error-codes': codes,
  }
}
