/** The documentation at `/guide`, as it is built from `docs/`. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { buildDocs } from '../harness/build.ts'
import { assertEnvelope } from '../harness/client.ts'
import { type HttpResponse, sendRequest } from '../harness/http.ts'
import { sharedService, smallService } from '../harness/shared.ts'

const html = { accept: 'text/html' }

area('the documentation', { concurrency: 4, dependsOn: 'nothing' }, () => {
  let origin: string
  before(async () => {
    await buildDocs()
    origin = (await sharedService()).origin
  })
  const get = (path: string, headers: Record<string, string> = html) => sendRequest(origin, path, { headers })
  const textOf = ({ bytes }: HttpResponse) => bytes.toString('utf8')

  for (const path of ['/guide/', '/guide/quickstart', '/guide/operations/resize', '/guide/nothing']) {
    test(`${path} has only scripts, styles and fonts of the service, in files`, async () => {
      const page = await get(path)
      assert.equal(page.status, path === '/guide/nothing' ? 404 : 200)
      const text = textOf(page)
      assert.doesNotMatch(text, /<script[^>]*>[^<]|<style| style="| on\w+="|javascript:/)
      const loaded = [...text.matchAll(/<(?:script|link|img)\b[^>]*?(?:src|href)="([^"]+)"/g)].map(
        ([, url = '']) => url,
      )
      assert.ok(loaded.length >= 6, loaded.join())
      for (const url of loaded) assert.match(url, /^\/guide\//)
      const policy = String(page.headers['content-security-policy'])
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
      assert.doesNotMatch(policy, /unsafe|nonce|sha256/)
      assert.deepEqual(
        [page.headers['x-content-type-options'], page.headers['referrer-policy']],
        ['nosniff', 'no-referrer'],
      )
    })
  }

  test('the files of a page exist, are compressed and never change', async () => {
    const text = textOf(await get('/guide/quickstart'))
    const files = [...text.matchAll(/(?:src|href)="(\/guide\/assets\/[^"]+)"/g)].map(([, url = '']) => url)
    assert.ok(files.length >= 6, files.join())
    for (const url of files) {
      const file = await get(url, { 'accept-encoding': 'br' })
      assert.equal(file.status, 200, url)
      assert.match(String(file.headers['cache-control']), /immutable/)
      const { length } = textOf(await get(url, {}))
      if (/\.(js|css)$/.test(url)) assert.equal(file.headers['content-encoding'], length < 256 ? undefined : 'br', url)
    }
  })

  test('every error code and reason has a section that its link leads to', async () => {
    const text = textOf(await get('/guide/errors'))
    for (const id of ['not_found', 'invalid_request', 'workflow_failed', 'provider_refused', 'limit_exceeded'])
      assert.match(text, new RegExp(`<h3 id="${id}"`))
  })

  test('each page is also available as Markdown, and llms.txt lists the pages', async () => {
    const list = await get('/llms.txt', {})
    assert.equal(list.headers['content-type'], 'text/plain; charset=utf-8')
    const pages = [...textOf(list).matchAll(/\]\((\/guide\/[^)]+)\)/g)].map(([, url = '']) => url)
    assert.ok(pages.length > 40, pages.join())
    for (const url of pages) {
      const [path = ''] = url.split('#')
      const page = await get(path, {})
      assert.equal(page.status, 200, url)
      if (path.endsWith('.md')) assert.match(textOf(page), /^# /, url)
    }
  })

  test('with DOCS=false, the documentation does not exist and errors have no link to it', async () => {
    const { origin: without } = await smallService()
    for (const path of ['/guide', '/guide/', '/guide/quickstart.md', '/llms.txt']) {
      const response = await sendRequest(without, path, { headers: html })
      assert.equal(response.status, 404)
      assertEnvelope(response, path)
      assert.equal(JSON.parse(textOf(response)).error.details.docs, undefined)
    }
  })
})
