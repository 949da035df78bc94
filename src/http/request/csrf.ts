/** Protection against cross-site request forgery (CSRF): browsers send cookies with requests of any page. */
import { Fault } from '../../errors.ts'

interface RequestHead {
  method: string
  /** Lower-case names. */
  headers: Record<string, string | string[] | undefined>
}

/**
 * Throws for requests of other sites that are authenticated by the cookie. A GET only needs `Sec-Fetch-Site` to be
 * another value than `cross-site`: it changes nothing, and other sites can't read its response.
 */
export function assertSameOrigin({ method, headers }: RequestHead, baseUrl: string): void {
  const site = headers['sec-fetch-site']
  const isRead = method === 'GET' || method === 'HEAD'
  // Without Sec-Fetch-Site (plain HTTP), browsers send Origin with every method except GET and HEAD.
  const isSameOrigin = isRead
    ? site !== 'cross-site'
    : site === undefined
      ? hasOwnOrigin(headers, baseUrl)
      : site === 'same-origin'
  if (isSameOrigin) return
  throw new Fault(
    'forbidden',
    'The request comes from a page of another origin. The session of the console is accepted only from the console. Other clients must send "Authorization: Bearer <API_KEY>".',
  )
}

/** Throws for public requests of other sites. Clients that are not browsers send neither header and pass. */
export function assertSameOriginIfBrowser({ method, headers }: RequestHead, baseUrl: string): void {
  const isBrowser = headers['sec-fetch-site'] !== undefined || headers.origin !== undefined
  if (isBrowser) assertSameOrigin({ method, headers }, baseUrl)
}

/** Compares with `Host`, and with the public URL because a proxy may change `Host`. */
function hasOwnOrigin({ origin, host }: RequestHead['headers'], baseUrl: string): boolean {
  const publicOrigin = new URL(baseUrl).origin
  const isHttps = publicOrigin.startsWith('https:')
  const hostOrigins = isHttps ? [`https://${host}`] : [`http://${host}`, `https://${host}`]
  return typeof origin === 'string' && [publicOrigin, ...hostOrigins].includes(origin.toLowerCase())
}
