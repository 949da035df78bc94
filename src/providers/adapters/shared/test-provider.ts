/** Helpers for tests of adapters: a server that records its requests, and calls like those of `ModelCall`. */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { Capability, ModelRequest, RequestImage, RequestMask } from '../../../domain/models/model.ts'
import { createProviderHttp } from '../../../net/provider-http.ts'
import type { Call, Provider, ProviderContext, ProviderResult } from '../../define.ts'

export interface Received {
  method: string
  path: string
  headers: http.IncomingHttpHeaders
  body: Buffer
  json: Record<string, unknown>
  /** The fields of a form in their order, with files as bytes. */
  form: [name: string, value: string | Buffer][]
}

export interface TestServer {
  url: string
  requests: Received[]
}

export type Respond = (request: Received, response: http.ServerResponse) => unknown

export async function serveProvider(t: TestContext, respond: Respond): Promise<TestServer> {
  const requests: Received[] = []
  const server = http.createServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray())
    const { method = '', url: path = '', headers } = incoming
    const type = headers['content-type'] ?? ''
    const received: Received = { method, path, headers, body, json: {}, form: [] }
    if (type.startsWith('application/json')) received.json = JSON.parse(body.toString())
    if (type.startsWith('multipart/form-data')) received.form = await formOf(body, type)
    requests.push(received)
    await respond(received, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

async function formOf(body: Buffer, type: string): Promise<[string, string | Buffer][]> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  return Promise.all(
    [...form].map(
      async ([name, value]): Promise<[string, string | Buffer]> => [
        name,
        typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()),
      ],
    ),
  )
}

export function respondJson(response: http.ServerResponse, value: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
}

/** A PNG of one pixel, padded by this many bytes, so that images differ. */
export function pngBytes(extra = 0): Buffer {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  return Buffer.concat([Buffer.from(png, 'base64'), Buffer.alloc(extra)])
}

export function requestImage(extra = 0): RequestImage {
  return { bytes: pngBytes(extra), mediaType: 'image/png', width: 1, height: 1 }
}

/** Its formats differ by their length: white 11, black 12, transparent 13 bytes more than a pixel. */
export const requestMask: RequestMask = {
  white: async () => pngBytes(11),
  black: async () => pngBytes(12),
  transparent: async () => pngBytes(13),
}

export interface CallFields extends Partial<ModelRequest> {
  signal?: AbortSignal
  row?: Record<`x-${string}`, unknown>
}

export function callOf(capability: Capability, model: string, { signal: _, row, ...request }: CallFields): Call {
  return {
    id: 'call_0001',
    capability,
    model: { name: model, can: { [capability]: {} }, ...row },
    request: { capability, images: [], ...request },
  }
}

export function contextOf(
  baseUrl: string,
  settings: ProviderContext['settings'],
  signal = new AbortController().signal,
): ProviderContext {
  const http = createProviderHttp({ baseUrl, allow: [], bytesMax: 1_000_000 })
  return { settings, baseUrl, http, signal }
}

/** The result of a provider without jobs. */
export async function callProvider(
  provider: Provider,
  server: { baseUrl: string; settings: ProviderContext['settings'] },
  capability: Capability,
  model: string,
  fields: CallFields = {},
): Promise<ProviderResult> {
  const context = contextOf(server.baseUrl, server.settings, fields.signal)
  const started = await provider.start(callOf(capability, model, fields), context)
  if (!('done' in started)) throw new Error('it is not done')
  return started.done
}
