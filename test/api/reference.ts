/** GET /operations, GET /openapi.json, /docs, /health. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import type { OpenApiDocument } from '../harness/openapi.ts'
import { closedService, firstAccount } from '../harness/shared.ts'
import { linkRoutes, otherRoutes, routes } from './routes.ts'

/** The paths of the OpenAI-compatible API start at the root. */
const fullPath = (path: string, base: string): string => (path.startsWith('/openai/') ? path : base + path)

area('the reference of the service', { concurrency: 4 }, () => {
  let api: Client
  let withoutKey: Client
  before(async () => {
    api = await firstAccount()
    withoutKey = api.as(undefined)
  })

  test('lists every operation with its inputs and params', async () => {
    const { operations } = ok(await api.get<{ operations: { id: string }[] }>('/operations'))
    const ids = operations.map((each) => each.id)
    const expected =
      'adjust blur canvas composite crop extend flip gradient grayscale image qr resize rotate round sharpen text'.split(
        ' ',
      )
    for (const id of expected) assert.ok(ids.includes(id), `no ${id} among ${ids.join(' ')}`)
    assert.equal(new Set(ids).size, ids.length)
  })

  test('is OpenAPI 3.1, the same at both addresses', async () => {
    const document = ok(await api.get<OpenApiDocument>('/openapi.json'))
    assert.match(document.openapi, /^3\.1\.\d+$/)
    assert.deepEqual(ok(await withoutKey.root<OpenApiDocument>('GET', '/openapi.json')), document)
  })

  test('has every route of the interface with a unique id', async () => {
    const document = ok(await api.get<OpenApiDocument>('/openapi.json'))
    const base = document.servers?.[0] ? new URL(document.servers[0].url, 'http://x').pathname.replace(/\/$/, '') : ''
    const shape = (path: string): string =>
      path.replaceAll(
        /\{[^}]+\}|(wf|exec|img|font|key|batch|whe|whd|skey|proj)_0+|(?<=\/(steps|items)\/)a\b|(?<=\/channels\/)live\b/g,
        '*',
      )
    const declared = Object.entries(document.paths).flatMap(([path, item]) =>
      verbsOf(item).map(([method]) => `${method.toUpperCase()} ${shape(fullPath(path, base))}`),
    )
    for (const { method, path } of [...routes, ...otherRoutes, ...linkRoutes]) {
      assert.ok(
        declared.includes(`${method} ${shape(fullPath(path, '/v1'))}`),
        `${method} ${path} is not among ${declared.join(', ')}`,
      )
    }
    const ids = Object.values(document.paths).flatMap((item) => verbsOf(item).map(([, verb]) => verb.operationId))
    assert.ok(ids.every((each) => typeof each === 'string' && each !== ''))
    assert.equal(new Set(ids).size, ids.length)
  })

  for (const path of ['/v1/operations', '/openapi.json', '/v1/openapi.json', '/docs', '/docs/swagger-ui-bundle.js']) {
    test(`compresses ${path}, and returns 304 for its ETag`, async () => {
      const get = (headers: Record<string, string>) =>
        api.root('GET', path, { headers: { authorization: `Bearer ${api.key}`, ...headers } })
      const plain = await get({ 'accept-encoding': 'identity' })
      ok(plain)
      assert.equal(plain.headers['content-encoding'], undefined)
      const etags = new Set([plain.headers.etag])
      for (const [encoding, decode] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const reply = await get({ 'accept-encoding': encoding })
        assert.deepEqual([reply.status, reply.headers['content-encoding']], [200, encoding])
        assert.match(reply.headers.vary ?? '', /accept-encoding/)
        assert.match(reply.headers['cache-control'] ?? '', /no-cache|max-age=3600/)
        assert.deepEqual(decode(reply.bytes), plain.bytes)
        const etag = reply.headers.etag ?? assert.fail('no ETag')
        etags.add(etag)
        const again = await get({ 'accept-encoding': encoding, 'if-none-match': etag })
        assert.deepEqual([again.status, again.bytes.length, again.headers.etag], [304, 0, etag])
        assert.equal((await get({ 'accept-encoding': encoding, 'if-none-match': '"another"' })).status, 200)
        refused(await get({ 'if-match': '"another"' }), 'precondition_failed')
      }
      assert.equal(etags.size, 3)
    })
  }

  test('lets no shared cache store the operations, which require a key', async () => {
    const { headers } = await api.get('/operations')
    assert.match(headers['cache-control'] ?? '', /private/)
    refused(
      await withoutKey.call('GET', '/operations', { headers: { 'if-none-match': headers.etag ?? '' } }),
      'unauthorized',
    )
  })

  test('has no broken references', async () => {
    const { text } = await api.get('/openapi.json')
    const document = JSON.parse(text) as Record<string, unknown>
    const refs = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? '')
    assert.ok(refs.length > 0)
    for (const ref of new Set(refs)) {
      assert.ok(ref.startsWith('#/'), ref)
      const found = ref
        .slice(2)
        .split('/')
        .reduce<unknown>(
          (value, name) =>
            (value as Record<string, unknown> | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')],
          document,
        )
      assert.notEqual(found, undefined, ref)
    }
  })

  test('can be read in a browser at /docs without any other host', async () => {
    const page = await withoutKey.root('GET', '/docs')
    const moved = page.headers.location
    const html = moved ? await withoutKey.root('GET', moved) : page
    ok(html)
    assert.match(html.headers['content-type'] ?? '', /^text\/html\b/)
    assert.deepEqual(outsideOf(html.text), [])
    const policy = String(html.headers['content-security-policy'])
    assert.match(policy, /default-src '(self|none)'/)
    assert.doesNotMatch(policy, /https?:|\*/)
    const base = new URL(moved ?? '/docs', api.service.origin)
    const files = [...html.text.matchAll(/\b(?:src|href)="([^"#]+)"/g)].map(
      (match) => new URL(match[1] ?? '', base).pathname,
    )
    assert.ok(files.length > 0)
    for (const path of new Set(files)) {
      const file = await withoutKey.root('GET', path)
      ok(file)
      if (path.endsWith('.css')) assert.deepEqual(outsideOf(file.text), [])
    }
  })

  test('rejects an invalid Host header at every path that needs no key', async () => {
    const document = ok(await api.get<OpenApiDocument>('/openapi.json'))
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, operation] of verbsOf(item)) {
        if ((operation as { security?: unknown[] }).security?.length !== 0) continue
        const prefix = item.servers === undefined ? '/v1' : ''
        const options = { headers: { host: 'two words' } }
        const reply = await withoutKey.root(method.toUpperCase(), prefix + path.replaceAll(/\{\w+\}/g, 'x'), options)
        assert.deepEqual(issuePaths(reply), ['Host'], path)
      }
    }
  })

  test('has no missing files at /docs', async () => {
    for (const name of ['nothing.js', '..%2f..%2fpackage.json', '%2e%2e', 'index.html%00.css']) {
      refused(await withoutKey.root('GET', `/docs/${name}`), 'not_found')
    }
  })

  test('states where to report a vulnerability, if the operator has set a contact (RFC 9116)', async () => {
    const reply = await withoutKey.root('GET', '/.well-known/security.txt')
    ok(reply)
    assert.equal(reply.headers['content-type'], 'text/plain; charset=utf-8')
    const fields = new Map(
      reply.text
        .trim()
        .split('\n')
        .map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string]),
    )
    assert.deepEqual([...fields.keys()], ['Contact', 'Expires', 'Canonical'])
    assert.equal(fields.get('Contact'), 'mailto:security@tintype.example')
    assert.match(fields.get('Canonical') ?? '', /^http:\/\/127\.0\.0\.1:\d+\/\.well-known\/security\.txt$/)
    const daysLeft = (Date.parse(fields.get('Expires') ?? '') - Date.parse(String(reply.headers.date))) / 86_400_000
    assert.ok(daysLeft > 30 && daysLeft < 365, `${daysLeft} days`)
    const without = (await firstAccount(await closedService())).as(undefined)
    refused(await without.root('GET', '/.well-known/security.txt'), 'not_found')
    const page = { headers: { accept: 'text/html' } }
    refused(await without.root('GET', '/.well-known/other', page), 'not_found')
  })

  test('reports without authentication that the service is alive and ready, and its version', async () => {
    const { info } = ok(await api.get<{ info: { version: string } }>('/openapi.json'))
    assert.match(info.version, /^\d+\.\d+\.\d+/)
    for (const path of ['/health', '/v1/health', '/health/live', '/health/ready']) {
      const reply = await withoutKey.root<{ status: string; version?: string }>('GET', path)
      const { status, version } = ok(reply)
      assert.equal(status, 'ok')
      assert.equal(version, path.endsWith('/health') ? info.version : undefined)
      assert.match(reply.headers['content-type'] ?? '', /json/)
      assert.equal(reply.headers['x-ratelimit-limit'], undefined)
    }
  })
})

/** URLs of other hosts that a browser would load. */
function outsideOf(text: string): string[] {
  const loads =
    /(?:\bsrc|\bhref|\baction)\s*=\s*["']?\s*((?:https?:)?\/\/[^"'\s>]+)|url\(\s*["']?((?:https?:)?\/\/[^"')]+)|@import\s+["']([^"']+)/gi
  return [...text.matchAll(loads)].map((match) => match[0])
}

function verbsOf<T>(item: Record<string, T>): [string, T][] {
  return Object.entries(item).filter(([name]) =>
    ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'].includes(name),
  )
}
