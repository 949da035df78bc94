/** Counts the account's requests per minute, reports the count in headers and rejects requests above the limit. */
import type { Caller } from '../../domain/accounts/key.ts'
import { requestsPerMinute } from '../../domain/accounts/plan.ts'
import type { RateCounter } from '../../domain/accounts/rate.ts'
import { Fault } from '../../errors.ts'

export interface RateState {
  headers: Record<string, string>
  /** Set if this request is above the limit. */
  fault: Fault | undefined
}

/** `apart`: the requests of a route that are counted separately. */
export async function rateLimit(
  { account }: Caller,
  counter: RateCounter,
  nowMs: number,
  apart?: { name: string; perMinute: number },
): Promise<RateState> {
  const limit = apart?.perMinute ?? requestsPerMinute(account)
  const { used, resetsInMs } = await counter.count(apart ? `${account.id} ${apart.name}` : account.id, limit)
  const name = apart?.name ?? 'requests'
  const remaining = Math.max(0, limit - used)
  const resetSeconds = Math.min(60, Math.max(1, Math.ceil(resetsInMs / 1000)))
  const headers = {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil((nowMs + resetsInMs) / 1000)),
    // draft-ietf-httpapi-ratelimit-headers-10: lists of one item each.
    'ratelimit-policy': `"${name}";q=${limit};w=60`,
    ratelimit: `"${name}";r=${remaining};t=${resetSeconds}`,
  }
  if (used <= limit) return { headers, fault: undefined }
  const message = `The account has reached its limit of ${limit} ${name} per minute. Retry in ${resetSeconds} s.`
  return { headers, fault: new Fault('rate_limited', message, { limit, retryAfterSeconds: resetSeconds }) }
}
