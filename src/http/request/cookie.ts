/** The session cookie of the console (RFC 6265): hidden from scripts, and never sent by pages of other sites. */
import { isSessionToken } from '../../domain/accounts/session.ts'

const name = 'tintype_session'

/** A session cookie without Max-Age: it expires when the browser closes. */
export function sessionCookie(token: string, baseUrl: string): string {
  return `${name}=${token}; ${attributes(baseUrl)}`
}

export function expiredCookie(baseUrl: string): string {
  return `${name}=; ${attributes(baseUrl)}; Max-Age=0`
}

function attributes(baseUrl: string): string {
  return `HttpOnly; SameSite=Strict; Path=/v1${baseUrl.startsWith('https:') ? '; Secure' : ''}`
}

/**
 * The token in a `Cookie` header. `malformed` if it has a wrong form, or if there are several: a cookie doesn't show which
 * site set it, so one of them may be from another site of the same domain.
 */
export function sessionTokenOf(cookies: string | undefined): string | 'malformed' | undefined {
  const values = sessionsIn(cookies ?? '')
  const [token] = values
  if (token === undefined) return undefined
  return values.length === 1 && isSessionToken(token) ? token : 'malformed'
}

/** The values of all cookies with the name, without a list of the others: a client can send thousands. */
function sessionsIn(cookies: string): string[] {
  const values: string[] = []
  let end = 0
  for (let at = cookies.indexOf(name); at >= 0; at = cookies.indexOf(name, end)) {
    const start = cookies.lastIndexOf(';', at) + 1
    const semicolon = cookies.indexOf(';', at)
    end = semicolon < 0 ? cookies.length : semicolon
    const pair = cookies.slice(start, end)
    const equals = pair.indexOf('=')
    const key = equals < 0 ? pair : pair.slice(0, equals)
    if (key.trim() === name) values.push(equals < 0 ? '' : pair.slice(equals + 1).trim())
  }
  return values
}
