import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createDocsSite } from './docs.ts'
import type { DocsBuild } from './unbuilt-docs.ts'

const browser = { accept: 'text/html' }
const page = `<!doctype html><title>Page</title>${'<p>Text</p>'.repeat(200)}`
const parent = mkdtempSync(join(tmpdir(), 'tintype-'))
after(() => rmSync(parent, { recursive: true }))
const folder = join(parent, 'dist')
for (const [name, content] of Object.entries({
  '../secret.txt': 'secret',
  '.stamp': 'stamp',
  '404.html': 'missing',
  'index.html': page,
  'quickstart.html': page,
  'quickstart.md': '# Quickstart',
  'llms.txt': '# Tintype',
  'operations/index.html': page,
  'assets/app.1a2b.js': '1',
  'assets/card.webp': Buffer.alloc(2_000),
  'project/deploy/Caddyfile': 'example.com',
})) {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), content)
}
const site = createDocsSite({ folder, build: () => assert.fail('it is built') })
const get = (url: string, headers: Record<string, string> = browser, method = 'GET') => site({ method, url, headers })

const pages: [url: string, mediaType: string][] = [
  ['/guide/', 'text/html; charset=utf-8'],
  ['/guide/quickstart', 'text/html; charset=utf-8'],
  ['/guide/quickstart?q=1', 'text/html; charset=utf-8'],
  ['/guide/operations/', 'text/html; charset=utf-8'],
  ['/guide/quickstart.md', 'text/markdown; charset=utf-8'],
  ['/guide/llms.txt', 'text/plain; charset=utf-8'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
  ['/guide/assets/app.1a2b.js', 'text/javascript; charset=utf-8'],
  ['/guide/project/deploy/Caddyfile', 'text/plain; charset=utf-8'],
]
for (const [url, mediaType] of pages) {
  test(`${url} is ${mediaType}`, async () => {
    const { status, headers } = (await get(url)) ?? {}
    assert.deepEqual([status, headers?.['content-type']], [200, mediaType])
  })
}

const redirects: [url: string, location: string][] = [
  ['/guide', '/guide/'],
  ['/guide/operations', '/guide/operations/'],
  ['/guide/quickstart/', '/guide/quickstart'],
]
for (const [url, location] of redirects) {
  test(`${url} redirects to ${location}`, async () => {
    const { status, headers } = (await get(url)) ?? {}
    assert.deepEqual([status, headers?.location], [308, location])
  })
}

for (const url of [
  '/guide/nothing',
  '/guide/../secret.txt',
  '/guide/..%2fsecret.txt',
  '/guide/%2e%2e/secret.txt',
  '/guide/operations/../../secret.txt',
  '/guide//etc/passwd',
  '/guide/.stamp',
  '/guide/quickstart\0.html',
  '/guide/assets',
]) {
  test(`${JSON.stringify(url)} is a 404 page for browsers, and not found for other clients`, async () => {
    const { status, body } = (await get(url)) ?? {}
    assert.deepEqual([status, String(body)], [404, 'missing'])
    assert.equal(await get(url, { accept: 'application/json' }), undefined)
  })
}

test('paths outside of the documentation, and methods other than GET and HEAD, are not handled', async () => {
  for (const url of ['/', '/guidelines', '/guide.html', '/v1/guide', '/llms.txt/'])
    assert.equal(await get(url), undefined)
  assert.equal(await get('/guide/', browser, 'POST'), undefined)
  assert.equal((await get('/guide/', browser, 'HEAD'))?.status, 200)
})

test('pages allow scripts and styles from files of the service only, and nothing can frame them', async () => {
  const policy = String((await get('/guide/'))?.headers?.['content-security-policy'])
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
  assert.match(policy, /frame-ancestors 'none'$/)
})

test('pages are revalidated with an ETag for each encoding, and assets never', async () => {
  const plain = await get('/guide/quickstart')
  const compressed = await get('/guide/quickstart', { ...browser, 'accept-encoding': 'br' })
  assert.deepEqual([plain?.headers?.['cache-control'], compressed?.headers?.['content-encoding']], ['no-cache', 'br'])
  assert.notEqual(plain?.headers?.etag, compressed?.headers?.etag)
  const again = await get('/guide/quickstart', { ...browser, 'if-none-match': String(plain?.headers?.etag) })
  assert.deepEqual([again?.status, again?.body], [304, null])
  assert.match(String((await get('/guide/assets/app.1a2b.js'))?.headers?.['cache-control']), /immutable/)
})

test('texts are compressed as the client accepts them, short ones and images never', async () => {
  const body = async (url: string, encoding: string) => {
    const { headers, body } = (await get(url, { ...browser, 'accept-encoding': encoding })) ?? {}
    return { encoding: headers?.['content-encoding'], bytes: body as Buffer }
  }
  const [br, gzip] = [await body('/guide/quickstart', 'gzip, br'), await body('/guide/quickstart', 'gzip')]
  assert.deepEqual([br.encoding, gzip.encoding], ['br', 'gzip'])
  assert.deepEqual([brotliDecompressSync(br.bytes), gunzipSync(gzip.bytes)].map(String), [page, page])
  for (const url of ['/guide/quickstart.md', '/guide/assets/card.webp'])
    assert.equal((await body(url, 'gzip, br')).encoding, undefined, url)
})

test('a missing page has no ETag that makes it 304', async () => {
  const { status } = (await get('/guide/nothing', { ...browser, 'if-none-match': '*' })) ?? {}
  assert.equal(status, 404)
})

const states: Record<DocsBuild, RegExp> = {
  running: /is being built.*about a minute/,
  failed: /could not be built.*npm run build/,
  'not installed': /not installed(.|\n)*npm run build/,
}
for (const [state, expected] of Object.entries(states) as [DocsBuild, RegExp][]) {
  test(`without a build, a page says what to do if its build is ${state}, and reloads only while one runs`, async () => {
    const unbuilt = createDocsSite({ folder: join(parent, 'nothing'), build: () => state })
    for (const url of ['/guide/', '/guide/quickstart', '/llms.txt']) {
      for (const accept of ['text/html', '*/*']) {
        const { status, headers = {}, body } = (await unbuilt({ method: 'GET', url, headers: { accept } })) ?? {}
        assert.equal(status, 503)
        assert.match(String(body), expected)
        assert.match(String(body), /docs\/README\.md/)
        assert.equal(headers['cache-control'], 'no-store')
        assert.equal(headers['retry-after'], state === 'running' ? '5' : undefined)
        const isPage = accept === 'text/html'
        assert.equal(/http-equiv="refresh"/.test(String(body)), isPage && state === 'running')
        assert.equal(String(headers['content-type']).startsWith('text/html'), isPage)
        if (isPage) assert.match(String(headers['content-security-policy']), /default-src 'none'/)
      }
    }
  })
}

test('only a missing build is built, and only for a page of the documentation', async () => {
  let builds = 0
  const count = () => {
    builds += 1
    return 'running' as const
  }
  const built = createDocsSite({ folder, build: count })
  for (const url of ['/guide/', '/guide/nothing']) await built({ method: 'GET', url, headers: browser })
  const unbuilt = createDocsSite({ folder: join(parent, 'nothing'), build: count })
  for (const url of ['/', '/v1/guide', '/guide']) await unbuilt({ method: 'GET', url, headers: browser })
  assert.equal(builds, 0)
  await unbuilt({ method: 'GET', url: '/guide/', headers: browser })
  assert.equal(builds, 1)
})
