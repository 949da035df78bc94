/** Pages of the console, and what they may do: nothing but what they are made for. */
import { randomBase62 } from '../../domain/ids.ts'

/** Where Vite was told to leave room for it (`html.cspNonce`). */
const nonceMark = '__NONCE__'

const styles =
  'body{font:1rem/1.5 system-ui,sans-serif;color-scheme:light dark;max-width:36rem;margin:20vh auto 0;padding:0 1.5rem}'

/** `html` with a nonce of this answer alone. `imageOrigins`: where the URLs of images begin. */
export function pageHeadersAndBody(
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
    // Who does not ask for a page is told as JSON that nothing is there.
    vary: 'accept',
  }
  return { headers, body: Buffer.from(html.replaceAll(nonceMark, nonce)) }
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

/** While it is being built: loads itself again. */
export const buildingPage = notice(
  'The console is being built',
  'This page goes on by itself as soon as it is there. The API works already; <a href="/docs">its reference</a> too.',
  '<meta http-equiv="refresh" content="2">',
)

/** `why`: a sentence of ours without its end. */
export function missingPage(why: string): string {
  const sentence = `${why.charAt(0).toUpperCase()}${why.slice(1)}.`
  return notice('There is no console here', `${sentence} The API works; <a href="/docs">its reference</a> too.`)
}

function notice(title: string, text: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<title>${title} - Tintype</title>
<style nonce="${nonceMark}">${styles}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>
`
}
