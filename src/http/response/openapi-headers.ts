/** The response headers of the OpenAPI document. */
import type { Reply } from '../define-route.ts'
import type { Json } from './openapi-schemas.ts'

const integer = { type: 'integer' }
const string = { type: 'string' }

/** Headers of every response to a valid key. */
const rateLimitHeaders = {
  'X-RateLimit-Limit': { description: 'Requests allowed per minute.', schema: integer },
  'X-RateLimit-Remaining': { description: 'Requests left in this minute.', schema: integer },
  'X-RateLimit-Reset': { description: 'End of this minute, as a Unix timestamp.', schema: integer },
  RateLimit: {
    description: 'Requests left, and seconds until the reset: `"requests";r=299;t=42`.',
    schema: string,
  },
  'RateLimit-Policy': {
    description: 'The limit and its window in seconds: `"requests";q=300;w=60`.',
    schema: string,
  },
}

/** Headers with a name in the document. */
export const headers: Record<string, Json> = {
  'X-Request-Id': { description: 'Id of the request, also in `details.requestId` of an error.', schema: string },
  'Retry-After': { description: 'Seconds to wait before retrying.', schema: integer },
  ...rateLimitHeaders,
}

/** Status of a delivery URL without its file. */
export const deliveryStatus = {
  'Tintype-Status': 'Why the image of a delivery URL is missing: `pending`, `failed`, `busy` or `invalid`.',
}

export const idempotentReplayed = {
  'Idempotent-Replayed': '`true` if this is the first response to the same `Idempotency-Key`, again.',
}

/** `hasKey`: the request has a key, so it has a rate limit. */
export function headersOf({ headers: always = {}, optionalHeaders = {} }: HeadersOfReply, hasKey: boolean): Json {
  const shared = ['X-Request-Id', ...(hasKey ? Object.keys(rateLimitHeaders) : [])]
  return {
    ...Object.fromEntries(
      Object.entries(always).map(([name, description]) => [
        name,
        Object.hasOwn(headers, name) ? reference(name) : { description, schema: string },
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(optionalHeaders).map(([name, description]) => [
        name,
        { description, required: false, schema: string },
      ]),
    ),
    ...Object.fromEntries(shared.map((name) => [name, reference(name)])),
  }
}

type HeadersOfReply = Pick<Reply, 'headers' | 'optionalHeaders'>

function reference(name: string): Json {
  return { $ref: `#/components/headers/${name}` }
}

/** Headers of the requests that the service sends to webhook endpoints. */
export const webhookHeaders: Json[] = Object.entries({
  'webhook-id': 'Id of the event: the same in each attempt and replay. Ignore an id that was processed before.',
  'webhook-timestamp': 'Time of the attempt, in Unix seconds.',
  'webhook-signature': 'One or more signatures, separated by spaces: `v1,` and base64.',
}).map(([name, description]) => ({ name, in: 'header', required: true, description, schema: string }))
