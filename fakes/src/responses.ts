/** Responses of fakes. */
import type http from 'node:http'

export interface FakeResponse {
  status: number
  headers?: Record<string, string>
  json?: unknown
  body?: Buffer | string
  type?: string
}

/** Thrown by a fake to respond with an error of its provider. */
export class Refusal extends Error {
  readonly response: FakeResponse

  constructor(response: FakeResponse) {
    super(`returns ${response.status}`)
    this.response = response
  }
}

/** The response with everything that is on the wire. */
export function whole({ status, headers = {}, json, body, type }: FakeResponse): FakeResponse & { body: Buffer } {
  const bytes = Buffer.from(json === undefined ? (body ?? '') : JSON.stringify(json))
  const contentType = type ?? (json === undefined ? 'application/octet-stream' : 'application/json')
  return { status, headers: { 'content-type': contentType, ...headers }, body: bytes, type: contentType }
}

export function sendResponse(outgoing: http.ServerResponse, response: FakeResponse): void {
  const { status, headers, body } = whole(response)
  outgoing.writeHead(status, { ...headers, 'content-length': String(body.byteLength) }).end(body)
}
