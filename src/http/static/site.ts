/** The console at `/`: its files, and its page for every other path that a browser requests. */

import type { RouteResponse } from '../define-route.ts'
import { isNotModified } from '../response/file-response.ts'
import { encodingFor } from './encoding.ts'
import { type ConsoleFile, createConsoleStore } from './files.ts'
import { pageResponse } from './page.ts'

interface SiteRequest {
  method: string
  /** Raw: with percent-encoding and query. */
  url: string
  /** Lower-case names. */
  headers: Record<string, string | string[] | undefined>
}

/** Handles a request without a route. Undefined if the console has nothing at this path. */
export type Site = (request: SiteRequest) => Promise<RouteResponse | undefined>

interface Dependencies {
  /** Output folder of the build. */
  folder: string
  /** Origins of image URLs. */
  imageOrigins(): readonly string[]
}

/** Paths of the API and of files, which never get the page. */
const reservedPaths = /^\/(v1|images|docs|health|assets|openapi\.json|\.well-known)(\/|$)/

export function createConsoleSite({ folder, imageOrigins }: Dependencies): Site {
  const store = createConsoleStore(folder)

  return async ({ method, url, headers }) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined
    const [path = '/'] = url.split('?')
    const isPage = path === '/' || (!reservedPaths.test(path) && /\btext\/html\b/i.test(String(headers.accept ?? '')))
    const file = path === '/index.html' ? undefined : await store.file(path)
    if (file) return fileResponse(path, file, headers)
    return isPage ? pageResponse(await store.page(), imageOrigins()) : undefined
  }
}

/** File names in `/assets` contain a hash of the content, so these responses never change. */
function fileResponse(path: string, file: ConsoleFile, headers: SiteRequest['headers']): RouteResponse {
  const encoding = encodingFor(String(headers['accept-encoding'] ?? ''), file)
  const etag = `"${file.hash}${encoding === undefined ? '' : `-${encoding}`}"`
  const common = {
    etag,
    vary: 'accept-encoding',
    'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    'cross-origin-resource-policy': 'same-origin',
    // An SVG that is opened in a tab is a document.
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
