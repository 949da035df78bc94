/** The OpenAPI 3.1 document, derived from the routes. */
import { stringify } from 'safe-stable-stringify'
import type { TSchema } from 'typebox'
import { publishedSchema } from '../../domain/published-schema.ts'
import { ParameterDeclaration, WorkflowDocument, WorkflowExample, WorkflowNode } from '../../domain/workflow.ts'
import { type ErrorCode, errors } from '../../errors.ts'
import type { Catalogue } from '../../operations/define.ts'
import { closed, type Route } from '../define-route.ts'
import { CredentialManifest } from '../routes/credentials/schema.ts'
import { Draft } from '../routes/drafts/schema.ts'
import {
  AcceptedExecution,
  CompletedExecution,
  ExecutionRecord,
  executionEvents,
  LastOutput,
  StepRecord,
} from '../routes/executions/schema.ts'
import { FontRecord } from '../routes/fonts/schema.ts'
import { ImageDetail } from '../routes/images/schema.ts'
import { KeyRecord } from '../routes/keys/schema.ts'
import { ProjectRecord } from '../routes/projects/schema.ts'
import { Session } from '../routes/session/schema.ts'
import { WorkflowDetail } from '../routes/workflows/schema.ts'
import { ErrorReply } from './problem.ts'

type Json = Record<string, unknown>

/** Schemas with a name in the document. Other schemas that contain one refer to it. */
const named = {
  AcceptedExecution,
  ApiKey: KeyRecord,
  CompletedExecution,
  CredentialManifest,
  Draft,
  Execution: ExecutionRecord,
  Font: FontRecord,
  Image: ImageDetail,
  LastOutput,
  Parameter: ParameterDeclaration,
  Project: ProjectRecord,
  Session,
  Step: StepRecord,
  Workflow: WorkflowDetail,
  WorkflowDocument,
  WorkflowExample,
  WorkflowNode,
}
const namesOf = new Map(Object.entries(named).map(([name, schema]) => [stringify(schema), name]))

/** The value with a reference in place of each named schema in it. */
function refer(value: object): Json {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, referTo(each)]))
}

function referTo(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referTo)
  if (typeof value !== 'object' || value === null) return value
  const name = namesOf.get(stringify(value))
  return name === undefined ? refer(value) : { $ref: `#/components/schemas/${name}` }
}

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
  return [
    ...new Set([...(route.permission === 'public' ? publicErrors(route) : commonErrors), ...(route.errors ?? [])]),
  ]
}

/** A route without path parameters that accepts any query can't return `invalid_request`. */
function publicErrors({ params, query }: Route): ErrorCode[] {
  const acceptsAll = params === undefined && (query as Json | undefined)?.additionalProperties === true
  return [...(acceptsAll ? [] : (['invalid_request'] as const)), 'internal_error', 'unavailable']
}

export function openApiDocument(options: {
  routes: Route[]
  catalogue: Catalogue
  baseUrl: string
  version: string
}): Json {
  const { routes, catalogue, baseUrl, version } = options
  const root = baseUrl.replace(/\/v1$/, '')
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const item = paths[route.path] ?? {}
    if (route.root) item.servers = route.root === 'only' ? [{ url: root }] : [{ url: root }, { url: baseUrl }]
    paths[route.path] = { ...item, [route.method.toLowerCase()]: operationOf(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tintype',
      version,
      description:
        'Runs saved image workflows over HTTP: execute a workflow by its id with parameters, and get an image with a URL. Requests with unknown fields, parameters or query parameters are rejected; the error contains their path. A request with an unsupported method returns 405 `method_not_allowed` with the header `Allow`. `null` for an optional field has the same effect as omitting it. Every response has the header `X-Request-Id`. Every response to a request with a valid API key has the rate limit of the account in the headers `X-RateLimit-Limit`, `X-RateLimit-Remaining`, `X-RateLimit-Reset`, `RateLimit` and `RateLimit-Policy`.',
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths: refer(paths),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'A Tintype API key, `tt_live_...`.' },
      },
      responses: Object.fromEntries(
        routes.flatMap(errorGroups).map(([, codes]) => [errorResponseName(codes), errorResponse(codes)]),
      ),
      schemas: {
        Error: ErrorReply,
        ...Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, refer(schema)])),
        ...refer(executionEvents),
        ...Object.fromEntries(
          [...catalogue.values()].map(({ id, title, summary, params }) => [
            `Operation_${id}`,
            { ...publishedSchema(params), title, description: summary },
          ]),
        ),
      },
    },
  }
}

function operationOf(route: Route): Json {
  const { id, summary, description, tag, permission } = route
  const needs =
    permission === 'public'
      ? 'No API key required.'
      : permission.length > 0
        ? `Required permission: \`${permission.join('` or `')}\`.`
        : 'Any API key.'
  return {
    operationId: id,
    summary,
    description: [description, needs].filter(Boolean).join('\n\n'),
    tags: [tag],
    ...(permission === 'public' ? { security: [] } : {}),
    parameters: [
      ...parameters(route.params, 'path'),
      ...parameters(route.query, 'query'),
      ...headerParameters(route),
      ...routeHeaders(route),
    ],
    ...(route.body ? { requestBody: requestBody(route) } : {}),
    responses: responses(route),
  }
}

function parameters(schema: TSchema | undefined, location: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = (schema ? publishedSchema(schema) : {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(
    ([name, { description, ...each }]): Json => ({
      name,
      in: location,
      required: location === 'path' || required.includes(name),
      ...(description ? { description } : {}),
      schema: each,
    }),
  )
}

function headerParameters({ method, permission, showsSecret }: Route): Json[] {
  if (method !== 'POST' || permission === 'public') return []
  const description = showsSecret
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

function routeHeaders({ requestHeaders = {} }: Route): Json[] {
  return Object.entries(requestHeaders).map(([name, each]) => ({ name, in: 'header', required: false, ...each }))
}

function requestBody({ body, upload }: Route): Json {
  const schema = publishedSchema(((body as Json | undefined)?.['x-reference'] ?? body) as TSchema)
  if (!upload) return { required: true, content: { 'application/json': { schema } } }
  const { properties } = body as unknown as { properties: Json }
  const file = { type: 'string', contentMediaType: 'application/octet-stream', description: 'The content of the file.' }
  const form = { type: 'object', required: ['file'], properties: { file, ...properties }, ...closed }
  return { required: true, content: { 'multipart/form-data': { schema: form } } }
}

function responses(route: Route): Json {
  const { reply, moreReplies = [] } = route
  const success = [reply, ...moreReplies].map(({ status, description, schema, ...each }): [string, Json] => {
    const mediaType = 'mediaType' in each ? (each.mediaType as string) : undefined
    if (mediaType) return [String(status), { description, content: { [mediaType]: schema ? { schema } : {} } }]
    return [String(status), { description, ...(schema ? { content: { 'application/json': { schema } } } : {}) }]
  })
  const failures = errorGroups(route).map(([status, codes]): [string, Json] => [
    String(status),
    { $ref: `#/components/responses/${errorResponseName(codes)}` },
  ])
  return Object.fromEntries([...success, ...failures])
}

/** The error codes of a route by their status. */
function errorGroups(route: Route): [status: number, codes: ErrorCode[]][] {
  return [...Map.groupBy(errorsOf(route), (code) => errors[code].status)]
}

/** `NotFound`, or `InternalErrorOrTimeout` for a status with two codes. */
function errorResponseName(codes: ErrorCode[]): string {
  const words = codes.join('_or_').split('_')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

const retryHeaders = {
  'Retry-After': { description: 'Seconds to wait before retrying.', schema: { type: 'integer' } },
}

/** Of every response to a valid key. They are declared where a client needs them. */
const rateLimitHeaders = {
  'X-RateLimit-Limit': { description: 'Requests allowed per minute.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Requests left in this minute.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'End of this minute, as a Unix timestamp.', schema: { type: 'integer' } },
  RateLimit: {
    description: 'Requests left, and seconds until the reset: `"requests";r=299;t=42`.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The limit and its window in seconds: `"requests";q=300;w=60`.',
    schema: { type: 'string' },
  },
}

function errorResponse(codes: ErrorCode[]): Json {
  const headers = {
    ...(codes.includes('rate_limited') || codes.includes('unavailable') ? retryHeaders : {}),
    ...(codes.includes('rate_limited') ? rateLimitHeaders : {}),
  }
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code].meaning}`).join('\n\n'),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            { type: 'object', properties: { error: { type: 'object', properties: { code: { enum: codes } } } } },
          ],
        },
      },
    },
  }
}
