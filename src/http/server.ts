/** The HTTP server: the stages of a request in their order. The only file that imports Fastify. */

import { AsyncLocalStorage } from 'node:async_hooks'
import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import fastify, { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type Actor, actAs, currentActor } from '../domain/accounts/audit.ts'
import type { Caller } from '../domain/accounts/key.ts'
import { createFairQueue, type FairQueue } from '../domain/fair-queue.ts'
import type { IdempotentCreate } from '../domain/idempotency.ts'
import { begin, type Observation, type ObservedWork } from '../domain/observed.ts'
import { Fault } from '../errors.ts'
import { limits } from '../limits.ts'
import type { CallApi } from '../mcp/api.ts'
import { needsLive, type Route, type RouteRequest, type RouteResponse } from './define-route.ts'
import { createReads, type Reads } from './reads.ts'
import { authenticate } from './request/authenticate.ts'
import { authorizeKey, authorizeMode, authorizePlan, type Needed } from './request/authorize.ts'
import { type AddressOf, addressFinder, unknownAddress } from './request/client-address.ts'
import { type ConnectionLimits, httpServers } from './request/connections.ts'
import { headFault, shortUrl } from './request/head.ts'
import { respondOnce } from './request/idempotency.ts'
import { mediaTypesOf } from './request/media-types.ts'
import { methodNotAllowed, methodsOfPaths, type PathMethods, pathNotFound, shadowedMethods } from './request/methods.ts'
import { parseBody, parserOf, shortBodyBytes } from './request/parse.ts'
import { countedOf, rateLimit } from './request/rate-limit.ts'
import { requestIdOf } from './request/request-id.ts'
import { streamOf } from './request/stream.ts'
import { type AddressLimit, hasCredentials, throttleAddress } from './request/throttle.ts'
import { fieldBytesMax, partsOf, readInLimit, readUpload, type Upload } from './request/upload.ts'
import { type Closing, createClosing } from './response/closing.ts'
import { errorHeadersNear } from './response/cross-origin.ts'
import { abortOnDisconnect } from './response/disconnect.ts'
import { sendThenDrain } from './response/drain.ts'
import { eventStreamHeaders } from './response/event-stream.ts'
import { clientDisconnected, faultOf } from './response/framework-fault.ts'
import { isOpenAiPath, openAiProblem } from './response/openai-problem.ts'
import { errorsOf } from './response/openapi.ts'
import { problemResponse } from './response/problem.ts'
import { runLinkFault } from './response/run-link-fault.ts'
import { isPieces, serialized } from './response/serialized.ts'
import type { Services } from './services.ts'
import type { Site } from './static/site.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    routeId?: string
    /** The path as the OpenAPI document has it. */
    template?: string
    /** Media types of the body. */
    mediaTypes?: string[]
  }
}

/** Connections that wait to be accepted. With Node's 511, a burst of new clients loses some. Linux uses at most `net.core.somaxconn`, 4,096 by default. */
const backlogMax = 4_096

export interface Server {
  /** Resolves with the port. */
  listen(options: { host: string; port: number }): Promise<number>
  /** Each response closes its connection from now on. `close` waits this long for open requests. */
  end(withinMs: number): void
  /** Stops accepting connections. Resolves when all are closed. */
  close(): Promise<void>
  /** Handles a request without a connection, for commands of the operator. The same stages, headers and errors as over the network. */
  respond(input: string | URL | Request, init?: RequestInit): Promise<Response>
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** The log of requests. Headers, bodies and queries are never logged. */
interface RequestLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

export interface ServerOptions {
  routes: Route[]
  services: Services
  log: RequestLog
  uploadBytesMax: number
  clients: ClientLimits
  /** Headers of every response, with lower-case names. */
  headers?: Record<string, string>
  /** The console. Undefined if it is disabled; `/` redirects to the API reference then. */
  site?: Site | undefined
  /** The documentation. Undefined if it is disabled. */
  docs?: Site | undefined
}

export interface ClientLimits extends ConnectionLimits {
  wrongKeys: AddressLimit
  signIns: AddressLimit
  /** A response is aborted after its client reads nothing for this time. Event streams send comments more often. */
  stalledResponseSeconds: number
}

export function createServer(options: ServerOptions): Server {
  const { routes, services, clients, log, headers = {} } = options
  const common = { ...headers, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }
  const app = fastify({
    logger: false,
    genReqId: (request) => requestIdOf(request.headers['x-request-id'], services.clock),
    bodyLimit: limits.jsonBodyBytesMax,
    serverFactory: httpServers(clients, services.clock, log),
    rewriteUrl: ({ url = '/' }) => shortUrl(url),
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 5_000, ignoreTrailingSlash: true },
    // Of a malformed path, before any hook.
    frameworkErrors(error, request, reply) {
      reply.header('x-request-id', request.id).headers(common)
      void sendError(error, request as FastifyRequest, reply as unknown as FastifyReply, options)
    },
    // `httpServers` handles client errors.
    clientErrorHandler: () => {},
  })
  /** False if all requests are those of `respond`, which have no connection. */
  let isListening = false
  const closing = createClosing()
  const reads = createReads()
  const uploads = createFairQueue({ perAccount: limits.longUploadsPerAccountMax })
  const addressOf = addressFinder(clients.trustedProxies)
  ofServers.set(app, { closing, reads, addressOf, uploads })
  addBodyParsers(app, reads)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).headers(common)
    const fault = headFault(request.raw, request.originalUrl)
    if (fault) throw fault
    // In this hook because Fastify reads the body before its not-found handler.
    return request.is404 ? respondUnrouted(request, reply) : undefined
  })
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, options))
  app.addHook('onResponse', async (request, reply) => {
    const begun = observations.get(request) ?? observed(request, reply)
    if (begun === undefined) return logRequest(request, reply, options)
    begun.facts.status = reply.statusCode
    begun.observation.run(() => logRequest(request, reply, options))
    begun.observation.end()
  })
  app.addHook('onSend', async (request, reply) => {
    // If the client is still sending, a closed connection would lose the response: `sendError` drains the request.
    if (closing.hasStarted() && request.raw.complete) reply.header('connection', 'close')
    if (isInner()) return
    // Set here and not earlier: a handler may take longer than the timeout.
    if (isListening) reply.raw.setTimeout(clients.stalledResponseSeconds * 1_000)
  })

  const paths: PathMethods[] = [{ url: '/', methods: ['GET', 'HEAD'] }]
  for (const route of routes) {
    const handler = handlerOf(route, options, reads)
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1')
    const urls = route.root === 'only' ? [path] : route.root === 'also' ? [`/v1${path}`, path] : [`/v1${path}`]
    // A HEAD is handled as a GET whose body isn't sent.
    const method = route.method === 'GET' ? ['GET', 'HEAD'] : route.method
    const bodyLimit = route.bodyBytesMax ?? limits.jsonBodyBytesMax
    for (const [i, url] of urls.entries()) {
      const template = i === 0 && route.root !== 'only' ? `/v1${route.path}` : route.path
      const config = { routeId: route.id, template, mediaTypes: mediaTypesOf(route) }
      const declaration = { method, url, config, bodyLimit, handler, ...guard(route, options) }
      if (route.stream) app.register(async (streaming) => void readsBodies(streaming).route(declaration))
      else app.route(declaration)
      paths.push({ url, methods: [method].flat() })
    }
  }
  if (options.site === undefined)
    app.route({ method: ['GET', 'HEAD'], url: '/', handler: (_request, reply) => reply.redirect('/docs') })
  const respondUnrouted = unroutedHandler(paths, options)
  for (const { url, methods } of shadowedMethods(paths))
    app.route({ method: [...methods], url, onRequest: respondUnrouted, handler: respondUnrouted })
  app.setNotFoundHandler(respondUnrouted)
  return {
    async listen({ host, port }) {
      isListening = true
      await app.listen({ host, port, backlog: backlogMax })
      return (app.server.address() as { port?: number } | null)?.port ?? port
    },
    end: closing.begin,
    close: () => closing.finish(app.server, () => app.close()),
    respond: async (input, init) => {
      const { method, url, headers, body, signal } = new Request(input, init)
      const { pathname, search } = new URL(url)
      const response = await app.inject({
        method: method as 'GET',
        url: pathname + search,
        headers: Object.fromEntries(headers),
        ...(body && { payload: Readable.fromWeb(body as WebStream) }),
        signal,
        payloadAsStream: true,
      })
      const { statusCode: status } = response
      const isEmpty = method === 'HEAD' || status === 204 || status === 304
      // Not `Readable.toWeb`, which throws if a body is cancelled while it is read (Node 24.21).
      const stream = response.stream()
      // A reader that leaves is a client that disconnects.
      stream.once('close', () => response.raw.res.destroy())
      const content = ReadableStream.from(stream)
      return new Response(isEmpty ? null : content, { status, headers: pairsOf(response.headers) })
    },
  }
}

type WebStream = Parameters<typeof Readable.fromWeb>[0]

function pairsOf(headers: OutgoingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, String(each)]),
  )
}

/** Handles requests without a route: documentation, the console's files and pages, wrong methods (405) and unknown paths (404). */
function unroutedHandler(paths: readonly PathMethods[], options: ServerOptions): Handler {
  const methodsOf = methodsOfPaths(paths)
  return async (request, reply) => {
    const [path = '/'] = request.url.split('?')
    // Unknown paths below /v1 require a key, too.
    if (/^\/v1(\/|$)/.test(path)) await admit({ permission: [] }, request, reply, options)
    const methods = methodsOf(path)
    if (methods && !methods.includes(request.method)) throw methodNotAllowed(request.method, path, methods)
    const {
      status = 200,
      headers = {},
      body,
    } = (await options.docs?.(request)) ?? (await options.site?.(request)) ?? {}
    if (body !== undefined) return send({ status, headers, body }, reply)
    throw pathNotFound(request.method, path, paths)
  }
}

const callers = new WeakMap<FastifyRequest, Caller>()
const signals = new WeakMap<FastifyRequest, AbortSignal>()

/** Aborts when the client of the request disconnects. */
function signalOf(request: FastifyRequest, { raw }: FastifyReply): AbortSignal {
  const signal = signals.get(request) ?? abortOnDisconnect(raw)
  signals.set(request, signal)
  return signal
}

/** The hook that runs before the body is read: authentication, rate limit and permission. */
function guard(route: Route, options: ServerOptions) {
  const { permission, rate, isSignIn } = route
  if (permission !== 'public')
    return {
      onRequest: async (request: FastifyRequest, reply: FastifyReply) =>
        admit({ permission, liveOnly: needsLive(route), rate }, request, reply, options),
    }
  return isSignIn ? { onRequest: (request: FastifyRequest) => throttle('signIns', request, options) } : {}
}

/** Requests over a limit per address. One log line per minute covers all of them. */
const unlogged = new WeakSet<FastifyRequest>()

async function throttle(
  name: 'wrongKeys' | 'signIns',
  request: FastifyRequest,
  { clients, log }: ServerOptions,
): Promise<void> {
  const address = addressOf(request)
  const kind = name === 'signIns' ? 'sign-ins' : 'requests with a wrong key'
  const refusal = await throttleAddress(clients[name], address, kind)
  if (refusal === undefined) return
  if (refusal.isFirst) log.warn({ ip: address, limit: clients[name].max }, `more ${kind} than allowed in a minute`)
  else unlogged.add(request)
  throw refusal.fault
}

function addressOf({ server, raw }: FastifyRequest): string {
  return ofServers.get(server)?.addressOf(raw) ?? unknownAddress
}

/** The first half of the stages. `README.md` of this folder has all stages in their order. */
async function admit(
  {
    permission,
    liveOnly = false,
    rate: apart,
  }: { permission: Needed; liveOnly?: boolean; rate?: Route['rate'] | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
  options: ServerOptions,
): Promise<void> {
  const { services } = options
  signalOf(request, reply).throwIfAborted()
  const inner = innerCallers.getStore()
  if (inner !== undefined) {
    callers.set(request, inner)
    authorizePlan(inner, permission)
    if (liveOnly) authorizeMode(inner, permission)
    authorizeKey(inner, permission)
    return
  }
  // Failed attempts are counted after the look-up, so a valid key is never throttled by other clients of its address.
  const { caller, headers } = await authenticate(request, services).catch(async (error: unknown) => {
    if (error instanceof Fault && error.code === 'unauthorized' && hasCredentials(request.headers))
      await throttle('wrongKeys', request, options)
    throw error
  })
  callers.set(request, caller)
  reply.headers(headers)
  signalOf(request, reply).throwIfAborted()
  // A command of the operator: neither the plan nor its rate applies.
  if (caller.key.id === undefined) return
  const rate = await rateLimit(caller, services.counter, services.clock.now(), apart)
  reply.headers(rate.headers)
  authorizePlan(caller, permission)
  if (rate.fault) throw rate.fault
  if (liveOnly) authorizeMode(caller, permission)
  authorizeKey(caller, permission)
}

/** The caller of requests that a handler makes within the process: they were authenticated and counted with its own request. */
const innerCallers = new AsyncLocalStorage<Caller>()

function isInner(): boolean {
  return innerCallers.getStore() !== undefined
}

function callApiFrom(request: FastifyRequest, signal: AbortSignal): CallApi {
  return async ({ method, path, headers = {}, body }) => {
    const caller = callers.get(request) as Caller
    const {
      statusCode,
      headers: received,
      rawPayload,
    } = await innerCallers.run(
      caller,
      // Dispatched when it is awaited.
      async () =>
        await request.server.inject({
          method,
          url: path,
          headers: { ...headers, 'x-request-id': request.id },
          remoteAddress: addressOf(request),
          signal,
          ...(body === undefined ? {} : { payload: body }),
        }),
    )
    return { status: statusCode, headers: received as Record<string, string | undefined>, bytes: rawPayload }
  }
}

/** The second half of the stages, after the body is read. */
function handlerOf(route: Route, options: ServerOptions, reads: Reads): Handler {
  const { services } = options
  const parse = parserOf(route)
  return (request, reply) => {
    const begun = observed(request, reply)
    if (begun === undefined) return handle(request, reply)
    observations.set(request, begun)
    return begun.observation.run(() => handle(request, reply))
  }

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const upload = route.upload && (await uploadOf(request, options, route.upload))
    let response: Required<RouteResponse>
    try {
      const stream = route.stream && streamOf(request, route.stream)
      const body = upload ? upload.fields : stream ? undefined : request.body
      const input = parse({ params: request.params, query: request.query, body })
      const caller = callers.get(request) as Caller
      const signal = signalOf(request, reply)
      signal.throwIfAborted()
      const respond = async (once?: IdempotentCreate): Promise<Required<RouteResponse>> => {
        const routeRequest = {
          ...input,
          file: upload?.file,
          stream,
          caller,
          once,
          headers: request.headers,
          method: request.method,
          requestId: request.id,
          url: request.url,
          callApi: callApiFrom(request, signal),
          onError: (err: unknown) => options.log.error({ requestId: request.id, err }, 'request failed'),
          signal,
        }
        const work = async () => {
          // The look-up of an Idempotency-Key waits for the database.
          signal.throwIfAborted()
          const returned = await route.handle(routeRequest as unknown as RouteRequest<never, never, never>, services)
          return { status: returned.status ?? route.reply.status, headers: returned.headers ?? {}, body: returned.body }
        }
        await route.wait?.(routeRequest as unknown as RouteRequest<never, never, never>, services)
        if (route.method !== 'GET') return actAs(actorOf(caller, addressOf(request)), work)
        if (caller === undefined) return work()
        return reads.run(caller.account.id, signal, async () => serialized(await work()))
      }
      const run = (once?: IdempotentCreate) =>
        respond(once).catch((error: unknown) => {
          throw route.permission === 'run-link' ? runLinkFault(error, request.id) : error
        })
      const header = request.headers['idempotency-key']
      const isOnce = request.method === 'POST' && header !== undefined && !route.ignoresIdempotencyKey
      if (!isOnce || caller === undefined) {
        response = await run()
      } else {
        const content = { query: input.query, body: input.body, file: upload?.file.sha256 ?? null }
        const isReplayable = !route.showsSecret
        const { method, url } = request
        const key = { header: String(header), caller, method, url, content, isReplayable }
        response = await respondOnce(services.idempotency, key, (once) =>
          run(once).catch((error) => replayable(error, request, services)),
        )
      }
    } finally {
      // Has no effect on a stored file.
      await upload?.file.discard()
    }
    return send(response, reply)
  }
}

const observations = new WeakMap<FastifyRequest, RequestObservation>()

/** An observed request. The observation begins with the handler, or at the end of a request that was rejected before. */
interface RequestObservation {
  facts: ObservedWork['request']
  observation: Observation
}

/** A request within another one is a part of it: it would count twice, and begin another trace. */
function observed(request: FastifyRequest, reply: FastifyReply): RequestObservation | undefined {
  if (isInner()) return undefined
  const facts = {
    method: request.method,
    route: request.routeOptions.config.template,
    requestId: request.id,
    elapsedMs: reply.elapsedTime,
    traceparent: headerOf(request, 'traceparent'),
    tracestate: headerOf(request, 'tracestate'),
  }
  const observation = begin('request', facts)
  return observation && { facts, observation }
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

function actorOf(caller: Caller | undefined, address: string): Actor {
  if (caller === undefined) return { type: 'service', address }
  const { key, sessionId } = caller
  if (key.id === undefined) return currentActor()
  return { type: sessionId === undefined ? 'key' : 'session', keyId: key.id, sessionId, address }
}

/** The response of a failed execution is stored for the Idempotency-Key. Other errors leave the key unused, and so does a client that left. */
function replayable(error: unknown, request: FastifyRequest, services: Services): Required<RouteResponse> {
  const isOutcome = error instanceof Fault && error.code === 'workflow_failed' && error !== clientDisconnected
  if (isOutcome) return problemOf(error, request, services)
  throw error
}

interface OfServer {
  closing: Closing
  reads: Reads
  addressOf: AddressOf
  uploads: FairQueue
}

const ofServers = new WeakMap<FastifyInstance, OfServer>()

function send(response: Required<RouteResponse>, reply: FastifyReply): FastifyReply {
  const { status, headers, body } = serialized(response)
  reply.code(status).headers(headers)
  const { closing, reads } = ofServers.get(reply.server) ?? {}
  const isEventStream = headers['content-type'] === eventStreamHeaders['content-type']
  if (body !== null && isEventStream) closing?.trackStream(reply.raw)
  // Not null: Fastify would send it as JSON, and a cache copies the media type of a 304 to the stored image.
  if (!isPieces(body)) return reply.send(body ?? undefined)
  const caller = callers.get(reply.request)
  // Files without a caller are public: they come from the disk, without work.
  const sent =
    reads && caller && !isEventStream ? reads.pieces(caller.account.id, signalOf(reply.request, reply), body) : body
  return reply.send(Readable.from(sent, { objectMode: false }))
}

async function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { log, routes, services }: ServerOptions,
): Promise<FastifyReply> {
  const { bodyLimit: bodyBytesMax, config } = request.routeOptions
  const fault = faultOf(error, { headers: request.headers, bodyBytesMax, mediaTypes: config.mediaTypes })
  const route = routes.find(({ id }) => id === config.routeId)
  if (fault.code === 'internal_error') log.error({ requestId: request.id, err: fault.cause ?? error }, 'request failed')
  // The response of a run link has the id of the request in place of the cause.
  else if ((fault.code === 'unavailable' || route?.permission === 'run-link') && fault.cause)
    log.warn({ requestId: request.id, err: fault.cause }, 'request rejected')
  // An undocumented code is a bug. The API tests fail on this log line.
  if (route && !errorsOf(route).includes(fault.code))
    log.error({ requestId: request.id, code: fault.code, route: route.id }, 'undeclared error code')
  const { status, headers, body } = problemOf(fault, request, services)
  const text = JSON.stringify(body)
  const errorHeaders = route ? route.errorHeaders : errorHeadersNear(request.url, routes)
  reply.code(status).headers({ ...errorHeaders, ...headers, 'content-type': 'application/json; charset=utf-8' })
  // Undefined without a connection, where nothing needs to be drained.
  if (request.raw.complete !== false) return reply.send(text)
  reply.removeHeader('connection')
  reply.header('content-length', Buffer.byteLength(text))
  const drained = sendThenDrain(text, request.raw)
  return reply.send(Readable.from(drained, { objectMode: false }))
}

/** The error in the form that clients of the path read. */
function problemOf(fault: Fault, { id, url }: FastifyRequest, { docsUrl }: Services): Required<RouteResponse> {
  const problem = problemResponse(fault, id, docsUrl())
  return isOpenAiPath(url) ? openAiProblem(fault, problem) : problem
}

function addBodyParsers(app: FastifyInstance, reads: Reads): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const parse = async () => {
      try {
        done(null, parseBody(bytes as Buffer, request.headers))
      } catch (error) {
        done(error as Error)
      }
    }
    const account = callers.get(request)?.account
    if (account && bytes.length > shortBodyBytes) reads.run(account.id, signals.get(request), parse).catch(done)
    else void parse()
  })
  app.addContentTypeParser('*', (request, _payload, done) =>
    done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(request.headers['content-type'])),
  )
  app.register(multipart, {
    limits: { fieldNameSize: 100, fieldSize: fieldBytesMax, fields: 20, files: 2, parts: 30, headerPairs: 50 },
    throwFileSizeLimit: false,
  })
}

/** The handlers of its routes read the body, of any media type. */
function readsBodies(app: FastifyInstance): FastifyInstance {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  return app
}

function uploadOf(
  request: FastifyRequest,
  options: ServerOptions,
  names: NonNullable<Route['upload']>,
): Promise<Upload> {
  const { uploads } = ofServers.get(request.server) as OfServer
  const counted = countedOf(callers.get(request) as Caller)
  const read = () => readUpload(partsOf(request, options.uploadBytesMax), options.services.images.stage, names)
  return readInLimit(uploads, counted, request.headers, read)
}

function logRequest(request: FastifyRequest, reply: FastifyReply, { log, services }: ServerOptions): void {
  if (unlogged.has(request)) return
  const caller = callers.get(request)
  if (caller?.key.id !== undefined && !isInner()) services.requestCounts.count(caller.account.id, reply.statusCode)
  const facts = {
    requestId: request.id,
    route: request.routeOptions.config.routeId ?? 'none',
    method: request.method,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    ip: addressOf(request),
    ...(caller === undefined ? {} : { account: caller.account.id, key: caller.key.id }),
  }
  log.info(facts, 'request')
}
