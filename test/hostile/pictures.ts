/** Uploads of SVG drawings that refer to other hosts or to files of the machine: they are refused, and nothing is requested. */
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, issuePaths } from '../harness/client.ts'
import { file } from '../harness/multipart.ts'
import { svg } from '../harness/pictures.ts'
import { closedService, firstAccount } from '../harness/shared.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import { assertAlive } from './survival.ts'

area('drawings that refer to others', { isSlow: true, concurrency: 4, dependsOn: 'nothing' }, () => {
  let api: Client
  let outside: SourceHost
  before(async () => {
    api = await firstAccount(await closedService())
    outside = await startSourceHost()
  })
  after(async () => {
    assert.deepEqual([outside.connections, outside.requested], [0, []], 'a picture made the service ask another host')
    await outside.close()
  })
  afterEach(() => assertAlive(api.service))

  const drawings: Record<string, (url: string) => string | Buffer> = {
    'an external entity': () => `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`,
    'an external DTD': (url) => `<!DOCTYPE svg SYSTEM "${url}">${svg('')}`,
    'a parameter entity': (url) => `<!DOCTYPE svg [<!ENTITY % p SYSTEM "${url}"> %p;]>${svg('')}`,
    'a script': () => svg('<script>alert(1)</script>'),
    'an external image': (url) => svg(`<image href="${url}" width="9" height="9"/>`),
    'an external image by xlink': (url) => svg(`<image xlink:href="${url}" width="9" height="9"/>`),
    'an image of the machine': () => svg('<image href="file:///etc/passwd" width="9" height="9"/>'),
    'an image without a scheme': (url) => svg(`<image href="${url.slice(5)}" width="9" height="9"/>`),
    'an external use': (url) => svg(`<use href="${url}#a"/>`),
    'an external filter image': (url) =>
      svg(`<filter id="f"><feImage href="${url}"/></filter><rect width="9" height="9" filter="url(#f)"/>`),
    'an external style sheet': (url) => svg(`<style>@import url("${url}");</style>`),
    'an external style sheet in a processing instruction': (url) => `<?xml-stylesheet href="${url}"?>${svg('')}`,
    'an external color': (url) => svg(`<rect width="9" height="9" fill="url(${url}#p)"/>`),
    'an external color in a style': (url) => svg(`<rect width="9" height="9" style="fill: u\\72l('${url}#p')"/>`),
    'an external font': (url) => svg(`<style>@font-face{font-family:f;src:url(${url})}</style>`),
  }
  for (const [label, of] of Object.entries(drawings)) {
    test(`an SVG with ${label} is rejected`, async () => {
      const bytes = Buffer.from(of(outside.url('/outside')) as string)
      assert.deepEqual(issuePaths(await api.upload([file(bytes, 'picture', 'image/png')])), ['file'])
    })
  }
})
