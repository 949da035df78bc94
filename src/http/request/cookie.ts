/** The session cookie of the console (RFC 6265): hidden from scripts, and never sent by pages of other sites. */
import { isSessionToken } from '../../domain/session.ts'

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
  const values = (cookies ?? '').split(';').flatMap((pair) => {
    const [key = '', ...rest] = pair.split('=')
    return key.trim() === name ? [rest.join('=').trim()] : []
  })
  const [token] = values
  if (token === undefined) return undefined
  return values.length === 1 && isSessionToken(token) ? token : 'malformed'
}
