/**
 * A service with two accounts: A, which does its worst, and B, which must not notice. Outside is a host of images and a
 * name server.
 */
import { readdirSync, readFileSync } from 'node:fs'
import http from 'node:http'
import { tintypeJson } from '../harness/cli.ts'
import { canvas, type Document, scale } from '../harness/documents.ts'
import { type HttpResponse, sendRequest } from '../harness/http.ts'
import { type NameServer, startNameServer } from '../harness/name-server.ts'
import { startNginx } from '../harness/nginx.ts'
import { type Service, startService } from '../harness/service.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Workflow } from '../harness/types.ts'

export interface Neighbour {
  key: string
  /** `path` comes after `/v1`. This account has separate connections. */
  send(method: string, path: string, options?: Sent): Promise<HttpResponse>
  /** Sends a request without the key. `path` is below the origin. */
  get(path: string, signal: AbortSignal): Promise<HttpResponse>
  /** Saves a workflow and returns its id. Throws if the service rejects it. */
  save(document: Document): Promise<string>
  /** The same client with another key. */
  as(key: string): Neighbour
}

export interface Sent {
  json?: unknown
  /** JSON that was serialized before. */
  text?: string
  bytes?: { type: string; body: Buffer }
  signal?: AbortSignal
}

export interface Setup {
  service: Service
  a: Neighbour
  b: Neighbour
  /** B's workflow: a canvas of 8 x 6 pixels. */
  tiny: string
  /** B's other workflow, with the parameter `source`: an image of an outside host. */
  fetching: string
  outside: SourceHost
  /** Knows one name, that of `sourceUrl`, and never responds for a name in `.silent.test`. */
  names: NameServer
  /** The URL at which the service finds `path` of the outside host. It has to look up the name. */
  sourceUrl(path: string): string
  close(): Promise<void>
}

export interface SetupOptions {
  /** The plan of account A. */
  plan?: 'starter' | 'enterprise'
  /** All clients connect to the proxy of deploy/. */
  behindProxy?: boolean
}

/** A comes from another address than B, so that a limit for one address hits A only. Only Linux has more than one on the loopback. */
export const addressOfA = process.platform === 'linux' ? '127.0.0.2' : undefined

const hostName = 'images.test'

/**
 * Starts the service without the step cache, so that every execution runs, and with a long time limit for fetches,
 * because tests delay the images that executions wait for.
 */
export async function openSetup(
  settings: Record<string, string> = {},
  { plan = 'enterprise', behindProxy = false }: SetupOptions = {},
): Promise<Setup> {
  const closing: (() => unknown)[] = []
  const close = async () => {
    for (const each of closing.toReversed()) await each()
  }
  try {
    const outside = await startSourceHost()
    closing.push(outside.close)
    const names = await startNameServer({ [hostName]: ['127.0.0.1'] })
    closing.push(names.close)
    const direct = await startService({
      CACHE_MAX_BYTES: '0',
      FETCH_ALLOW: `${hostName}:${outside.port}`,
      DNS_SERVERS: names.address,
      FETCH_TIMEOUT_SECONDS: '600',
      ...(behindProxy && { TRUSTED_PROXIES: '127.0.0.1' }),
      ...settings,
    })
    closing.push(direct.remove)
    const proxy = behindProxy ? await startNginx(direct.origin) : undefined
    if (proxy) closing.push(proxy.close)
    const service = proxy ? { ...direct, origin: proxy.origin } : direct
    const neighbour = (key: string, localAddress?: string): Neighbour => {
      // `localAddress` is passed on to net.connect.
      const agent = new http.Agent({ keepAlive: true, ...(localAddress && { localAddress }) } as http.AgentOptions)
      closing.push(() => agent.destroy())
      return createNeighbour(service, key, agent)
    }
    const b = neighbour(service.key)
    return {
      service,
      a: neighbour(await newKey(service, plan), addressOfA),
      b,
      tiny: await b.save(canvas()),
      fetching: await b.save(scale()),
      outside,
      names,
      sourceUrl: (path) => `http://${hostName}:${outside.port}${path}`,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function newKey(service: Service, plan: string): Promise<string> {
  const rate = plan === 'enterprise' ? ['--rate-limit', '1000000'] : []
  const create = ['accounts', 'create', '--name', 'A', '--plan', plan, ...rate]
  const { id } = await tintypeJson<{ id: string }>(service, ...create)
  return (await tintypeJson<{ key: string }>(service, 'keys', 'create', '--account', id)).key
}

function createNeighbour(service: Service, key: string, agent: http.Agent): Neighbour {
  const send: Neighbour['send'] = (method, path, { json, text, bytes, signal } = {}) => {
    const body = bytes?.body ?? text ?? (json === undefined ? undefined : JSON.stringify(json))
    const type = bytes?.type ?? 'application/json'
    const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': type }) }
    return sendRequest(service.origin, `/v1${path}`, { method, headers, body, agent, ...(signal && { signal }) })
  }
  return {
    key,
    send,
    get: (path, signal) => sendRequest(service.origin, path, { agent, signal }),
    async save(document) {
      const response = await send('POST', '/workflows', { json: document })
      if (response.status !== 201)
        throw new Error(`the workflow was answered with ${response.status}: ${response.bytes}`)
      return bodyOf<Workflow>(response).id
    },
    as: (other) => createNeighbour(service, other, agent),
  }
}

export function bodyOf<T>({ bytes }: HttpResponse): T {
  return JSON.parse(bytes.toString('utf8')) as T
}

/** Resident memory of each process of the service, with the processes that it has started, in bytes. */
export function residentBytes(service: Service): number[] {
  return service.processIds().map((pid) => 1024 * sum(withChildren(pid).map(residentKibibytes)))
}

function residentKibibytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readProc(`${pid}/status`))?.[1] ?? 0)
}

/** Open descriptors of the processes of the service: connections, files. */
export function openDescriptors(service: Service): number {
  return sum(service.processIds().map((pid) => readdirSync(`/proc/${pid}/fd`).length))
}

/** CPU time of the main threads of the service in milliseconds. 0 without /proc. */
export function mainThreadMs(service: Service): number {
  const nanoseconds = service.processIds().map((pid) => Number(readProc(`${pid}/task/${pid}/schedstat`).split(' ')[0]))
  return sum(nanoseconds) / 1e6
}

function withChildren(pid: number): number[] {
  const children = readProc(`${pid}/task/${pid}/children`).trim()
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number).flatMap(withChildren))]
}

/** Empty if the process has ended, as a child may between two checks. */
function readProc(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, 'utf8')
  } catch {
    return ''
  }
}

function sum(values: number[]): number {
  return values.reduce((total, each) => total + each, 0)
}
