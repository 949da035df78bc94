/** Pages of the console and their security headers. */
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
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy(nonce, imageOrigins),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'cache-control': 'no-cache',
    // Clients that don't accept HTML get a 404 as JSON.
    vary: 'accept',
  }
  return { headers, body: Buffer.from(html.replaceAll(noncePlaceholder, nonce)) }
}

function policy(nonce: string, imageOrigins: readonly string[]): string {
  const directives = {
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
  }
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}
