import type { RouteResponse } from '../define-route.ts'

/** Node sends a shorter text and the headers with one system call. */
const shortCharsMax = 16_384

/** The response with its JSON as text or, if it is long, as bytes. Files, pieces and responses without a body stay as they are. */
export function serialized(response: Required<RouteResponse>): Required<RouteResponse> {
  const { status, headers, body } = response
  if (body === null || body === undefined || isSerialized(response) || isPieces(body)) return response
  const type = { 'content-type': 'application/json; charset=utf-8' }
  const text = JSON.stringify(body)
  const sent = text.length > shortCharsMax ? Buffer.from(text) : text
  return { status, headers: { ...headers, ...type }, body: sent }
}

/** Text without a content type is a value that is still to be sent as JSON. */
function isSerialized(response: RouteResponse): response is RouteResponse & { body: string | Buffer } {
  const { body, headers } = response
  return body instanceof Buffer || (typeof body === 'string' && headers?.['content-type'] !== undefined)
}

export function isPieces(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}
