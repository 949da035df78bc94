/** Limits per client address, for requests without an account: wrong keys and sign-ins. */
import type { RateCounter } from '../../domain/accounts/rate.ts'
import { Fault } from '../../errors.ts'
import { limitKey } from './client-address.ts'
import { sessionTokenOf } from './cookie.ts'

export interface AddressLimit {
  counter: RateCounter
  /** Requests per address and minute. */
  max: number
}

export interface Throttled {
  fault: Fault
  /** The first request over the limit in this minute. */
  isFirst: boolean
}

/** Counts one request of the address. Returns the 429 if the limit is exceeded. */
export async function throttleAddress(
  { counter, max }: AddressLimit,
  address: string,
  kind: string,
): Promise<Throttled | undefined> {
  const { used, resetsInMs } = await counter.count(limitKey(address), max)
  if (used <= max) return undefined
  const seconds = Math.min(60, Math.max(1, Math.ceil(resetsInMs / 1000)))
  const message = `This IP address has reached its limit of ${max} ${kind} per minute. Retry in ${seconds} s.`
  const fault = new Fault('rate_limited', message, { limit: max, retryAfterSeconds: seconds })
  return { fault, isFirst: used === max + 1 }
}

/** A request without credentials costs no look-up and is not counted: it always gets its 401. */
export function hasCredentials({
  authorization,
  cookie,
}: {
  authorization?: string | undefined
  cookie?: string | undefined
}): boolean {
  return authorization !== undefined || sessionTokenOf(cookie) !== undefined
}
