/** Counts the requests of an account, or of a run link, per minute, reports the count in headers and rejects requests above the limit. */
import type { Caller } from '../../domain/accounts/key.ts'
import { requestsPerMinute } from '../../domain/accounts/plan.ts'
import type { RateCounter } from '../../domain/accounts/rate.ts'
import { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'

export interface RateState {
  headers: Record<string, string>
  /** Set if this request is above the limit. */
  fault: Fault | undefined
}

export interface Counted {
  id: string
  noun: 'account' | 'run link'
}

/** The people with a run link share its limits, and use up none of the account. */
export function countedOf({ account, key }: Caller): Counted {
  if (key.workflowId !== null && key.id !== undefined) return { id: key.id, noun: 'run link' }
  return { id: account.id, noun: 'account' }
}

/** `apart`: the requests of a route that are counted separately. */
export async function rateLimit(
  caller: Caller,
  counter: RateCounter,
  nowMs: number,
  apart?: { name: string; perMinute: number },
): Promise<RateState> {
  const counted = countedOf(caller)
  const perMinute = counted.noun === 'run link' ? limits.runLinkRequestsPerMinuteMax : requestsPerMinute(caller.account)
  const limit = apart?.perMinute ?? perMinute
  const { used, resetsInMs } = await counter.count(apart ? `${counted.id} ${apart.name}` : counted.id, limit)
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
  const message = `The ${counted.noun} has reached its limit of ${limit} ${name} per minute. Retry in ${resetSeconds} s.`
  return { headers, fault: new Fault('rate_limited', message, { limit, retryAfterSeconds: resetSeconds }) }
}
