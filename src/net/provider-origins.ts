/** The origins that requests of one provider can go to, and those that get its key. */
import type { LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import { limits } from '../limits.ts'
import { createAllowList } from './allow.ts'
import { createConnector } from './connect.ts'

export interface OriginOptions {
  baseUrl: string
  /** Exact, or `https://*.bfl.ai`. */
  ownOrigins: readonly string[]
  /** `host` or `host:port`, exact: hosts that are permitted at any address. */
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
 * Returns how to reach a URL, or a sentence that says why it can't be reached. The operator set the origin of the base URL, which can be
 * private. Every other URL came in a response. `isAnswered`: this one came from another origin than the provider's.
 */
export function createOrigins(options: OriginOptions): (text: string, isFromResponse?: boolean) => Route | string {
  const base = new URL(options.baseUrl)
  const isAllowed = createAllowList(options.allow)
  const isOwn = originMatcher([base.origin, ...options.ownOrigins])
  return (text, isFromResponse = false) => {
    // One without an origin is of the same as the base URL.
    const url = text.length > limits.urlCharsMax ? null : URL.parse(text, text.startsWith('/') ? base.href : undefined)
    if (url === null) return 'is not a URL, or is too long'
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && base.protocol === 'http:')) return 'must use https'
    if (url.username !== '' || url.password !== '') return 'carries a user name or a password'
    const open = (url.origin === base.origin && !isFromResponse) || isAllowed(url)
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
