/** Sends one GET over a new connection, which is closed afterwards. */
import type { IncomingHttpHeaders } from 'node:http'
import type { buildConnector, Client } from 'undici'
import { openClient } from './connect.ts'
import { BodyTooLarge, createBody, createInformational } from './received.ts'

export interface ExchangeResponse {
  status: number
  headers: IncomingHttpHeaders
  /** The body of a 200; empty otherwise. */
  body: Buffer
}

/** Checks the headers of a 200. Returns an error to reject its body, undefined to accept it. */
export type Refuse = (headers: IncomingHttpHeaders) => Error | undefined

export interface ExchangeOptions {
  connect: buildConnector.connector
  headers: Record<string, string>
  bytesMax: number
  refuse: Refuse
  signal: AbortSignal
}

/**
 * Throws `BodyTooLarge` as soon as it is known, what `refuse` returns, the signal's reason, or the client's error.
 * At most two copies of the body are in memory, however small its pieces are.
 */
export async function exchange(url: URL, options: ExchangeOptions): Promise<ExchangeResponse> {
  const { signal } = options
  signal.throwIfAborted()
  const client = openClient(url, options.connect, options.bytesMax)
  const ended = Promise.withResolvers<never>()
  const end = () => ended.reject(signal.reason)
  signal.addEventListener('abort', end, { once: true })
  try {
    return await Promise.race([get(client, url, options), ended.promise])
  } finally {
    signal.removeEventListener('abort', end)
    client.destroy(() => {})
  }
}

function get(client: Client, url: URL, { headers, bytesMax, refuse }: ExchangeOptions): Promise<ExchangeResponse> {
  return new Promise((resolve, reject) => {
    let response: Omit<ExchangeResponse, 'body'> | undefined
    let body = createBody(bytesMax, 0)
    const countInformational = createInformational()
    client.dispatch(
      { method: 'GET', path: url.pathname + url.search, headers },
      {
        // Asked for by the client, although nothing is to be done.
        onRequestStart() {},
        onResponseStart(controller, status, received) {
          if (status < 200) {
            const error = countInformational()
            if (error) controller.abort(error)
            return
          }
          response = { status, headers: received }
          const length = Number(received['content-length'] ?? 0)
          const refusal = status !== 200 ? undefined : length > bytesMax ? new BodyTooLarge() : refuse(received)
          if (refusal) reject(refusal)
          else if (status !== 200) resolve({ ...response, body: Buffer.alloc(0) })
          else {
            body = createBody(bytesMax, length)
            return
          }
          controller.abort(new Error('the body is not wanted'))
        },
        onResponseData(controller, chunk) {
          const error = body.add(chunk)
          if (error === undefined) return
          reject(error)
          controller.abort(error)
        },
        onResponseEnd() {
          if (response) resolve({ ...response, body: body.bytes() })
        },
        onResponseError(_controller, error) {
          reject(error)
        },
      },
    )
  })
}
