import type { ServerResponse } from 'node:http'
import { clientDisconnected } from './framework-fault.ts'

/** Fastify's `request.signal` can't be used: it follows the request, which is complete when the handler runs. */
export function abortOnDisconnect(raw: ServerResponse): AbortSignal {
  const aborted = new AbortController()
  const abortIfDisconnected = () => {
    if (raw.destroyed && !raw.writableFinished) aborted.abort(clientDisconnected)
  }
  abortIfDisconnected()
  raw.once('close', abortIfDisconnected)
  return aborted.signal
}
