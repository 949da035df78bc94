import type { RouteResponse } from '../define-route.ts'

/** The response with its JSON as bytes. Files, pieces and responses without a body stay as they are. */
export function serialized(response: Required<RouteResponse>): Required<RouteResponse> {
  const { status, headers, body } = response
  if (body === null || body === undefined || body instanceof Buffer || isPieces(body)) return response
  const type = { 'content-type': 'application/json; charset=utf-8' }
  return { status, headers: { ...headers, ...type }, body: Buffer.from(JSON.stringify(body)) }
}

/** The length of a serialized response. Undefined if it has no body, or is sent in pieces. */
export function bytesOf({ body }: RouteResponse): number | undefined {
  return body instanceof Buffer ? body.length : undefined
}

export function isPieces(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}
