/** Settles with the work, or rejects with the signal's reason: an operation that cannot be stopped holds nobody up. */
export function orAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  return promise
}
