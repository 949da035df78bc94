/** The `Idempotency-Key` of a POST: the first answer, again, for 24 hours. */
import type { Once } from '../../domain/idempotency.ts'
import type { Caller } from '../../domain/key.ts'
import { invalidRequest } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Idempotency } from '../../services/idempotency.ts'
import type { RouteResponse } from '../define-route.ts'

export interface IdempotentRequest {
  header: string
  caller: Caller
  method: string
  path: string
  content: unknown
  /** Whether the answer may be kept, to be given again. */
  isReplayable: boolean
}

/** `work` gives what is to be sent, faults included: a failed execution is replayed as well. */
export async function respondOnce(
  idempotency: Idempotency,
  { header, caller, isReplayable, ...request }: IdempotentRequest,
  work: (once: Once) => Promise<Required<RouteResponse>>,
): Promise<Required<RouteResponse>> {
  const key = keyOf(header)
  const { response, replayed } = await idempotency.once(
    { ...request, accountId: caller.account.id, key },
    async (once) => {
      const { status, headers, body } = await work(once)
      return { status, headers, body: JSON.stringify(body) }
    },
    ({ status, body }) => isReplayable && (status < 300 || (status === 500 && body.includes('"workflow_failed"'))),
  )
  const headers = replayed ? { ...response.headers, 'idempotent-replayed': 'true' } : response.headers
  return { status: response.status, headers, body: JSON.parse(response.body) }
}

/** As it stands, or as a quoted string: draft-ietf-httpapi-idempotency-key-header has it quoted, most clients do not. */
function keyOf(header: string): string {
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header
  if (key.length >= 1 && key.length <= limits.idempotencyKeyCharsMax && /^[\x20-\x7e]+$/.test(key)) return key
  throw invalidRequest([
    { path: 'Idempotency-Key', message: `must be 1 to ${limits.idempotencyKeyCharsMax} printable ASCII characters` },
  ])
}
