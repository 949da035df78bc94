/** The console at `/`: its page for every address that is a browser's and no other route's, and its files. */

import type { RouteResponse } from '../define-route.ts'
import { isNotModified } from '../response/file-response.ts'
import { encodingFor } from './encoding.ts'
import { type ConsoleFile, createConsoleStore } from './files.ts'
import { pageResponse } from './page.ts'

interface Asked {
  method: string
  /** As it came: with its escapes, and its query. */
  url: string
  /** Lower-case names. */
  headers: Record<string, string | string[] | undefined>
}

/** What is asked for and is no route. Undefined where the console has nothing there either. */
export type Site = (asked: Asked) => Promise<RouteResponse | undefined>

interface Dependencies {
  /** Where it was built. */
  folder: string
  /** Where URLs of images begin. */
  imageOrigins(): readonly string[]
}

/** What is never a page: there is an API, or a file, or nothing. */
const apart = /^\/(v1|images|docs|health|assets|openapi\.json|\.well-known)(\/|$)/

export function createConsoleSite({ folder, imageOrigins }: Dependencies): Site {
  const store = createConsoleStore(folder)

  return async ({ method, url, headers }) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined
    const [path = '/'] = url.split('?')
    const isPage = path === '/' || (!apart.test(path) && /\btext\/html\b/i.test(String(headers.accept ?? '')))
    const file = path === '/index.html' ? undefined : await store.file(path)
    if (file) return fileResponse(path, file, headers)
    return isPage ? pageResponse(await store.page(), imageOrigins()) : undefined
  }
}

/** What Vite puts into `/assets` has a hash of its bytes in its name. */
function fileResponse(path: string, file: ConsoleFile, headers: Asked['headers']): RouteResponse {
  const encoding = encodingFor(String(headers['accept-encoding'] ?? ''), file)
  const etag = `"${file.tag}${encoding === undefined ? '' : `-${encoding}`}"`
  const common = {
    etag,
    vary: 'accept-encoding',
    'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    'cross-origin-resource-policy': 'same-origin',
    // An SVG that is opened by itself is a document.
    'content-security-policy': "default-src 'none'",
  }
  if (isNotModified(headers, etag)) return { status: 304, headers: common, body: null }
  return {
    headers: {
      ...common,
      'content-type': file.mediaType,
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    },
    body: (encoding && file.encoded[encoding]) ?? file.bytes,
  }
}
