/** Pages of the console, and what they may do: nothing but what they are made for. */
import { randomBase62 } from '../../domain/ids.ts'

/** Where Vite was told to leave room for it (`html.cspNonce`). */
const nonceMark = '__NONCE__'

const styles = `
:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/24px system-ui,sans-serif;background:light-dark(#f3f0eb,#141211);color:light-dark(#211d1a,#ece7e1)}
main{box-sizing:border-box;width:min(400px,100vw - 48px);padding:32px;border:1px solid light-dark(#dbd5cc,#49423c);border-radius:16px;background:light-dark(#fff,#1a1716)}
h1{margin:16px 0 8px;font-size:22px;line-height:28px;font-weight:620}
p{margin:0;color:light-dark(#6a6259,#a89f95)}
a{color:light-dark(#b65f27,#e0915a)}`

/** As in console/public/favicon.svg, which may not be there yet. */
const mark = `<svg width="44" height="44" viewBox="0 0 32 32" aria-hidden="true">
<rect x=".75" y=".75" width="30.5" height="30.5" rx="6.5" fill="#1c1815" stroke="#e0915a" stroke-opacity=".4" stroke-width="1.5"/>
<path d="M6 9.5A2.5 2.5 0 0 1 8.5 7h15A2.5 2.5 0 0 1 26 9.5V12h-2.6a3 3 0 0 0-2.7-2H18.2v12.2c0 1.3.7 1.9 2.3 2V26h-9v-1.8c1.6-.1 2.3-.7 2.3-2V10H11.3a3 3 0 0 0-2.7 2H6z" fill="#e0915a"/>
</svg>`

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
${mark}
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>
`
}
