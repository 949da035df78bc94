/** What fakes answer. */
import type http from 'node:http'

export interface FakeAnswer {
  status: number
  headers?: Record<string, string>
  json?: unknown
  body?: Buffer | string
  type?: string
}

/** Thrown by a fake to answer with an error of its provider. */
export class Refusal extends Error {
  readonly answer: FakeAnswer

  constructor(answer: FakeAnswer) {
    super(`answers ${answer.status}`)
    this.answer = answer
  }
}

/** With everything that is on the wire. */
export function whole({ status, headers = {}, json, body, type }: FakeAnswer): FakeAnswer & { body: Buffer } {
  const bytes = Buffer.from(json === undefined ? (body ?? '') : JSON.stringify(json))
  const contentType = type ?? (json === undefined ? 'application/octet-stream' : 'application/json')
  return { status, headers: { 'content-type': contentType, ...headers }, body: bytes, type: contentType }
}

export function sendAnswer(response: http.ServerResponse, answer: FakeAnswer): void {
  const { status, headers, body } = whole(answer)
  response.writeHead(status, { ...headers, 'content-length': String(body.byteLength) }).end(body)
}
