/** The response for a page of the documentation that isn't built. */
import type { RouteResponse } from '../define-route.ts'
import type { RequestHeaders } from '../response/preconditions.ts'
import { pageHeaders } from './page.ts'

export type DocsBuild = 'running' | 'failed' | 'not installed'

const retrySeconds = 5

const sentences: Record<DocsBuild, string[]> = {
  running: ['The documentation is being built, because this is its first visit. That takes about a minute.'],
  failed: ['The documentation could not be built. Run "npm run build" in the folder of Tintype to see why.'],
  'not installed': [
    'The documentation is not built, and the packages that build it are not installed.',
    'Run "npm run build" in the folder of Tintype, or set DOCS=false.',
  ],
}

/** 503 with the reason and the fix: as a page that reloads until the build is done, or as text. */
export function unbuiltDocs(build: DocsBuild, headers: RequestHeaders, policy: string): RouteResponse {
  const isRunning = build === 'running'
  const common = {
    'cache-control': 'no-store',
    vary: 'accept',
    ...(isRunning && { 'retry-after': String(retrySeconds) }),
  }
  const text = [...sentences[build], 'Its pages are also Markdown files in that folder: docs/README.md lists them.']
  if (!/\btext\/html\b/i.test(String(headers.accept ?? ''))) {
    const body = Buffer.from(`${text.join('\n')}\n`)
    return { status: 503, headers: { ...common, 'content-type': 'text/plain; charset=utf-8' }, body }
  }
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">${isRunning ? `\n<meta http-equiv="refresh" content="${retrySeconds}">` : ''}
<title>The documentation of Tintype</title>
<h1>The documentation of Tintype</h1>
${text.map((sentence) => `<p>${sentence}</p>`).join('\n')}
${isRunning ? '<p>This page opens the documentation when it is ready.</p>\n' : ''}</html>
`
  return {
    status: 503,
    headers: { ...common, ...pageHeaders(policy), 'content-type': 'text/html; charset=utf-8' },
    body: Buffer.from(body),
  }
}
