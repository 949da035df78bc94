/** The console at `/`: its files, and its page for every other path that a browser requests. */

import type { RouteResponse } from '../define-route.ts'
import type { RequestHeaders } from '../response/preconditions.ts'
import { createConsoleStore } from './files.ts'
import { pageResponse } from './page.ts'
import { staticFileResponse } from './static-file.ts'

interface SiteRequest {
  method: string
  /** Raw: with percent-encoding and query. */
  url: string
  headers: RequestHeaders
}

/** Handles a request without a route. Undefined if the site has nothing at this path. */
export type Site = (request: SiteRequest) => Promise<RouteResponse | undefined>

interface Dependencies {
  /** Output folder of the build. */
  folder: string
  /** Origins of image URLs. */
  imageOrigins(): readonly string[]
}

/** Paths of the API and of files, which never get the page. */
const reservedPaths = /^\/(v1|images|docs|guide|health|assets|openapi\.json|llms\.txt|robots\.txt|\.well-known)(\/|$)/

export function createConsoleSite({ folder, imageOrigins }: Dependencies): Site {
  const store = createConsoleStore(folder)

  return async ({ method, url, headers }) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined
    const [path = '/'] = url.split('?')
    const isPage = path === '/' || (!reservedPaths.test(path) && /\btext\/html\b/i.test(String(headers.accept ?? '')))
    const isRunPage = path === '/run' || path === '/run/'
    if (isRunPage) return pageResponse(await store.page('run'), imageOrigins())
    const file = path.endsWith('/index.html') ? undefined : await store.file(path)
    if (file) return staticFileResponse(file, { headers, isImmutable: path.startsWith('/assets/') })
    return isPage ? pageResponse(await store.page('console'), imageOrigins()) : undefined
  }
}
