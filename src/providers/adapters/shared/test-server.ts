/**
 * Helpers for tests of adapters: a server with scripted responses that records its requests, and the real HTTP client
 * for it.
 */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { Capability, ModelRequest, RequestImage, RequestMask } from '../../../domain/models/model.ts'
import { createProviderHttp } from '../../../net/provider-http.ts'
import { type Call, type ModelRow, type Provider, type ProviderContext, ProviderProblem } from '../../define.ts'

export interface StubRequest {
  method: string
  path: string
  headers: http.IncomingHttpHeaders
  body: Buffer
  json: Record<string, unknown>
  form: () => Promise<FormData>
}

export interface StubResponse {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  body?: string | Buffer
}

export interface Scripted {
  url: string
  requests: StubRequest[]
}

export const secret = 'sk-very-secret-key-1234567890'

/** If `respond` returns undefined, the connection is closed. */
export async function serve(
  t: TestContext,
  respond: (request: StubRequest, url: string) => StubResponse | undefined,
): Promise<Scripted> {
  const requests: StubRequest[] = []
  const server = http.createServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray())
    const type = incoming.headers['content-type'] ?? ''
    const request: StubRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body,
      json: type === 'application/json' ? JSON.parse(body.toString()) : {},
      form: () => new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData(),
    }
    requests.push(request)
    const reply = respond(request, url)
    if (reply === undefined) return incoming.socket.destroy()
    const { status = 200, headers = {}, json } = reply
    const sent = json === undefined ? (reply.body ?? '') : JSON.stringify(json)
    response
      .writeHead(status, { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers })
      .end(sent)
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, requests }
}

export function contextOf(provider: Provider, baseUrl: string, extra: Partial<ProviderContext> = {}): ProviderContext {
  const { ownOrigins = [] } = provider
  return {
    settings: { apiKey: secret },
    baseUrl,
    http: createProviderHttp({ baseUrl, ownOrigins, allow: [], bytesMax: 20_000_000 }),
    signal: new AbortController().signal,
    ...extra,
  }
}

export async function callOf(
  provider: Provider,
  name: string,
  capability: Capability,
  request: Partial<Omit<ModelRequest, 'capability'>> = {},
): Promise<Call> {
  const rows = typeof provider.models === 'function' ? await provider.models({}) : provider.models
  const row = rows.find((each) => each.name === name)
  if (row === undefined) throw new Error(`${provider.id} has no row ${name}`)
  return callWith(row, capability, request)
}

export function callWith(
  row: ModelRow,
  capability: Capability,
  request: Partial<Omit<ModelRequest, 'capability'>> = {},
): Call {
  return {
    id: 'call_01jd0000000000000000000000',
    capability,
    model: row,
    request: { capability, images: [], ...request },
  }
}

export const image: RequestImage = {
  bytes: Buffer.from('the bytes of a picture'),
  mediaType: 'image/png',
  width: 64,
  height: 48,
}

export const mask: RequestMask = {
  white: async () => Buffer.from('white'),
  black: async () => Buffer.from('black'),
  transparent: async () => Buffer.from('transparent'),
}

/** The bytes of a file in the form that was sent. */
export async function fileText(request: StubRequest | undefined, name: string): Promise<string> {
  const file = (await request?.form())?.get(name)
  return file instanceof File ? file.text() : `no file ${name}`
}

/** The problem that a promise rejects with; its message must not contain the key. */
export async function problemOf(work: Promise<unknown>): Promise<ProviderProblem> {
  const error = await work.then(
    (value) => new Error(`resolved with ${JSON.stringify(value)}`),
    (reason) => reason,
  )
  if (!(error instanceof ProviderProblem)) throw error
  if (JSON.stringify([error.message, error.facts]).includes(secret)) throw new Error(`tells the key: ${error.message}`)
  return error
}
