/** A fault as a caller sees it: the specification's envelope. */
import { errors, type Fault } from '../../errors.ts'
import type { Answer } from '../define-route.ts'

/** Seconds after which a client may come back to a service that is full or shutting down. */
const unavailableRetrySeconds = 5

export function problemAnswer(fault: Fault, requestId: string): Required<Answer> {
  const headers: Record<string, string> = {}
  if (fault.code === 'unavailable') headers['retry-after'] = String(unavailableRetrySeconds)
  if (fault.details.retryAfterSeconds !== undefined) headers['retry-after'] = String(fault.details.retryAfterSeconds)
  if (fault.code === 'method_not_allowed') headers.allow = [fault.details.allow].flat().join(', ')
  if (fault.code === 'unauthorized') headers['www-authenticate'] = 'Bearer realm="Tintype"'
  return {
    status: errors[fault.code].status,
    headers,
    body: { error: { code: fault.code, message: fault.message, details: { ...fault.details, requestId } } },
  }
}
