/** Authentication by API key, or by the session cookie of the console. */
import { hasApiAccess } from '../../domain/accounts/account.ts'
import type { Caller } from '../../domain/accounts/key.ts'
import { Fault } from '../../errors.ts'
import type { Services } from '../services.ts'
import { sessionTokenOf } from './cookie.ts'
import { assertSameOrigin } from './csrf.ts'

interface Credentials {
  method: string
  headers: {
    authorization?: string | undefined
    cookie?: string | undefined
    [name: string]: string | string[] | undefined
  }
}

interface Authenticated {
  caller: Caller
  /** Response headers. */
  headers: Record<string, string>
}

/** An `Authorization` header takes precedence over the cookie. Messages name the invalid part, never the key. */
export async function authenticate(
  request: Credentials,
  { keys, sessions, baseUrl }: Pick<Services, 'keys' | 'sessions' | 'baseUrl'>,
): Promise<Authenticated> {
  const { authorization, cookie } = request.headers
  const token = authorization === undefined ? sessionTokenOf(cookie) : undefined
  if (token === undefined) return { caller: await callerOfKey(authorization, keys), headers: {} }
  assertSameOrigin(request, baseUrl())
  const caller = token === 'malformed' ? undefined : await sessions.authenticate(token)
  if (caller === undefined) throw unauthorized('The session has ended: sign in again, or')
  // Unlike an Authorization header, a cookie doesn't keep a response out of shared caches (RFC 9111, 3.5).
  return { caller, headers: { 'cache-control': 'private, no-store' } }
}

/** Whether the key or session of a request is still valid, and its account has API access. Reads the records, so it detects a change by any process. */
export async function isStillAuthorized(
  request: Credentials,
  services: Parameters<typeof authenticate>[1],
): Promise<boolean> {
  try {
    return hasApiAccess((await authenticate(request, services)).caller.account)
  } catch (error) {
    // Unavailable records don't end a session.
    return !(error instanceof Fault && error.code === 'unauthorized')
  }
}

/** `Authorization: Bearer <API_KEY>`. The scheme is case-insensitive (RFC 9110, 11.1). */
async function callerOfKey(header: string | undefined, keys: Services['keys']): Promise<Caller> {
  if (header === undefined) throw unauthorized('The Authorization header is missing:')
  const [, text] = /^Bearer +(\S+)$/i.exec(header) ?? []
  if (text === undefined) throw unauthorized('The Authorization header is malformed:')
  const caller = await keys.authenticate(text)
  if (caller === undefined) throw unauthorized('The API key is unknown, expired or revoked:')
  return caller
}

function unauthorized(problem: string): Fault {
  return new Fault('unauthorized', `${problem} send "Authorization: Bearer <API_KEY>" with a valid key.`)
}
