/** Faults of a response or its transfer, and when they occur. */
import type http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { bomb, corrupted, withCorruptImages } from './corrupt-images.ts'
import type { FakeKind, Logged } from './fake.ts'
import { type FakeResponse, sendResponse, whole } from './responses.ts'

export interface Fault {
  when?: {
    method?: string
    /** Path of requests; over HTTP, the source of the expression. */
    path?: RegExp | string
    /** The first of those that match that it spoils, from 1. */
    nth?: number
  }
  /** How many it spoils. Default: 1. */
  times?: number
  do: FaultScript
  /** `status`, `html`, `redirect`. */
  status?: number
  headers?: Record<string, string>
  /** Body of `status`; a provider's own error if none is sent. */
  body?: unknown
  /**
   * The moment of `reset` and `hang`: before the request was carried out (default), after it was, in the middle of the
   * answer, or before the request was read.
   */
  at?: 'before' | 'after' | 'middle' | 'unread'
  /** Duration of `slow`. */
  ms?: number
  /** Size of `huge`. Default: 300 MB. */
  bytes?: number
  /** Target of `redirect`. */
  to?: string
}

export type FaultScript =
  | 'status'
  /** The connection is gone. */
  | 'reset'
  /** Nothing comes, and the connection stays. */
  | 'hang'
  /** Half of the response, then the connection closes. */
  | 'truncate'
  /** Half of the response, which ends regularly. */
  | 'cut'
  /** The images in the response are corrupt; the rest is valid. */
  | 'corrupt'
  /** The images in the response declare more pixels than any memory has. */
  | 'bomb'
  /** The images in the response are text. */
  | 'no-image'
  | 'slow'
  /** More than anybody should read. */
  | 'huge'
  | 'html'
  | 'redirect'
  /** The fake itself simulates the following faults as its provider documents them. */
  | 'moderated'
  | 'quota'
  /** The job or its result is gone. */
  | 'expired'
  /** The job fails. */
  | 'failed'
  /** It ends well, and gives nothing. */
  | 'empty'
  /** The job never ends. */
  | 'stuck'
  /** JSON that doesn't match the requested schema. */
  | 'mismatch'

export interface Faults {
  add(script: Fault | Fault[]): void
  /** The fault that this request meets; counts it. */
  take(method: string, path: string): Fault | undefined
  clear(): void
}

export function createFaults(): Faults {
  let faults: { fault: Fault; path: RegExp; count: number; left: number }[] = []
  return {
    add(script) {
      for (const fault of [script].flat())
        faults.push({ fault, path: new RegExp(fault.when?.path ?? ''), count: 0, left: fault.times ?? 1 })
    },
    take(method, path) {
      for (const entry of faults) {
        const { when = {} } = entry.fault
        if (entry.left === 0 || (when.method ?? method) !== method || !entry.path.test(path)) continue
        entry.count++
        if (entry.count < (when.nth ?? 1)) continue
        entry.left--
        return entry.fault
      }
      return undefined
    },
    clear() {
      faults = []
    },
  }
}

interface FaultContext {
  incoming: http.IncomingMessage
  response: http.ServerResponse
  /** Does what was asked. */
  respond(): Promise<FakeResponse & { body: Buffer }>
  kind: FakeKind
  entry: Logged
}

export async function injectFault(
  fault: Fault,
  { incoming, response, respond, kind, entry }: FaultContext,
): Promise<void> {
  const send = (sent: FakeResponse) => {
    entry.status = sent.status
    sendResponse(response, sent)
  }
  switch (fault.do) {
    case 'status': {
      const status = fault.status ?? 500
      if (fault.at === 'after') await respond()
      const body = kind.error(status, 'as told to')
      const { headers = {} } = fault
      if (fault.body === undefined) return send({ ...body, headers: { ...body.headers, ...headers } })
      const isText = typeof fault.body === 'string'
      return send({ status, headers, ...(isText ? { body: String(fault.body) } : { json: fault.body }) })
    }
    case 'reset': {
      if (fault.at === 'after') await respond()
      if (fault.at === 'middle') return sendHalf(response, await respond())
      incoming.socket.destroy()
      return
    }
    case 'hang': {
      if (fault.at === 'after') await respond()
      if (fault.at !== 'middle') return
      const { status, headers, body } = await respond()
      response.writeHead(status, { ...headers, 'content-length': String(body.byteLength) })
      response.write(body.subarray(0, body.byteLength / 2))
      return
    }
    case 'truncate':
      return sendHalf(response, await respond())
    case 'cut': {
      const sent = await respond()
      return send({ ...sent, body: sent.body.subarray(0, sent.body.byteLength / 2) })
    }
    case 'corrupt':
      return send(await withCorruptImages(await respond(), corrupted))
    case 'bomb':
      return send(await withCorruptImages(await respond(), bomb))
    case 'no-image':
      return send(await withCorruptImages(await respond(), () => Buffer.from('This is not an image. '.repeat(8))))
    case 'slow': {
      const sent = await respond()
      await sleep(fault.ms ?? 50)
      return send(sent)
    }
    case 'huge':
      return endless(response, entry, { type: (await respond()).type ?? '', bytesMax: fault.bytes ?? 300_000_000 })
    case 'html':
      return send(page(fault.status ?? 200))
    case 'redirect':
      return send({ status: fault.status ?? 302, headers: { location: fault.to ?? '/elsewhere' } })
    default:
      return send(await respond())
  }
}

function page(status: number): FakeResponse {
  const text =
    '<!doctype html><html><head><title>Please wait</title></head><body><h1>Checking your browser</h1></body></html>'
  return { status, body: text, type: 'text/html; charset=utf-8' }
}

function sendHalf(response: http.ServerResponse, sent: FakeResponse): Promise<void> {
  const { status, headers, body } = whole(sent)
  response.writeHead(status, { ...headers, 'content-length': String(body.byteLength) })
  return new Promise((resolve) => {
    // The half must arrive: a connection that closes immediately may lose written bytes.
    response.write(body.subarray(0, Math.max(1, body.byteLength / 2)), () => {
      setImmediate(() => {
        response.destroy()
        resolve()
      })
    })
  })
}

/** Writes as fast as the client reads, and stops when the client stops. */
async function endless(
  response: http.ServerResponse,
  entry: Logged,
  { type, bytesMax }: { type: string; bytesMax: number },
): Promise<void> {
  response.writeHead(200, { 'content-type': type })
  if (type.includes('json')) response.write('{"data":"')
  const chunk = Buffer.alloc(256 * 1024, 'A')
  const closed = new Promise<void>((resolve) => response.once('close', resolve))
  for (let sent = 0; sent < bytesMax && !response.destroyed; sent += chunk.byteLength) {
    entry.sentBytes = sent + chunk.byteLength
    if (response.write(chunk)) continue
    await Promise.race([closed, new Promise<void>((resolve) => response.once('drain', resolve))])
  }
  response.end()
}
