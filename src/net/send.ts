/** Sends one request over a new connection, which is closed afterwards, and reports whether any of it can have been sent. */
import type { IncomingHttpHeaders } from 'node:http'
import type { buildConnector, Client } from 'undici'
import { openClient } from './connect.ts'
import { BodyTooLarge, createBody, createInformational } from './received.ts'

export interface Outgoing {
  method: string
  headers: Record<string, string>
  body?: Uint8Array | undefined
}

export interface SendOptions {
  /** The signal ends the connection, in whatever state it is. */
  connector(signal: AbortSignal): buildConnector.connector
  /** Maximum size of the response body. */
  bytesMax: number
  /** A body that is larger, or that has not ended after `seconds`, is cut instead of an error. */
  cutsBody?: boolean
  connectSeconds: number
  /** Total time. Undefined: until the signal aborts. */
  seconds?: number | undefined
  signal: AbortSignal
}

export interface Incoming {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** The error of a request without a response. `cause` is `TimedOut`, `BodyTooLarge`, `AddressRefused`, or the client's own error. */
export class NoResponse extends Error {
  /** No connection was made, so nothing was sent. */
  readonly isUnsent: boolean

  constructor(isUnsent: boolean, cause: unknown) {
    super('there is no answer', { cause })
    this.name = 'NoAnswer'
    this.isUnsent = isUnsent
  }
}

export class TimedOut extends Error {
  readonly seconds: number

  constructor(seconds: number) {
    super('it took too long')
    this.name = 'TimedOut'
    this.seconds = seconds
  }
}

/**
 * Returns every final status, also redirects. Throws `NoAnswer`; when the signal aborts, its reason. The request is sent at most once:
 * a reused connection can be dead without notice, so each request has a new one.
 */
export async function send(url: URL, outgoing: Outgoing, options: SendOptions): Promise<Incoming> {
  const { signal, seconds, connectSeconds, cutsBody = false } = options
  signal.throwIfAborted()
  const ending = new AbortController()
  const ended = Promise.withResolvers<never>()
  ending.signal.addEventListener('abort', () => ended.reject(ending.signal.reason), { once: true })
  const cancel = () => ending.abort(signal.reason)
  signal.addEventListener('abort', cancel, { once: true })
  const endAfter = (most: number) => setTimeout(() => ending.abort(new TimedOut(most)), most * 1000)
  const connecting = endAfter(connectSeconds)
  const timeout = seconds === undefined ? undefined : endAfter(seconds)
  const client = openClient(url, options.connector(ending.signal), options.bytesMax)
  let isUnsent = true
  let received: () => Incoming | undefined = () => undefined
  try {
    const response = dispatch(client, url, outgoing, options, () => {
      clearTimeout(connecting)
      // The client itself would retry only requests that it has not started. This enforces it.
      if (!isUnsent) throw new Error('the request was sent before')
      isUnsent = false
    })
    received = response.received
    return await Promise.race([response.ended, ended.promise])
  } catch (error) {
    if (signal.aborted) throw signal.reason
    const cut = cutsBody && error instanceof TimedOut ? received() : undefined
    if (cut !== undefined) return cut
    throw new NoResponse(isUnsent, error)
  } finally {
    clearTimeout(connecting)
    clearTimeout(timeout)
    signal.removeEventListener('abort', cancel)
    client.destroy(() => {})
  }
}

/**
 * `onStart`: the connection is there, and the request is about to be written to it. `received`: the response with the body so far, undefined
 * before its status.
 */
function dispatch(
  client: Client,
  url: URL,
  { method, headers, body }: Outgoing,
  { bytesMax, cutsBody = false }: Pick<SendOptions, 'bytesMax' | 'cutsBody'>,
  onStart: () => void,
): { ended: Promise<Incoming>; received: () => Incoming | undefined } {
  let response: Omit<Incoming, 'body'> | undefined
  let collected = createBody(bytesMax, 0)
  const countInformational = createInformational()
  const received = () => response && { ...response, body: collected.bytes() }
  const ended = new Promise<Incoming>((resolve, reject) => {
    const resolveReceived = () => {
      const incoming = received()
      if (incoming !== undefined) resolve(incoming)
    }
    client.dispatch(
      { method, path: url.pathname + url.search, headers, body: body ?? null },
      {
        onRequestStart: onStart,
        onResponseStart(controller, status, responseHeaders) {
          if (status < 200) {
            const error = countInformational()
            if (error) controller.abort(error)
            return
          }
          response = { status, headers: responseHeaders }
          const length = Number(responseHeaders['content-length'] ?? 0)
          if (length <= bytesMax) collected = createBody(bytesMax, length)
          else if (!cutsBody) controller.abort(new BodyTooLarge())
        },
        onResponseData(controller, chunk) {
          const error = collected.add(chunk)
          if (error === undefined) return
          if (cutsBody) {
            collected.addSome(chunk)
            resolveReceived()
          }
          controller.abort(error)
        },
        onResponseEnd: resolveReceived,
        onResponseError(_controller, error) {
          reject(error)
        },
      },
    )
  })
  return { ended, received }
}
