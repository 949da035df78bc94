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
  /** Pause from the headers of a response, if it has one. */
  retryAfterMs(get: (name: string) => string | null): number | undefined
  wait?(ms: number): Promise<unknown>
}

type RequestOptions = RequestInit & { duplex?: 'half' }

export function createApiClient({ url, key, newIdempotencyKey, retryAfterMs, wait = pause }: Options): ApiClient {
  const base = `${url.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`

  /** An address without a service is an error, but a service that restarts is not. */
  let wasReached = false

  /** Whether the error is temporary, of a response of the service, or of a proxy before it. */
  function isForNow({ status }: Response): boolean {
    return status === 429 || status === 503 || (wasReached && (status === 502 || status === 504))
  }

  /**
   * Waits and repeats after a lost connection, also in the middle of a response, and after a status that is temporary: each of these requests can
   * be repeated. `read` starts from the beginning each time.
   */
  async function request<Result>(
    path: string,
    init: () => RequestOptions,
    read: (response: Response, tries: number) => Promise<Result>,
  ): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      const { headers, ...rest } = init()
      const options = { ...rest, headers: { authorization: `Bearer ${key}`, ...(headers as object) } }
      let waitMs = 1_000 * retrySeconds
      try {
        const response = await fetch(`${base}${path}`, options)
        if (!isForNow(response) || tries === triesMax) {
          wasReached ||= response.ok
          return await read(response, tries)
        }
        wasReached ||= response.status === 429 || response.status === 503
        waitMs = retryAfterMs((name) => response.headers.get(name)) ?? waitMs
        await response.body?.cancel()
      } catch (error) {
        if (!isLost(error)) throw error
        if (!wasReached || tries === triesMax) throw unreachable(url, error)
      }
      await wait(waitMs)
    }
  }

  async function jsonOf<Body>(response: Response): Promise<Body> {
    if (!response.ok) throw await faultOf(response, url)
    return (await response.json()) as Body
  }

  return {
    async json<Body>(method: string, path: string, body?: object) {
      // Without it, a request that is repeated after a lost response could create a second resource.
      const once = method === 'POST' ? { 'idempotency-key': newIdempotencyKey() } : {}
      const type = body ? { 'content-type': 'application/json' } : {}
      const init = { method, headers: { ...once, ...type }, ...(body && { body: JSON.stringify(body) }) }
      return request(
        path,
        () => init,
        async (response, tries) => {
          // The response to the first request was lost.
          const isGone = method === 'DELETE' && tries > 1 && response.status === 404
          return isGone ? ({} as Body) : jsonOf<Body>(response)
        },
      )
    },
    async upload<Body>(path: string, file: string, mediaType: string) {
      const init = (): RequestOptions => ({
        method: 'PUT',
        headers: { 'content-type': mediaType },
        body: Readable.toWeb(createReadStream(file)) as ReadableStream,
        duplex: 'half',
      })
      return request(path, init, (response) => jsonOf<Body>(response))
    },
    async download(path, file) {
      const part = `${file}.part`
      await request(
        path,
        () => ({ method: 'GET' }),
        async (response) => {
          if (!response.ok) throw await faultOf(response, url)
          try {
            await pipeline(Readable.fromWeb(response.body as never), createWriteStream(part))
            await rename(part, file)
          } catch (error) {
            await rm(part, { force: true })
            throw error
          }
        },
      )
    },
    async close() {},
  }
}

/** Errors of `fetch` and of a body that ends too early, or that isn't JSON. Errors of files are others. */
function isLost(error: unknown): boolean {
  return error instanceof TypeError || error instanceof SyntaxError
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
