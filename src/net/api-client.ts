/** A client of a running service, for commands. */
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { type ErrorCode, Fault, type FaultDetails } from '../errors.ts'

export interface ApiClient {
  /** The parsed response. Throws the error of the response as a `Fault`. */
  json<Body>(method: string, path: string, body?: object): Promise<Body>
  upload<Body>(path: string, file: string, mediaType: string): Promise<Body>
  /** Writes the response to a file, which is complete or absent. */
  download(path: string, file: string): Promise<void>
  close(): Promise<void>
}

const triesMax = 10
const retrySeconds = 2

interface Options {
  /** The root of the service. */
  url: string
  key: string
  newIdempotencyKey(): string
}

export function createApiClient({ url, key, newIdempotencyKey }: Options): ApiClient {
  const base = `${url.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`

  /** An address without a service is an error, but a service that restarts is not. */
  let wasReached = false

  /** Waits and repeats after a lost connection, 429 and 503: each of these requests can be repeated. */
  async function request(path: string, init: () => RequestInit & { duplex?: 'half' }): Promise<Response> {
    for (let tries = 1; ; tries += 1) {
      const { headers, ...rest } = init()
      const options = { ...rest, headers: { authorization: `Bearer ${key}`, ...(headers as object) } }
      const response = await fetch(`${base}${path}`, options).catch((error: unknown) => {
        if (!wasReached || tries === triesMax) throw unreachable(url, error)
      })
      wasReached ||= response !== undefined
      if (response?.ok) return response
      const isForNow = response === undefined || response.status === 429 || response.status === 503
      if (!isForNow || tries === triesMax) throw await faultOf(response as Response, url)
      await response?.body?.cancel()
      await pause(1_000 * Number(response?.headers.get('retry-after') ?? retrySeconds))
    }
  }

  return {
    async json<Body>(method: string, path: string, body?: object) {
      // Without it, a request that is repeated after a lost response could create a second resource.
      const once = method === 'POST' ? { 'idempotency-key': newIdempotencyKey() } : {}
      const type = body ? { 'content-type': 'application/json' } : {}
      const init = { method, headers: { ...once, ...type }, ...(body && { body: JSON.stringify(body) }) }
      return (await (await request(path, () => init)).json()) as Body
    },
    async upload<Body>(path: string, file: string, mediaType: string) {
      const response = await request(path, () => ({
        method: 'PUT',
        headers: { 'content-type': mediaType },
        body: Readable.toWeb(createReadStream(file)) as ReadableStream,
        duplex: 'half',
      }))
      return (await response.json()) as Body
    },
    async download(path, file) {
      const { body } = await request(path, () => ({ method: 'GET' }))
      const part = `${file}.part`
      try {
        await pipeline(Readable.fromWeb(body as never), createWriteStream(part))
        await rename(part, file)
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    async close() {},
  }
}

async function faultOf(response: Response, url: string): Promise<Fault> {
  const body = (await response.json().catch(() => undefined)) as
    | { error?: { code: ErrorCode; message: string; details: FaultDetails } }
    | undefined
  if (body?.error) return new Fault(body.error.code, body.error.message, body.error.details)
  return new Fault('unavailable', `${url} responded with ${response.status}, and not as Tintype does. Check the URL.`)
}

function unreachable(url: string, cause: unknown): Fault {
  const { message, cause: inner } = cause as Error
  const reason = inner instanceof Error ? inner.message || (inner as NodeJS.ErrnoException).code : message
  return new Fault(
    'unavailable',
    `${url} can't be reached: ${reason}. Start the service, or pass its --url.`,
    {},
    { cause },
  )
}
