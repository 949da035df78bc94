/** Routes on HTTP: the order of a request's stages, and the only home of the HTTP framework. */
import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Once } from '../domain/idempotency.ts'
import type { Caller } from '../domain/key.ts'
import { asFault, Fault, failure, invalidRequest } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Route, RouteRequest, RouteResponse } from './define-route.ts'
import { authenticate } from './request/authenticate.ts'
import { authorizeKey, authorizePlan } from './request/authorize.ts'
import { clientAddress } from './request/client-address.ts'
import { type ConnectionLimits, httpServers } from './request/connections.ts'
import { checkHost } from './request/host.ts'
import { respondOnce } from './request/idempotency.ts'
import {
  type MethodsOf,
  methodNotAllowed,
  methodsOfPaths,
  type PathMethods,
  shadowedMethods,
} from './request/methods.ts'
import { decodeText, parseJson, parserOf } from './request/parse.ts'
import { rateLimit } from './request/rate-limit.ts'
import { requestIdOf } from './request/request-id.ts'
import { type AddressLimit, hasCredentials, throttleAddress } from './request/throttle.ts'
import { type Part, readUpload } from './request/upload.ts'
import { type Closing, createClosing } from './response/closing.ts'
import { sendThenDrain } from './response/drain.ts'
import { eventStreamHeaders } from './response/event-stream.ts'
import { errorsOf } from './response/openapi.ts'
import { problemResponse } from './response/problem.ts'
import type { Services } from './services.ts'
import type { Site } from './static/site.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    routeId?: string
  }
}

/** What the server tells of requests; never a header, a body or a query. */
export interface RequestLog {
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
  /** The console. Undefined where it is switched off: `/` leads to the reference then. */
  site?: Site | undefined
}

export interface ClientLimits extends ConnectionLimits {
  wrongKeys: AddressLimit
  signIns: AddressLimit
  /** A response whose client reads nothing for so long is ended. Streams of events send a comment more often than this. */
  stalledResponseSeconds: number
}

export interface Server {
  /** The port it listens on. */
  listen(options: { host: string; port: number }): Promise<number>
  /** From now on each response closes its connection. Requests get this long before `close` cuts them. */
  end(withinMs: number): void
  /** Accepts no new connections and resolves when all are closed. */
  close(): Promise<void>
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export function createServer(options: ServerOptions): Server {
  const { routes, services, clients, log, headers = {} } = options
  const app = fastify({
    logger: false,
    genReqId: (request) => requestIdOf(request.headers['x-request-id'], services.clock),
    bodyLimit: limits.jsonBodyBytesMax,
    serverFactory: httpServers(clients, services.clock, log),
    trustProxy: clients.trustedProxies.length > 0 && [...clients.trustedProxies],
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 5_000, ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) =>
      void fail(error, request as FastifyRequest, reply as unknown as FastifyReply, options),
    // Every server of `serverFactory` has its own.
    clientErrorHandler: () => {},
  })
  const closing = createClosing()
  closings.set(app, closing)
  readBodies(app)
  const common = { ...headers, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }
  app.addHook('onRequest', async (request, reply) => {
    checkHost(request.raw)
    reply.header('x-request-id', request.id).headers(common)
    // Here, before the body is read: the framework would read it for its handler of paths that are not found.
    return request.is404 ? answerOther(request, reply) : undefined
  })
  app.setErrorHandler((error, request, reply) => fail(error, request, reply, options))
  app.addHook('onResponse', async (request, reply) => logRequest(request, reply, options))
  app.addHook('onSend', async (request, reply) => {
    // A client that still sends must not lose the response with its connection: `fail` drains it.
    if (closing.hasBegun() && request.raw.complete) reply.header('connection', 'close')
    // Only from now on: a handler may take longer than a client may read nothing.
    reply.raw.setTimeout(clients.stalledResponseSeconds * 1_000)
  })

  const paths: PathMethods[] = [{ url: '/', methods: ['GET', 'HEAD'] }]
  for (const route of routes) {
    const handler = handlerOf(route, options)
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1')
    const places = route.root === 'only' ? [path] : route.root === 'also' ? [`/v1${path}`, path] : [`/v1${path}`]
    // A HEAD is a GET whose bytes stay here.
    const method = route.method === 'GET' ? ['GET', 'HEAD'] : route.method
    const bodyLimit = route.bodyBytesMax ?? limits.jsonBodyBytesMax
    for (const url of places) {
      app.route({ method, url, config: { routeId: route.id }, bodyLimit, handler, ...guard(route, options) })
      paths.push({ url, methods: [method].flat() })
    }
  }
  if (options.site === undefined)
    app.route({ method: ['GET', 'HEAD'], url: '/', handler: (_request, reply) => reply.redirect('/docs') })
  const answerOther = otherPaths(methodsOfPaths(paths), options)
  for (const { url, methods } of shadowedMethods(paths))
    app.route({ method: [...methods], url, onRequest: answerOther, handler: answerOther })
  app.setNotFoundHandler(answerOther)
  return {
    async listen({ host, port }) {
      await app.listen({ host, port })
      const address = app.server.address()
      return typeof address === 'object' && address !== null ? address.port : port
    },
    end: closing.begin,
    close: () => closing.finish(app.server, () => app.close()),
  }
}

/** Requests that no route matches: files and pages of the console, wrong methods, and paths that do not exist. */
function otherPaths(methodsOf: MethodsOf, options: ServerOptions): Handler {
  return async (request, reply) => {
    const [path = '/'] = request.url.split('?')
    // Below /v1 everything asks for a key, also what does not exist.
    if (/^\/v1(\/|$)/.test(path)) await admit([], request, reply, options)
    const methods = methodsOf(path)
    if (methods && !methods.includes(request.method)) throw methodNotAllowed(request.method, path, methods)
    const { status = 200, headers = {}, body } = (await options.site?.(request)) ?? {}
    if (body !== undefined) return send({ status, headers, body }, reply)
    throw new Fault('not_found', `There is no ${request.method} ${path}.`)
  }
}

const callers = new WeakMap<FastifyRequest, Caller>()

/** Before the body is read: who calls, may it, and is there room in its minute. */
function guard(route: Route, options: ServerOptions) {
  const { permission, isSignIn } = route
  if (permission !== 'public')
    return {
      onRequest: async (request: FastifyRequest, reply: FastifyReply) => admit(permission, request, reply, options),
    }
  if (isSignIn) return { onRequest: (request: FastifyRequest) => throttle('signIns', request, options) }
  return {}
}

/** Requests that were refused by a limit per address: one line of the log stands for all of a minute. */
const unlogged = new WeakSet<FastifyRequest>()

async function throttle(
  name: 'wrongKeys' | 'signIns',
  request: FastifyRequest,
  { clients, log }: ServerOptions,
): Promise<void> {
  const address = addressOf(request)
  const what = name === 'signIns' ? 'sign-ins' : 'requests with a wrong key'
  const refusal = await throttleAddress(clients[name], address, what)
  if (refusal === undefined) return
  if (refusal.isFirst) log.warn({ ip: address, limit: clients[name].max }, `more ${what} than allowed in a minute`)
  else unlogged.add(request)
  throw refusal.fault
}

function addressOf(request: FastifyRequest): string {
  return clientAddress(request.ip, request.socket.remoteAddress)
}

/** authenticate -> plan -> rate limit -> permission. */
async function admit(
  permission: Exclude<Route['permission'], 'public'>,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ServerOptions,
): Promise<void> {
  const { services } = options
  // Looked up first and counted after: a valid key passes, whatever else came from its address.
  const { caller, headers } = await authenticate(request, services).catch(async (error: unknown) => {
    if (error instanceof Fault && error.code === 'unauthorized' && hasCredentials(request.headers))
      await throttle('wrongKeys', request, options)
    throw error
  })
  callers.set(request, caller)
  reply.headers(headers)
  const rate = await rateLimit(caller, services.counter, services.clock.now())
  reply.headers(rate.headers)
  authorizePlan(caller, permission)
  if (rate.fault) throw rate.fault
  authorizeKey(caller, permission)
}

/** parse -> idempotency -> handle -> send. */
function handlerOf(route: Route, options: ServerOptions): Handler {
  const { services } = options
  const parse = parserOf(route)
  return async (request, reply) => {
    const upload = route.upload ? await readUpload(partsOf(request, options), services.images.stage) : undefined
    let answer: Required<RouteResponse>
    try {
      const sent = parse({ params: request.params, query: request.query, body: upload ? upload.fields : request.body })
      const caller = callers.get(request) as Caller
      const handle = async (once?: Once): Promise<Required<RouteResponse>> => {
        const input = {
          ...sent,
          file: upload?.file,
          caller,
          once,
          headers: request.headers,
          method: request.method,
          signal: abortOnDisconnect(reply),
        }
        const given = await route.handle(input as unknown as RouteRequest<never, never, never>, services)
        return { status: given.status ?? route.reply.status, headers: given.headers ?? {}, body: given.body }
      }
      const header = request.headers['idempotency-key']
      if (request.method !== 'POST' || header === undefined || caller === undefined) {
        answer = await handle()
      } else {
        const content = { query: sent.query, body: sent.body, file: upload?.file.sha256 ?? null }
        const isReplayable = route.showsSecret !== true
        const key = {
          header: String(header),
          caller,
          method: request.method,
          path: withoutTrailingSlash(request.url),
          content,
          isReplayable,
        }
        answer = await respondOnce(services.idempotency, key, (once) =>
          handle(once).catch((error) => replayable(error, request)),
        )
      }
    } catch (error) {
      // Storing discards what it cannot take; this is for what never came so far.
      await upload?.file.discard()
      throw error
    }
    await upload?.file.discard()
    return send(answer, reply)
  }
}

const clientDisconnected = failure('cancelled', 'The client left before it was answered.')

/** Not Fastify's `request.signal`: that hears the end of the request, which has come whole when it is handled. */
function abortOnDisconnect({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const look = () => {
    if (raw.destroyed && !raw.writableFinished) gone.abort(clientDisconnected)
  }
  look()
  raw.once('close', look)
  return gone.signal
}

/** A failed execution is an answer like any other under an Idempotency-Key; other faults leave the key free. */
function replayable(error: unknown, request: FastifyRequest): Required<RouteResponse> {
  if (error instanceof Fault && error.code === 'workflow_failed') return problemResponse(error, request.id)
  throw error
}

const closings = new WeakMap<FastifyInstance, Closing>()

function send({ status, headers, body }: Required<RouteResponse>, reply: FastifyReply): FastifyReply {
  reply.code(status).headers(headers)
  if (body !== null && headers['content-type'] === eventStreamHeaders['content-type'])
    closings.get(reply.server)?.trackStream(reply.raw)
  if (body === null || body instanceof Buffer) return reply.send(body)
  if (typeof body === 'object' && Symbol.asyncIterator in body) {
    return reply.send(Readable.from(body as AsyncIterable<Uint8Array>, { objectMode: false }))
  }
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
}

async function fail(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { log, routes }: ServerOptions,
): Promise<FastifyReply> {
  const fault = faultOf(error, request)
  if (fault.code === 'unavailable' && fault.cause)
    log.warn({ requestId: request.id, err: fault.cause }, 'request refused')
  if (fault.code === 'internal_error') log.error({ requestId: request.id, err: fault.cause ?? error }, 'request failed')
  const route = routes.find(({ id }) => id === request.routeOptions.config.routeId)
  // A code that the reference does not tell of is a fault of ours, and loud in tests.
  if (route && !errorsOf(route).includes(fault.code))
    log.error({ requestId: request.id, code: fault.code, route: route.id }, 'undeclared error code')
  const { status, headers, body } = problemResponse(fault, request.id)
  const text = JSON.stringify(body)
  reply.code(status).headers(headers).type('application/json; charset=utf-8')
  if (request.raw.complete) return reply.send(text)
  reply.removeHeader('connection')
  reply.header('content-length', Buffer.byteLength(text))
  return reply.send(Readable.from(sendThenDrain(text, request.raw), { objectMode: false }))
}

/** The framework's own refusals are the caller's mistakes: all of them are 400 here. */
function faultOf(error: unknown, request: FastifyRequest): Fault {
  const { code, statusCode, message } = error as { code?: string; statusCode?: number; message?: string }
  // The client went away: nobody reads the answer, and nothing is wrong with the service.
  if (error === clientDisconnected) return invalidRequest([{ path: '', message: 'the connection broke off' }])
  if (code === 'ECONNRESET' && message === 'aborted')
    return invalidRequest([{ path: '', message: 'the body broke off' }])
  if (error instanceof Fault || !code?.startsWith('FST_') || statusCode === undefined || statusCode >= 500)
    return asFault(error)
  const text =
    code === 'FST_ERR_CTP_BODY_TOO_LARGE'
      ? `the body has more than ${request.routeOptions.bodyLimit} bytes`
      : code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
        ? 'the Content-Type must be application/json, or multipart/form-data for an upload'
        : (message ?? 'the request is not valid')
  return invalidRequest([{ path: '', message: text }])
}

function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      done(null, bytes.length === 0 ? undefined : parseJson(decodeText(bytes as Buffer, request.headers)))
    } catch (error) {
      done(error as Error)
    }
  })
  app.register(multipart, {
    limits: { fieldNameSize: 100, fieldSize: 10_000, fields: 20, files: 2, parts: 30, headerPairs: 50 },
    throwFileSizeLimit: false,
  })
}

function partsOf(request: FastifyRequest, { uploadBytesMax }: ServerOptions): AsyncIterable<Part> {
  if (!request.isMultipart())
    throw invalidRequest([{ path: '', message: 'the Content-Type must be multipart/form-data' }])
  // One byte more than is taken, so that storage is the one that counts.
  return request.parts({ limits: { fileSize: uploadBytesMax + 1 } }) as unknown as AsyncIterable<Part>
}

function logRequest(request: FastifyRequest, reply: FastifyReply, { log, services }: ServerOptions): void {
  if (unlogged.has(request)) return
  const caller = callers.get(request)
  if (caller !== undefined) services.requestCounts.count(caller.account.id, reply.statusCode)
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

function withoutTrailingSlash(url: string): string {
  return url.replace(/(?<=[^/])\/(?=\?|$)/, '')
}
