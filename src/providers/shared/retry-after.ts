/** When a server says that it may be asked again. */

/** No server is waited for longer; whoever says more is not asked again in this call. */
const waitMsMax = 24 * 60 * 60_000

/** `retry-after-ms`, or Retry-After as seconds or a date (RFC 9110, 10.2.3). Undefined where there is none that can be read. */
export function retryAfterMs(get: (name: string) => string | null | undefined, nowMs: number): number | undefined {
  const ms = get('retry-after-ms')?.trim()
  if (ms && /^\d+(\.\d+)?$/.test(ms)) return bounded(Number(ms))
  const text = get('retry-after')?.trim()
  if (!text) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return bounded(Number(text) * 1000)
  // A date names its month; anything else would be guessed at.
  const date = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : bounded(date - nowMs)
}

function bounded(ms: number): number {
  return Math.min(Math.max(0, Math.ceil(ms)), waitMsMax)
}
