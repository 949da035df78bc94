/** Checks the first line and the headers of a request, before work is done for them. */
import type { IncomingMessage } from 'node:http'
import { type Fault, invalidRequest } from '../../errors.ts'
import { limits } from '../../limits.ts'

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

/** Requires exactly one Host header; HTTP/1.0 may omit it (RFC 9112, 3.2). */
function hostFault({
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>): Fault | undefined {
  let count = 0
  let host = ''
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length !== 4 || rawHeaders[i]?.toLowerCase() !== 'host') continue
    count += 1
    host = rawHeaders[i + 1] ?? ''
  }
  const message =
    count === 0 && httpVersion === '1.1'
      ? 'is a required header'
      : count > 1
        ? 'must be sent once'
        : hostPattern.test(host)
          ? undefined
          : 'must be a host, or a host and a port'
  return message === undefined ? undefined : invalidRequest([{ path: 'Host', message }])
}

/** A name, an IPv4 address, an IPv6 address in brackets or nothing, with an optional port (RFC 3986, 3.2.2). */
const hostPattern = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._~%!$&'()*+,;=-]*)(:\d*)?$/
