import { setTimeout as pause } from 'node:timers/promises'

/** Settles like the work, or rejects with the reason of the signal: an operation that can't be stopped delays no one. */
export function orAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  return promise
}

/** The value of the work, or undefined if it takes longer than this time. The timer does not keep the process alive. */
export async function inTime<Value>(work: Promise<Value>, seconds: number): Promise<Value | undefined> {
  const timer = new AbortController()
  const late = pause(seconds * 1_000, undefined, { signal: timer.signal, ref: false }).catch(() => undefined)
  return Promise.race([work, late]).finally(() => timer.abort())
}

/** Resolves when the work has settled, or after this time. */
export async function withGrace(work: Promise<unknown>, seconds: number): Promise<void> {
  await inTime(
    work.catch(() => undefined),
    seconds,
  )
}
