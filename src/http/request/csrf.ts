/** Whether it was the console that made a browser ask: a browser sends its cookies whoever makes it (CSRF). */
import { Fault } from '../../errors.ts'

interface Asked {
  method: string
  /** Lower-case names. */
  headers: Record<string, string | string[] | undefined>
}

/** For a request whose cookie counts. A GET changes nothing, and no other site's page can read what it gives. */
export function assertSameOrigin({ method, headers }: Asked, baseUrl: string): void {
  const site = headers['sec-fetch-site']
  const isRead = method === 'GET' || method === 'HEAD'
  // Browsers that do not tell the site, as over plain HTTP, tell the origin of whatever is no GET.
  const isOwn = isRead
    ? site !== 'cross-site'
    : site === undefined
      ? isOwnOrigin(headers, baseUrl)
      : site === 'same-origin'
  if (isOwn) return
  throw new Fault(
    'forbidden',
    'A page of another origin made the browser send this, with its session; only the console of this address may. A client of its own sends "Authorization: Bearer <API_KEY>".',
  )
}

/** For what anybody may ask, a session or not, and no browser on behalf of another site. */
export function assertSameOriginIfBrowser({ method, headers }: Asked, baseUrl: string): void {
  const isBrowser = headers['sec-fetch-site'] !== undefined || headers.origin !== undefined
  if (isBrowser) assertSameOrigin({ method, headers }, baseUrl)
}

/** The address asked is what `Host` says, or, behind a proxy that changes it, what clients are told. */
function isOwnOrigin({ origin, host }: Asked['headers'], baseUrl: string): boolean {
  const told = new URL(baseUrl).origin
  const asked = told.startsWith('https:') ? [`https://${host}`] : [`http://${host}`, `https://${host}`]
  return typeof origin === 'string' && [told, ...asked].includes(origin.toLowerCase())
}
