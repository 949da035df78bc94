/** The time to wait before the next request, from the headers of a response. */

/** A longer time counts as this one. */
const waitMsMax = 24 * 60 * 60_000

/** `retry-after-ms`, or Retry-After as seconds or a date (RFC 9110, 10.2.3). Undefined without a valid one. */
export function retryAfterMs(get: (name: string) => string | null | undefined, nowMs: number): number | undefined {
  const ms = get('retry-after-ms')?.trim()
  if (ms && /^\d+(\.\d+)?$/.test(ms)) return bounded(Number(ms))
  const text = get('retry-after')?.trim()
  if (!text) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return bounded(Number(text) * 1000)
  // Only texts with the name of a month are dates: `Date` would guess at others.
  const date = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : bounded(date - nowMs)
}

function bounded(ms: number): number {
  return Math.min(Math.max(0, Math.ceil(ms)), waitMsMax)
}
