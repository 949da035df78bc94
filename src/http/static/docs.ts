/** The documentation at `/guide/`. It needs no API key, so files that were read are cached: a request costs no read and no hash. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type BoundedCache, createBoundedCache } from '../../bounded-cache.ts'
import { limits } from '../../limits.ts'
import type { RouteResponse } from '../define-route.ts'
import { mediaTypeOf } from './media-types.ts'
import { pageHeaders, policyOf } from './page.ts'
import type { Site } from './site.ts'
import { type StaticFile, staticFile, staticFileResponse } from './static-file.ts'
import { type DocsBuild, unbuiltDocs } from './unbuilt-docs.ts'

/** Path of the guide, also `base` in site/content/write.ts, because the links of the built pages contain it. */
const docsPath = '/guide/'

/** The pages have no inline scripts and styles. */
const policy = policyOf({
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'font-src': "'self'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
})

interface Dependencies {
  /** Output of the build. */
  folder: string
  /** Builds it, if it isn't built. */
  build(): DocsBuild
}

export function createDocsSite({ folder, build }: Dependencies): Site {
  const cache = createBoundedCache<StaticFile>({
    bytesMax: limits.docsBytesMax,
    accountBytesMax: limits.docsBytesMax,
  })
  return async ({ method, url, headers }) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined
    const [path = ''] = url.split('?')
    if (`${path}/` === docsPath) return redirect('')
    if (path !== '/llms.txt' && !path.startsWith(docsPath)) return undefined
    const name = path === '/llms.txt' ? 'llms.txt' : path.slice(docsPath.length)
    for (const [fileName, isCanonical] of filesAt(name)) {
      const file = await readStatic(folder, fileName, cache)
      if (file === undefined) continue
      return isCanonical ? respond(file, 200) : redirect(fileName.replace(/(index)?\.html$/, ''))
    }
    const missing = await readStatic(folder, '404.html', cache)
    if (missing === undefined) return unbuiltDocs(build(), headers, policy)
    return /\btext\/html\b/i.test(String(headers.accept ?? '')) ? respond(missing, 404) : undefined

    function respond(file: StaticFile, status: number): Promise<RouteResponse> {
      const added = file.mediaType.startsWith('text/html') ? pageHeaders(policy) : {}
      return staticFileResponse(file, { headers, status, isImmutable: name.startsWith('assets/'), added })
    }
  }
}

/** Files for a path, best first. A page has one address: the others redirect to it. */
function filesAt(name: string): [file: string, isCanonical: boolean][] {
  if (name === '' || name.endsWith('/')) {
    return [
      [`${name}index.html`, true],
      [`${name.slice(0, -1)}.html`, false],
    ]
  }
  return [
    [name, true],
    [`${name}.html`, true],
    [`${name}/index.html`, false],
  ]
}

function redirect(page: string): RouteResponse {
  return {
    status: 308,
    headers: { location: docsPath + page, 'content-type': 'text/plain; charset=utf-8' },
    body: Buffer.alloc(0),
  }
}

/** No `..`, no absolute path and no file of the build itself. */
const publicFile = /^(?!.*\.stamp$)(?:(?!\.\.?\/)[\w.@-]+\/)*[\w.@-]+$/

async function readStatic(
  folder: string,
  name: string,
  cache: BoundedCache<StaticFile>,
): Promise<StaticFile | undefined> {
  if (!publicFile.test(name)) return undefined
  const found = await stat(join(folder, name)).catch(() => undefined)
  if (!found?.isFile()) return undefined
  // A new build replaces files.
  const key = `${name} ${found.mtimeMs} ${found.size}`
  const cached = cache.get(key)
  if (cached) return cached
  const bytes = await readFile(join(folder, name)).catch(() => undefined)
  if (bytes === undefined) return undefined
  // Files of the project that a page links to, such as YAML, are shown as text.
  const file = staticFile(mediaTypeOf(name) ?? 'text/plain; charset=utf-8', bytes)
  // With its compressed forms.
  cache.set(key, file, { accountId: '', bytes: 2 * bytes.byteLength })
  return file
}
