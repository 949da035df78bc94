/** Who calls: by the key that was sent, or by the cookie of the console. */
import type { Caller } from '../../domain/key.ts'
import { Fault } from '../../errors.ts'
import type { Services } from '../services.ts'
import { sessionTokenOf } from './cookie.ts'
import { assertSameOrigin } from './csrf.ts'

interface Asked {
  method: string
  headers: {
    authorization?: string | undefined
    cookie?: string | undefined
    [name: string]: string | string[] | undefined
  }
}

interface Authenticated {
  caller: Caller
  /** For the answer. */
  headers: Record<string, string>
}

/** With an `Authorization` header the cookie does not count. Which part was wrong is told, never the key. */
export async function authenticate(
  asked: Asked,
  { keys, sessions, baseUrl }: Pick<Services, 'keys' | 'sessions' | 'baseUrl'>,
): Promise<Authenticated> {
  const { authorization, cookie } = asked.headers
  const token = authorization === undefined ? sessionTokenOf(cookie) : undefined
  if (token === undefined) return { caller: await callerOfKey(authorization, keys), headers: {} }
  assertSameOrigin(asked, baseUrl())
  const caller = token === 'malformed' ? undefined : await sessions.authenticate(token)
  if (caller === undefined) throw unauthorized('The session has ended; sign in again, or')
  // A cookie does not keep shared caches from an answer, as an Authorization header does (RFC 9111, 3.5).
  return { caller, headers: { 'cache-control': 'private, no-store' } }
}

/** Whether what a request came with holds still, in whichever process it was ended. */
export async function isStillAuthorized(asked: Asked, services: Parameters<typeof authenticate>[1]): Promise<boolean> {
  try {
    await authenticate(asked, services)
    return true
  } catch (error) {
    // Records that do not answer have ended nothing.
    return !(error instanceof Fault && error.code === 'unauthorized')
  }
}

/** `Authorization: Bearer <API_KEY>`; the scheme in any case (RFC 9110, 11.1). */
async function callerOfKey(header: string | undefined, keys: Services['keys']): Promise<Caller> {
  if (header === undefined) throw unauthorized('The Authorization header is missing;')
  const [, text] = /^Bearer +(\S+)$/i.exec(header) ?? []
  if (text === undefined) throw unauthorized('The Authorization header is malformed;')
  const caller = await keys.authenticate(text)
  if (caller === undefined) throw unauthorized('The API key is unknown, expired or revoked;')
  return caller
}

function unauthorized(problem: string): Fault {
  return new Fault('unauthorized', `${problem} send "Authorization: Bearer <API_KEY>" with a live key.`)
}
