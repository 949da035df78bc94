/** The cookie of the console (RFC 6265). Scripts do not see it, and no other site's page sends it. */
import { isSessionToken } from '../../domain/session.ts'

const name = 'tintype_session'

/** Without Max-Age: it ends with the browser. */
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
 * The token in a `Cookie` header; `malformed` where it is none of ours. Also where there are several: of which site each is
 * cannot be told, and a neighbour may have set one of them.
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
