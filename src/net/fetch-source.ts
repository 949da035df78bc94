/** Fetches an image from a host that a caller names. The only way out for such requests. */
import type { IncomingHttpHeaders } from 'node:http'
import type { LookupFunction } from 'node:net'
import { Fault, failure } from '../errors.ts'
import { limits } from '../limits.ts'
import { isPublicAddress } from './address.ts'
import { createAllowList } from './allow.ts'
import { AddressRefused, createConnector } from './connect.ts'
import { exchange } from './exchange.ts'
import { locationOf } from './location.ts'
import { createLookup } from './lookup.ts'
import { BodyTooLarge, ResponseWasteful } from './received.ts'

export interface FetcherOptions {
  /** `host` or `host:port`, exact: hosts that are permitted at any address. */
  allow: readonly string[]
  /** Maximum size of the body. */
  bytesMax: number
  /** Total time: lookups, connections, redirects and the body. */
  timeoutSeconds: number
  redirectsMax: number
  /** Resolves names. Default: `createLookup` with the settings of the system. */
  lookup?: LookupFunction
  /** Addresses that are permitted for every host. Default: those of the public internet. */
  isOpen?: (address: string) => boolean
}

export interface Fetcher {
  /**
   * The body of the 200 at this http(s) URL. Throws failures of the closed list, which name the host of `url` and nothing
   * that it resolved or redirected to; when the signal aborts, its reason.
   */
  fetch(url: string, signal: AbortSignal): Promise<Buffer>
}

/** Throws an Error if an entry of `allow` isn't a host. */
export function createFetcher(options: FetcherOptions): Fetcher {
  const isAllowed = createAllowList(options.allow)
  const { lookup = createLookup(), isOpen = isPublicAddress } = options

  async function follow(start: URL, signal: AbortSignal): Promise<Buffer> {
    let url = start
    for (let redirects = 0; redirects <= options.redirectsMax; redirects++) {
      // Each hop is checked: a permitted host doesn't permit the hosts that it redirects to.
      const open = isAllowed(url)
      const connect = createConnector({ mayReach: (address) => open || isOpen(address), lookup, signal })
      const { status, headers, body } = await exchange(url, {
        connect,
        headers: requestHeaders,
        bytesMax: options.bytesMax,
        refuse: (received) => refuseEncoded(received, start),
        signal,
      })
      if (status === 200) return body
      if (!redirectStatuses.has(status)) throw refuseStatus(status, start)
      url = redirectTarget(headers, url, start)
    }
    throw failure(
      'provider_unavailable',
      `${start.host} redirected more than ${options.redirectsMax} times. Use the final URL of the image.`,
    )
  }

  return {
    async fetch(source, signal) {
      signal.throwIfAborted()
      const url = parseSource(source)
      const ending = new AbortController()
      const cancel = () => ending.abort(signal.reason)
      const timeout = setTimeout(() => {
        const message = `${url.host} did not send the complete image within ${options.timeoutSeconds} s. Retry, or use a faster host.`
        ending.abort(failure('timeout', message))
      }, options.timeoutSeconds * 1000)
      signal.addEventListener('abort', cancel, { once: true })
      try {
        return await follow(url, ending.signal)
      } catch (error) {
        throw ending.signal.aborted ? ending.signal.reason : asFailure(error, url, options.bytesMax)
      } finally {
        clearTimeout(timeout)
        signal.removeEventListener('abort', cancel)
      }
    },
  }
}

const requestHeaders = {
  'user-agent': 'Tintype',
  // No format is preferred: hosts that negotiate would send a smaller, lossy copy of the original.
  accept: 'image/*, */*;q=0.1',
  // A body that cannot grow after its size was checked.
  'accept-encoding': 'identity',
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])

function parseSource(source: string): URL {
  if (source.length > limits.urlCharsMax)
    throw failure('input_invalid', `An image's URL must have at most ${limits.urlCharsMax} characters.`)
  const url = URL.parse(source)
  if (url === null)
    throw failure('input_invalid', `An image's URL must be a URL, such as https://example.com/photo.jpg.`)
  const problem = problemOf(url)
  if (problem) throw failure('input_invalid', `An image's URL ${problem}.`)
  return url
}

function redirectTarget(headers: IncomingHttpHeaders, from: URL, start: URL): URL {
  const url = locationOf(headers.location, from)
  if (typeof url === 'string') throw failure('provider_unavailable', `${start.host} ${url}.`)
  const problem = problemOf(url)
  if (problem) throw failure('input_invalid', `${start.host} redirected to an unsupported URL, which ${problem}.`)
  return url
}

function problemOf(url: URL): string | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must start with http:// or https://'
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or a password'
  return undefined
}

function refuseStatus(status: number, start: URL): Fault {
  if (status === 404 || status === 410)
    return failure('input_not_found', `${start.host} has no image at this URL (status ${status}). Check the URL.`)
  return failure('provider_unavailable', `${start.host} returned status ${status} instead of an image.`)
}

function refuseEncoded(headers: IncomingHttpHeaders, start: URL): Fault | undefined {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() === 'identity') return undefined
  const message = `${start.host} sent a compressed response, although the request accepts none. Use another host.`
  return failure('provider_unavailable', message)
}

function asFailure(error: unknown, { host }: URL, bytesMax: number): Fault {
  if (error instanceof Fault) return error
  if (error instanceof AddressRefused) {
    const message = `${host} resolves to a private address, which is blocked. Use a public host, or upload the image. The operator can allow the host in FETCH_ALLOW.`
    return failure('input_invalid', message, { cause: error })
  }
  if (error instanceof BodyTooLarge) {
    return failure(
      'limit_exceeded',
      `${host} sent more than ${bytesMax} bytes, the maximum of an image. Use a smaller file.`,
    )
  }
  if (error instanceof ResponseWasteful) {
    const message = `${host} sent the image in far too many pieces, or with far more data than its response needs. Use another host, or upload the image.`
    return failure('provider_unavailable', message, { cause: error })
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return failure('provider_unavailable', `${host} ${problems[code] ?? 'sent an invalid HTTP response'}.`, {
    cause: error,
  })
}

/** Node's and undici's codes for what happens every day. */
const problems: Record<string, string> = {
  ENOTFOUND: 'does not exist (DNS has no address)',
  EAI_AGAIN: 'could not be resolved (DNS is unavailable)',
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection before its response was complete',
  EPIPE: 'closed the connection before its response was complete',
  ETIMEDOUT: 'could not be reached',
  EHOSTUNREACH: 'could not be reached',
  ENETUNREACH: 'could not be reached',
  UND_ERR_SOCKET: 'closed the connection before its response was complete',
  UND_ERR_HEADERS_OVERFLOW: `sent more than ${limits.fetchHeaderBytesMax} bytes of headers`,
  CERT_HAS_EXPIRED: 'has an expired TLS certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has an untrusted TLS certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'has an untrusted TLS certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'has an untrusted TLS certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'has an untrusted TLS certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a TLS certificate for another host name',
}
