import type { Clock } from '../../domain/clock.ts'
import { newId } from '../../domain/ids.ts'

/** The caller's `X-Request-Id` if it is safe in logs and headers, otherwise a new id. */
export function requestIdOf(header: string | string[] | undefined, clock: Clock): string {
  return typeof header === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(header) ? header : newId('req', clock.now())
}
