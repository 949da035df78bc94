/** The `Idempotency-Key` of a POST: retries within 24 hours get the first response. */

import type { Caller } from '../../domain/accounts/key.ts'
import type { IdempotentCreate } from '../../domain/idempotency.ts'
import { invalidRequest } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Idempotency } from '../../services/idempotency.ts'
import type { RouteResponse } from '../define-route.ts'
import { countedOf } from './rate-limit.ts'

export interface IdempotentRequest {
  header: string
  caller: Caller
  method: string
  url: string
  content: unknown
  /** Whether the response may be stored and replayed. */
  isReplayable: boolean
}

/** `work` returns the response. A failed execution is returned as a response as well, so that it is replayed. */
export async function respondOnce(
  idempotency: Idempotency,
  { header, caller, isReplayable, url, ...request }: IdempotentRequest,
  work: (once: IdempotentCreate) => Promise<Required<RouteResponse>>,
): Promise<Required<RouteResponse>> {
  const key = ownKey(caller, parseKey(header))
  let fresh: Required<RouteResponse> | undefined
  const { response, replayed } = await idempotency.once(
    { ...request, path: withoutTrailingSlash(url), accountId: caller.account.id, key },
    async (once) => {
      fresh = await work(once)
      const { status, headers, body } = fresh
      return { status, headers, body: isReplayable ? JSON.stringify(body) : '' }
    },
    ({ status, body }) => isReplayable && (status < 300 || (status === 500 && body.includes('"workflow_failed"'))),
  )
  if (!replayed && fresh) return fresh
  const headers = { ...response.headers, 'idempotent-replayed': 'true' }
  return { status: response.status, headers, body: JSON.parse(response.body) }
}

/** Accepts the key with quotes (draft-ietf-httpapi-idempotency-key-header) and without (most clients). */
function parseKey(header: string): string {
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header
  if (key.length >= 1 && key.length <= limits.idempotencyKeyCharsMax && /^[\x20-\x7e]+$/.test(key)) return key
  throw invalidRequest([
    { path: 'Idempotency-Key', message: `must be 1 to ${limits.idempotencyKeyCharsMax} printable ASCII characters` },
  ])
}

/** People with a run link can't use, or find out, keys of the account and of other links. */
function ownKey(caller: Caller, key: string): string {
  const { id, noun } = countedOf(caller)
  return noun === 'account' ? key : `${id} ${key}`
}

function withoutTrailingSlash(url: string): string {
  return url.replace(/(?<=[^/])\/(?=\?|$)/, '')
}
