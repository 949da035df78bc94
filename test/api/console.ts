/** The console as browsers get it: its page at every path without a route, its files and their headers. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { area } from '../harness/area.ts'
import { buildConsole } from '../harness/build.ts'
import { assertEnvelope } from '../harness/client.ts'
import { type HttpResponse, sendRequest } from '../harness/http.ts'
import { type Service, startWithoutExamples } from '../harness/service.ts'

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

area('the console', { dependsOn: 'nothing' }, () => {
  let service: Service
  let page: HttpResponse
  before(async () => {
    await buildConsole()
    service = await startWithoutExamples({ CONSOLE: 'true', IMAGES_URL: 'https://cdn.example/pictures' })
    page = await get('/')
  })
  after(() => service.remove())
  const get = (path: string, headers: Record<string, string> = html, method = 'GET') =>
    sendRequest(service.origin, path, { headers, method })
  const refusedAt = async (path: string, headers: Record<string, string> = html, method = 'GET') => {
    const response = await get(path, headers, method)
    assert.ok(response.status >= 400, `${method} ${path} is answered ${response.status}`)
    assertEnvelope(response, `${method} ${path}`)
  }
  const textOf = ({ bytes }: HttpResponse) => bytes.toString('utf8')
  const assetsOf = (response: HttpResponse) =>
    [...textOf(response).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
  const scriptOf = (response: HttpResponse) => {
    const path = assetsOf(response).find((each) => /^\/assets\/.*\.js$/.test(each))
    assert.ok(path)
    return path
  }

  test('is a page that loads only its own files, and browsers revalidate it each time', () => {
    assert.equal(page.status, 200)
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(page.headers['cache-control'], 'no-cache')
    assert.equal(page.headers['x-content-type-options'], 'nosniff')
    assert.equal(page.headers['referrer-policy'], 'no-referrer')
    assert.equal(page.headers['cross-origin-opener-policy'], 'same-origin')
    const paths = assetsOf(page)
    assert.ok(paths.length >= 4, paths.join())
    for (const path of paths) assert.match(path, /^\/(?!\/)/)
  })

  test('runs only its own scripts, sends nothing elsewhere, and cannot be framed', () => {
    const policy = String(page.headers['content-security-policy'])
    const directives = Object.fromEntries(
      policy.split('; ').map((each) => [each.split(' ')[0], each.split(' ').slice(1).join(' ')]),
    )
    const { 'style-src': style, ...rest } = directives
    assert.match(style ?? '', /^'self' 'nonce-[0-9A-Za-z]{22}'$/)
    assert.deepEqual(rest, {
      'default-src': "'none'",
      'script-src': "'self'",
      'img-src': `'self' data: blob: ${service.origin} https://cdn.example`,
      'connect-src': "'self'",
      'font-src': "'self'",
      'manifest-src': "'self'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
    })
  })

  test('has a new nonce in each response, equal to that of its policy', async () => {
    const nonces = (response: HttpResponse) => [
      ...new Set([
        ...[...textOf(response).matchAll(/nonce="([^"]*)"/g)].map(([, nonce]) => nonce),
        /'nonce-([^']+)'/.exec(String(response.headers['content-security-policy']))?.[1],
      ]),
    ]
    const [one, two] = [nonces(page), nonces(await get('/'))]
    assert.deepEqual([one.length, two.length], [1, 1])
    assert.notDeepEqual(one, two)
    assert.doesNotMatch(textOf(page), /__NONCE__/)
  })

  for (const path of [
    '/workflows/wf_1',
    '/no/such/page',
    '/index.html',
    '/v2',
    '/v10',
    '/documents',
    '/%3Cscript%3E',
  ]) {
    test(`is also at ${path}, if a browser requests a page`, async () => {
      const response = await get(path)
      assert.equal(response.status, 200)
      assert.equal(response.headers.vary, 'accept')
      const bare = (text: string) => text.replaceAll(/nonce="[^"]*"/g, '')
      assert.equal(bare(textOf(response)), bare(textOf(page)))
    })
  }

  test('is at / for every client, and at other paths only for requests of a page', async () => {
    assert.equal((await get('/', {})).status, 200)
    assert.equal((await get('/?a=1', { accept: '*/*' })).status, 200)
    for (const accept of ['*/*', 'application/json', 'text/htmlx']) await refusedAt('/workflows/wf_1', { accept })
    await refusedAt('/workflows/wf_1', {})
  })

  for (const path of [
    '/v1',
    '/v1/nothing',
    '/images/nothing',
    '/docs/nothing',
    '/health/x',
    '/robots.txt',
    '/assets',
    '/assets/x.js',
  ]) {
    test(`is not at ${path}, which returns not_found`, () => refusedAt(path))
  }

  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
    test(`does not support ${method}`, () => refusedAt('/', html, method))

  for (const path of [
    '/.stamp',
    '/assets/../.stamp',
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..\\..\\package.json',
    '//assets//../package.json',
    '/assets/%00',
    '/assets/',
    '/package.json',
    '/__proto__',
    '/constructor',
  ]) {
    test(`has no file at ${path}`, () => refusedAt(path, { accept: '*/*' }))
  }

  test('has files with names that depend on their content, which browsers may cache permanently', async () => {
    for (const path of assetsOf(page)) {
      const response = await get(path, { accept: '*/*' })
      assert.equal(response.status, 200, path)
      const caching = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
      assert.equal(response.headers['cache-control'], caching, path)
      assert.equal(response.headers['x-content-type-options'], 'nosniff')
      const type = /\.css$/.test(path)
        ? /^text\/css/
        : /\.js$/.test(path)
          ? /^text\/javascript/
          : /^(image|application)\//
      assert.match(response.headers['content-type'] ?? '', type, path)
    }
  })

  test('serves each file in the smallest accepted encoding, with the same content', async () => {
    const path = scriptOf(page)
    const plain = await get(path, {})
    assert.equal(plain.headers['content-encoding'], undefined)
    const tags = new Set([plain.headers.etag])
    for (const [accepted, encoding, decode] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, *', 'gzip', gunzipSync],
    ] as const) {
      const response = await get(path, { 'accept-encoding': accepted })
      assert.equal(response.headers['content-encoding'], encoding, accepted)
      assert.equal(response.headers.vary, 'accept-encoding')
      assert.ok(response.bytes.length < plain.bytes.length / 2)
      assert.ok(decode(response.bytes).equals(plain.bytes))
      tags.add(response.headers.etag)
    }
    assert.equal(tags.size, 3)
  })

  for (const accepted of ['', 'identity', 'br;q=0', 'x', ',,;;q==', 'br;q=-1', 'a'.repeat(5_000)]) {
    test(`serves uncompressed bytes to clients that accept ${accepted.slice(0, 20) || 'nothing'}`, async () => {
      const { status, headers } = await get(scriptOf(page), { 'accept-encoding': accepted })
      assert.deepEqual([status, headers['content-encoding']], [200, undefined])
    })
  }

  test('sends no file again that the browser has', async () => {
    const path = scriptOf(page)
    const tag = (await get(path, { 'accept-encoding': 'br' })).headers.etag ?? ''
    for (const header of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const response = await get(path, { 'accept-encoding': 'br', 'if-none-match': header })
      assert.deepEqual([response.status, response.bytes.length], [304, 0])
    }
    assert.equal((await get(path, { 'accept-encoding': 'gzip', 'if-none-match': tag })).status, 200)
  })

  test('supports HEAD without a body', async () => {
    for (const path of ['/', scriptOf(page)]) {
      const response = await get(path, html, 'HEAD')
      assert.deepEqual([response.status, response.bytes.length], [200, 0])
      assert.ok(Number(response.headers['content-length']) > 0)
    }
  })

  test('never includes parts of the request in its page', async () => {
    const response = await sendRequest(service.origin, '/"><script>x</script>?"><script>', {
      headers: { ...html, host: 'evil.example' },
    })
    assert.doesNotMatch(`${textOf(response)}${response.headers['content-security-policy']}`, /evil|<script>/)
  })

  test('has its address in the start-up output', () => {
    assert.ok(service.lines.some((line) => line.trim() === `Console    ${service.origin}`))
  })
})

area('a service without the console', { isSlow: true, dependsOn: 'nothing' }, () => {
  let service: Service
  before(async () => {
    service = await startWithoutExamples({ CONSOLE: 'false' })
  })
  after(() => service.remove())

  test('redirects to the reference, and has no other page', async () => {
    const response = await sendRequest(service.origin, '/', { headers: html })
    assert.deepEqual([response.status, response.headers.location], [302, '/docs'])
    for (const path of ['/workflows/wf_1', '/index.html', '/favicon.svg'])
      assert.equal((await sendRequest(service.origin, path, { headers: html })).status, 404)
    assert.ok(!service.lines.some((line) => line.includes('Console')))
  })
})
