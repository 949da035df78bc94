/** Where the requests of one provider may go, and which of them may carry its key. */
import type { LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import { limits } from '../limits.ts'
import { createAllowList } from './allow.ts'
import { createConnector } from './connect.ts'

export interface OriginOptions {
  baseUrl: string
  /** Exact, or `https://*.bfl.ai`. */
  ownOrigins: readonly string[]
  /** `host` or `host:port`, exact: these may be reached wherever their address is. */
  allow: readonly string[]
  lookup: LookupFunction
  isOpen(address: string): boolean
}

export interface Route {
  url: URL
  /** The provider's own: that of its base URL, or one of those that it names. */
  isOwn: boolean
  connector(signal: AbortSignal): buildConnector.connector
}

/**
 * Tells how a URL is reached, or in words why it is not. The origin of the base URL was set by the operator and may be
 * private; every other one came in an answer. `isAnswered`: so did this one, from another origin than the provider's.
 */
export function createOrigins(options: OriginOptions): (text: string, isAnswered?: boolean) => Route | string {
  const base = new URL(options.baseUrl)
  const isAllowed = createAllowList(options.allow)
  const isOwn = originMatcher([base.origin, ...options.ownOrigins])
  return (text, isAnswered = false) => {
    // One without an origin is of the same as the base URL.
    const url = text.length > limits.urlCharsMax ? null : URL.parse(text, text.startsWith('/') ? base.href : undefined)
    if (url === null) return 'is no URL, or too long a one'
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && base.protocol === 'http:'))
      return 'is not reached by https'
    if (url.username !== '' || url.password !== '') return 'carries a user name or a password'
    const open = (url.origin === base.origin && !isAnswered) || isAllowed(url)
    const mayReach = (address: string) => open || options.isOpen(address)
    const { lookup } = options
    return { url, isOwn: isOwn(url), connector: (signal) => createConnector({ mayReach, lookup, signal }) }
  }
}

function originMatcher(patterns: readonly string[]): (url: URL) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')))
  const endings = patterns.flatMap((pattern) => /^https:\/\/\*(\.[^*/:]+)$/.exec(pattern)?.[1] ?? [])
  if (exact.size + endings.length !== new Set(patterns).size)
    throw new Error('an origin is exact, or begins with https://*.')
  return (url) =>
    exact.has(url.origin) ||
    (url.protocol === 'https:' && url.port === '' && endings.some((ending) => url.hostname.endsWith(ending)))
}
