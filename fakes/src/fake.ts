/**
 * The common part of all fake providers: a server with the API and the result files, a log of the requests, the jobs that the
 * real provider would bill, and scripted faults.
 */
import { createHash, randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { controlResponse } from './control.ts'
import { createFaults, type Fault, injectFault } from './faults.ts'
import { createJobs, type Jobs } from './jobs.ts'
import { type Part, readBody } from './request-body.ts'
import { type FakeResponse, Refusal, sendResponse, whole } from './responses.ts'

export interface FakeOptions {
  /** Default: any that is free. */
  port?: number
  /** The valid key. Default: `fake`. */
  key?: string
  /** How long a job or an answer takes. Default: 0. */
  latencyMs?: number
  /** How often a job is reported as unfinished before it is done, however long it takes. Default: 1. */
  pollsMin?: number
  /** Serve result files from a separate origin. */
  filesElsewhere?: boolean
}

export interface Fake {
  id: string
  /** The origin, without a slash at the end. */
  url: string
  key: string
  /** Base URL of result files: the same, unless they are elsewhere. */
  filesUrl: string
  /** Requests in the order in which they came; those of `/__fake` are not in it. */
  log: Logged[]
  /** The jobs that the real provider would bill: jobs that were accepted and carried out. */
  billed(): Billed[]
  /** Adds faults, which happen after those that are left of earlier scripts. */
  script(faults: Fault | Fault[]): void
  /** Forgets log, bills, faults and jobs, also what comes of requests that are still being answered. */
  reset(): void
  close(): Promise<void>
}

export interface Logged {
  order: number
  at: number
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  bodyBytes: number
  /** SHA-256, in hex. */
  bodyDigest: string
  /** Parsed JSON or form; base64 is replaced by its length. */
  fields: unknown
  /** Pictures that came with it, as they decode. */
  images: LoggedImage[]
  /** Fields that the provider reads past without a word: what they ask for does not happen. */
  ignored: string[]
  fault?: string
  /** Undefined until the response is sent, and if none was sent. */
  status?: number
  /** Bytes that were taken of a `huge` response. */
  sentBytes?: number
  /** Whether it came to the files of results, on whichever origin. */
  isFile: boolean
}

export interface LoggedImage {
  /** The field that it came in. */
  at: string
  format: string
  width: number
  height: number
  channels: number
  sha256: string
}

export interface Billed {
  /** The id of the job, or of the request if it started no job. */
  id: string
  model: string
  /** Order of the request that asked for it. */
  order: number
}

export interface FakeRequest {
  order: number
  method: string
  path: string
  query: URLSearchParams
  headers: http.IncomingHttpHeaders
  body: Buffer
  json: unknown
  parts: Part[]
  /** The fault of this request, if only the fake itself can simulate it. */
  fault: Fault['do'] | undefined
  log: Logged
}

export interface FakeContext extends Required<Omit<FakeOptions, 'port' | 'filesElsewhere'>> {
  url: string
  jobs: Jobs
  bill(entry: Billed): void
  unbill(id: string): void
  /** Keeps a result file; gives its URL. */
  keep(bytes: Buffer, type: string): string
  /** The bytes of a file that was stored, by its URL. */
  stored(url: string): Buffer | undefined
  /** An increasing number, used instead of a random one. */
  next(): number
}

/** The wire format of one provider. */
export interface FakeKind {
  id: string
  title: string
  /** The settings of a service that uses the fake. Paths are local. */
  env(url: string, key: string): Record<string, string>
  /** Undefined where the key is right, or none is needed. */
  unauthorized(request: FakeRequest, context: FakeContext): FakeResponse | undefined
  respond(request: FakeRequest, context: FakeContext): Promise<FakeResponse>
  /** An error as the provider words it. */
  error(status: number, message: string): FakeResponse
  /** No money left. */
  quota: FakeResponse
}

export async function startFakeOf(kind: FakeKind, options: FakeOptions = {}): Promise<Fake> {
  const { key = 'fake', latencyMs = 0, pollsMin = 1 } = options
  const log: Logged[] = []
  const bills: Billed[] = []
  const files = new Map<string, { bytes: Buffer; type: string }>()
  const faults = createFaults()
  const jobs = createJobs({ latencyMs, pollsMin })
  let count = 0
  let orders = 0
  /** Requests before this one are forgotten. */
  let firstOrder = 0
  let filesUrl = ''

  const context: FakeContext = {
    url: '',
    key,
    latencyMs,
    pollsMin,
    jobs,
    bill(entry) {
      if (entry.order >= firstOrder) bills.push(entry)
    },
    unbill: (id) => bills.splice(0, bills.length, ...bills.filter((entry) => entry.id !== id)),
    keep(bytes, type) {
      const path = `/files/${randomUUID()}.${type.split('/')[1]}`
      files.set(path, { bytes, type })
      return `${filesUrl}${path}`
    },
    stored: (url) => (url.startsWith(filesUrl) ? files.get(url.slice(filesUrl.length))?.bytes : undefined),
    next: () => ++count,
  }

  const fake: Fake = {
    id: kind.id,
    url: '',
    filesUrl: '',
    key,
    log,
    billed: () => [...bills],
    script: (script) => faults.add(script),
    reset() {
      firstOrder = orders
      log.length = 0
      bills.length = 0
      files.clear()
      faults.clear()
      jobs.clear()
    },
    async close() {
      await Promise.all(servers.map(closed))
    },
  }

  async function responseTo(request: FakeRequest): Promise<FakeResponse> {
    const file = files.get(request.path)
    if (request.log.isFile) {
      if (request.fault === 'expired' || file === undefined)
        return { status: 404, body: 'Not found', type: 'text/plain' }
      return { status: 200, body: file.bytes, type: file.type }
    }
    const refused = kind.unauthorized(request, context)
    if (refused !== undefined) return refused
    if (request.fault === 'quota') return kind.quota
    try {
      return await kind.respond(request, context)
    } catch (error) {
      if (error instanceof Refusal) return error.response
      throw error
    }
  }

  async function handle(incoming: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', 'http://fake')
    const method = incoming.method ?? ''
    const control = url.pathname.startsWith('/__fake/')
    const fault = control ? undefined : faults.take(method, url.pathname)
    if (fault?.do === 'reset' && fault.at === 'unread') {
      incoming.socket.destroy()
      return
    }
    const body = Buffer.concat(await incoming.toArray())
    if (control) return sendResponse(response, controlResponse(url.pathname, body, fake))
    const entry: Logged = {
      order: orders++,
      at: Date.now(),
      method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
      bodyBytes: body.byteLength,
      bodyDigest: sha256(body),
      fields: undefined,
      images: [],
      ignored: [],
      isFile: url.pathname.startsWith('/files/'),
      ...(fault && { fault: fault.do }),
    }
    log.push(entry)
    const { json, parts, fields } = await readBody(incoming.headers['content-type'], body)
    entry.fields = fields
    const request: FakeRequest = {
      order: entry.order,
      method,
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body,
      json,
      parts,
      fault: fault?.do,
      log: entry,
    }
    const respond = async () => {
      const partial = await responseTo(request)
      entry.status = partial.status
      return whole(partial)
    }
    if (fault === undefined) return sendResponse(response, await respond())
    await injectFault(fault, { incoming, response, respond, kind, entry })
  }

  const listener: http.RequestListener = (incoming, response) => {
    handle(incoming, response).catch((error) => {
      // The client went away in the middle of what it sent, or the fake itself is wrong: then the test must fail.
      if (response.headersSent || response.destroyed) response.destroy()
      else
        sendResponse(response, { status: 599, body: `the fake failed: ${error?.stack ?? error}`, type: 'text/plain' })
    })
  }
  const servers: http.Server[] = []
  const listen = async (port: number): Promise<string> => {
    const server = http.createServer({ keepAliveTimeout: 60_000 }, listener)
    servers.push(server)
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  fake.url = await listen(options.port ?? 0)
  context.url = fake.url
  filesUrl = options.filesElsewhere ? await listen(0) : fake.url
  fake.filesUrl = filesUrl
  return fake
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function closed(server: http.Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}
