/** Security headers of pages, and the pages of the console. */
import { randomBase62 } from '../../domain/ids.ts'

/** The value of Vite's option `html.cspNonce`. */
const noncePlaceholder = '__NONCE__'

/** The page with a new nonce. `imageOrigins`: origins of image URLs. */
export function pageResponse(
  html: string,
  imageOrigins: readonly string[],
): { headers: Record<string, string>; body: Buffer } {
  const nonce = randomBase62(22)
  const headers = {
    ...pageHeaders(policy(nonce, imageOrigins)),
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    // Clients that don't accept HTML get a 404 as JSON.
    vary: 'accept',
  }
  return { headers, body: Buffer.from(html.replaceAll(noncePlaceholder, nonce)) }
}

/** Security headers of a page, in addition to those of every response. */
export function pageHeaders(policy: string): Record<string, string> {
  return {
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  }
}

function policy(nonce: string, imageOrigins: readonly string[]): string {
  return policyOf({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': ["'self'", 'data:', 'blob:', ...new Set(imageOrigins)].join(' '),
    'connect-src': "'self'",
    'font-src': "'self'",
    'manifest-src': "'self'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  })
}

/** The value of `Content-Security-Policy`. */
export function policyOf(directives: Record<string, string>): string {
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}
