/** A service with two accounts: A, which does its worst, and B, which must not notice. */
import { readdirSync, readFileSync } from 'node:fs'
import http from 'node:http'
import { tintypeJson } from '../harness/cli.ts'
import { canvas, type Document } from '../harness/documents.ts'
import { type Answer, ask } from '../harness/http.ts'
import { type Service, startService } from '../harness/service.ts'
import type { Workflow } from '../harness/types.ts'

export interface Neighbour {
  key: string
  /** `path` begins behind `/v1`. The connections are this account's own. */
  send(method: string, path: string, options?: Sent): Promise<Answer>
  /** Saves a workflow and returns its id. Throws when the service refuses it. */
  save(document: Document): Promise<string>
  /** The same client with another key. */
  as(key: string): Neighbour
}

export interface Sent {
  json?: unknown
  /** JSON that was made before. */
  text?: string
  bytes?: { type: string; body: Buffer }
  signal?: AbortSignal
}

export interface Stage {
  service: Service
  a: Neighbour
  b: Neighbour
  /** B's workflow: a canvas of 8 x 6 pixels. */
  tiny: string
  close(): Promise<void>
}

/** A comes from another address than B, so that a limit for one address hits A only. Only Linux has more than one on the loopback. */
export const addressOfA = process.platform === 'linux' ? '127.0.0.2' : undefined

/** Without the step cache, so that every execution runs. */
export async function openStage(settings: Record<string, string> = {}): Promise<Stage> {
  const service = await startService({ CACHE_MAX_BYTES: '0', ...settings })
  const agents: http.Agent[] = []
  const neighbour = (key: string, localAddress?: string): Neighbour => {
    // `localAddress` is passed on to net.connect.
    const agent = new http.Agent({ keepAlive: true, ...(localAddress && { localAddress }) } as http.AgentOptions)
    agents.push(agent)
    return createNeighbour(service, key, agent)
  }
  try {
    const b = neighbour(service.key)
    const a = neighbour(await newKey(service), addressOfA)
    return {
      service,
      a,
      b,
      tiny: await b.save(canvas()),
      async close() {
        for (const agent of agents) agent.destroy()
        await service.remove()
      },
    }
  } catch (error) {
    await service.remove()
    throw error
  }
}

async function newKey(service: Service): Promise<string> {
  const plan = ['--plan', 'enterprise', '--rate-limit', '1000000']
  const { id } = await tintypeJson<{ id: string }>(service, 'accounts', 'create', '--name', 'A', ...plan)
  return (await tintypeJson<{ key: string }>(service, 'keys', 'create', '--account', id)).key
}

function createNeighbour(service: Service, key: string, agent: http.Agent): Neighbour {
  const send: Neighbour['send'] = (method, path, { json, text, bytes, signal } = {}) => {
    const body = bytes?.body ?? text ?? (json === undefined ? undefined : JSON.stringify(json))
    const type = bytes?.type ?? 'application/json'
    const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': type }) }
    return ask(service.origin, `/v1${path}`, { method, headers, body, agent, ...(signal && { signal }) })
  }
  return {
    key,
    send,
    async save(document) {
      const answer = await send('POST', '/workflows', { json: document })
      if (answer.status !== 201) throw new Error(`the workflow was answered with ${answer.status}: ${answer.bytes}`)
      return bodyOf<Workflow>(answer).id
    },
    as: (other) => createNeighbour(service, other, agent),
  }
}

export function bodyOf<T>({ bytes }: Answer): T {
  return JSON.parse(bytes.toString('utf8')) as T
}

/** Memory that the service and the processes that it has started have resident, in bytes. */
export function residentBytes(service: Service): number {
  const kibibytes = service
    .processIds()
    .flatMap(withChildren)
    .map((pid) => Number(/^VmRSS:\s+(\d+)/m.exec(readProc(`${pid}/status`))?.[1] ?? 0))
  return sum(kibibytes) * 1024
}

/** Open descriptors of the processes of the service: connections, files. */
export function openDescriptors(service: Service): number {
  return sum(service.processIds().map((pid) => readdirSync(`/proc/${pid}/fd`).length))
}

/** CPU time that the main threads of the service have taken, in milliseconds. 0 where there is no /proc. */
export function mainThreadMs(service: Service): number {
  const nanoseconds = service.processIds().map((pid) => Number(readProc(`${pid}/task/${pid}/schedstat`).split(' ')[0]))
  return sum(nanoseconds) / 1e6
}

function withChildren(pid: number): number[] {
  const children = readProc(`${pid}/task/${pid}/children`).trim()
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number).flatMap(withChildren))]
}

/** Empty when the process has ended, as a child may between two looks. */
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
