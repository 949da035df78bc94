/** Checks the first line and the headers of a request, before work is done for them. */
import type { IncomingMessage } from 'node:http'
import { type Fault, invalidRequest } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { hostFault } from './host.ts'

/** `url`: as it was sent. */
export function headFault(
  request: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>,
  url: string,
): Fault | undefined {
  const { headersMax, queryParametersMax } = limits
  if (request.rawHeaders.length > 2 * headersMax)
    return invalidRequest([{ path: '', message: `must have at most ${headersMax} headers` }])
  if (hasLongQuery(url))
    return invalidRequest([{ path: '', message: `must have at most ${queryParametersMax} query parameters` }])
  return hostFault(request)
}

/** The URL, without a query that `headFault` rejects: the router parses the query first. */
export function shortUrl(url: string): string {
  return hasLongQuery(url) ? url.slice(0, url.search(queryStart)) : url
}

/** Separators of a URL, as the router splits it. */
const queryStart = /[?#]/

function hasLongQuery(url: string): boolean {
  let at = url.search(queryStart)
  for (let count = 0; at >= 0; count++) {
    if (count >= limits.queryParametersMax) return true
    at = url.indexOf('&', at + 1)
  }
  return false
}
