/** Headers of responses to delivery URLs: caching by browsers and CDNs (RFC 9111, RFC 5861, RFC 9213). */
import { limits } from '../../limits.ts'
import type { Delivered } from '../../services/delivery/deliveries.ts'
import { crossOriginHeaders } from './cross-origin.ts'
import type { FileHeaders } from './preconditions.ts'

const yearSeconds = 31_536_000
/** The file that a redirect names can be evicted, so caches must ask again soon. */
const redirectSeconds = 60

export function deliveryHeaders(delivered: Delivered, { isRedirect }: { isRedirect: boolean }): FileHeaders {
  const { image, status, isNegotiated, tags } = delivered
  return {
    etag: `"${image.sha256}"`,
    ...cacheHeaders(delivered, isRedirect),
    ...(status === undefined ? {} : { 'tintype-status': status }),
    ...(isNegotiated ? { vary: 'Accept' } : {}),
    'cache-tag': tags.join(','),
    ...crossOriginHeaders,
    'content-security-policy': image.format === 'svg' ? "sandbox; default-src 'none'" : "default-src 'none'",
  }
}

/** A copy in a cache must not outlive the URL. */
function cacheHeaders(
  { status, maxAge, secondsLeft, isPublic }: Delivered,
  isRedirect: boolean,
): Record<string, string> {
  const seconds = Math.min(isRedirect ? redirectSeconds : (maxAge ?? yearSeconds), secondsLeft)
  if (!isPublic) return { 'cache-control': `private, max-age=${Math.min(seconds, limits.privateImageCacheSeconds)}` }
  if (isRedirect || status !== undefined) return { 'cache-control': `public, max-age=${seconds}` }
  if (maxAge === undefined)
    return {
      'cache-control': `public, max-age=${seconds}, immutable`,
      'cdn-cache-control': `max-age=${seconds}`,
    }
  const stale = Math.min(limits.deliveryStaleSeconds, secondsLeft - seconds)
  return {
    'cache-control': `public, max-age=${seconds}, stale-while-revalidate=${stale}`,
    'cdn-cache-control': `max-age=${seconds}, stale-while-revalidate=${stale}, stale-if-error=${stale}`,
  }
}
