import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createConsoleSite } from './site.ts'

const browser = { accept: 'text/html' }

function open(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const site = createConsoleSite({ folder, imageOrigins: () => ['https://cdn.example'] })
  const build = (page: string, files: Record<string, string> = {}) => {
    rmSync(join(folder, 'assets'), { recursive: true, force: true })
    mkdirSync(join(folder, 'assets'))
    for (const [name, text] of Object.entries({ 'index.html': page, ...files })) writeFileSync(join(folder, name), text)
  }
  const get = (url: string, headers: Record<string, string> = browser) => site({ method: 'GET', url, headers })
  return { folder, build, get }
}

test('a new build is served without a restart, and open pages of the previous build still get their files', async (t) => {
  const { folder, build, get } = open(t)
  build('old', { 'assets/old.js': '1' })
  assert.equal(String((await get('/'))?.body), 'old')
  build('newer', { 'assets/new.js': '2' })
  assert.equal(String((await get('/'))?.body), 'newer')
  assert.equal(String((await get('/assets/new.js'))?.body), '2')
  assert.equal(String((await get('/assets/old.js'))?.body), '1')
  rmSync(join(folder, 'index.html'))
  assert.equal(String((await get('/'))?.body), 'newer')
})

test('the page of run links is a separate page, and the files of pages are not paths', async (t) => {
  const { folder, build, get } = open(t)
  build('console')
  mkdirSync(join(folder, 'run'))
  writeFileSync(join(folder, 'run', 'index.html'), 'run link')
  build('console 2')
  for (const path of ['/run', '/run/', '/run/?utm=1'])
    assert.equal(String((await get(path, {}))?.body), 'run link', path)
  assert.equal(String((await get('/run/other'))?.body), 'console 2')
  assert.equal(await get('/run/index.html', {}), undefined)
})
