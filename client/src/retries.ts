/** When to repeat a request, and after how long. */
import type { ApiError } from './errors.ts'

/** Retry-After above it is for the caller: nothing waits that long by itself. */
const waitSecondsMax = 120

/** Seconds of a header `Retry-After`. A date is relative to the clock of the server, because the clock here can be wrong. */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value)
  const now = Date.parse(headers.get('date') ?? '')
  const seconds = (Date.parse(value) - (Number.isNaN(now) ? Date.now() : now)) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** Milliseconds before the next attempt; undefined if the caller has to decide. `attempt` counts from 0. */
export function delayOf(attempt: number, retryAfter: number | undefined): number | undefined {
  if (retryAfter === undefined) return Math.min(8_000, 500 * 2 ** attempt) * (0.5 + Math.random() / 2)
  return retryAfter > waitSecondsMax ? undefined : retryAfter * 1000 + Math.random() * 250
}

/** Whether the response says that the same request can succeed later. `isRepeatable`: a repetition has no other effect than one request. */
export function isTemporary({ status, code }: ApiError, isRepeatable: boolean): boolean {
  // The service processed nothing.
  if (status === 429 || (status === 503 && code === 'unavailable')) return true
  return isRepeatable && (code === 'internal_error' || status === 502 || status === 503 || status === 504)
}

/** Waits, and throws the reason of the signal if it is aborted. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const onAbort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
