import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createConsoleSite } from './site.ts'

const browser = { accept: 'text/html' }

function open(t: TestContext, state: Parameters<typeof createConsoleSite>[0]['state']) {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const site = createConsoleSite({ folder, state, imageOrigins: () => ['https://cdn.example'] })
  const build = (page: string, files: Record<string, string> = {}) => {
    rmSync(join(folder, 'assets'), { recursive: true, force: true })
    mkdirSync(join(folder, 'assets'))
    for (const [name, text] of Object.entries({ 'index.html': page, ...files })) writeFileSync(join(folder, name), text)
  }
  const get = (url: string, headers: Record<string, string> = browser) => site({ method: 'GET', url, headers })
  return { folder, build, get }
}

test('while the console is built a page says so and loads itself again, with nothing that its policy forbids', async (t) => {
  const { get } = open(t, async () => ({ is: 'building' }))
  for (const url of ['/', '/workflows/wf_1']) {
    const { status, headers = {}, body } = (await get(url)) ?? {}
    assert.equal(status, 503)
    assert.equal(headers['cache-control'], 'no-store')
    assert.match(String(body), /<meta http-equiv="refresh" content="2">/)
    assert.doesNotMatch(String(body), /<script|style="|__NONCE__/)
    const [, nonce] = /<style nonce="(\w+)">/.exec(String(body)) ?? []
    assert.ok(nonce && headers['content-security-policy']?.includes(`'nonce-${nonce}'`))
  }
  assert.equal(await get('/assets/index.js'), undefined)
  assert.equal(await get('/v1/workflows'), undefined)
})

test('where the console cannot be built a page says what to run, and does not load itself for ever', async (t) => {
  const { get } = open(t, async () => ({ is: 'missing', why: 'it is not installed: run "npm ci"' }))
  const { status, body } = (await get('/')) ?? {}
  assert.equal(status, 503)
  assert.match(String(body), /It is not installed: run "npm ci"\./)
  assert.doesNotMatch(String(body), /refresh/)
})

test('a console that is built anew is served without a restart, and pages of the old one go on with their files', async (t) => {
  const { folder, build, get } = open(t, async () => ({ is: 'built' }))
  build('old', { 'assets/old.js': '1' })
  assert.equal(String((await get('/'))?.body), 'old')
  build('newer', { 'assets/new.js': '2' })
  assert.equal(String((await get('/'))?.body), 'newer')
  assert.equal(String((await get('/assets/new.js'))?.body), '2')
  assert.equal(String((await get('/assets/old.js'))?.body), '1')
  rmSync(join(folder, 'index.html'))
  assert.equal(String((await get('/'))?.body), 'newer')
})
