/** Malicious files for decoders. */
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import sharp from 'sharp'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok } from '../harness/client.ts'
import { file } from '../harness/multipart.ts'
import { gifLie, plain, pngBomb, pngLie, svg } from '../harness/pictures.ts'
import { closedService, firstAccount } from '../harness/shared.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import { assertAlive } from './survival.ts'

area('hostile images', { isSlow: true, concurrency: 4, dependsOn: 'nothing' }, () => {
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
  const refuse = async (bytes: Buffer): Promise<void> => {
    assert.deepEqual(issuePaths(await api.upload([file(bytes, 'picture', 'image/png')])), ['file'])
  }

  const bombs: [what: string, bytes: () => Buffer | Promise<Buffer>][] = [
    ['a PNG of 15 KB that unpacks to 121 megapixels', () => pngBomb(11_000, 11_000)],
    ['a PNG that claims 2 billion by 2 billion pixels', () => pngLie(0x7fffffff, 0x7fffffff)],
    ['a PNG that claims 30,000 by 30,000 pixels and has 64 bytes of them', () => pngLie(30_000, 30_000)],
    ['a PNG that claims 9,000 by 9,000 pixels and has 64 bytes of them', () => pngLie(9000, 9000)],
    ['a PNG of no pixels', () => pngLie(0, 0)],
    ['a GIF that claims 65,535 by 65,535 pixels', () => gifLie()],
    ['an SVG of 100,000 by 100,000', () => svg('<rect width="9" height="9"/>', 'width="100000" height="100000"')],
    ['an SVG of 1e30 by 1e30', () => svg('<rect width="9" height="9"/>', 'width="1e30" height="1e30"')],
    ['an SVG without a size', () => svg('<rect width="9" height="9"/>', 'width="0" height="0"')],
    ['a TIFF whose directory points to itself', () => tiffLoop()],
    ['a WebP with a wrong length', async () => lengthLie(await plain('webp'))],
  ]
  for (const [label, bytes] of bombs) {
    test(`${label} is rejected`, async () => {
      await refuse(await bytes())
    })
  }

  test('an image with more pixels per side than any format needs is rejected or stored in full, without a crash', async () => {
    const long = await sharp({ create: { width: 60_000, height: 1, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const reply = await api.upload([file(long)])
    if (reply.status === 400) issuePaths(reply)
    else assert.equal(ok(reply, 201).width, 60_000)
  })

  test('a GIF of 3,000 frames is rejected', async () => {
    const frames = 3000
    const pixels = Buffer.concat(Array.from({ length: frames }, (_, i) => Buffer.alloc(16 * 16 * 3, (i % 2) * 255)))
    const gif = await sharp(pixels, { raw: { width: 16, height: 16 * frames, channels: 3, pageHeight: 16 } })
      .gif({ effort: 1 })
      .toBuffer()
    await refuse(gif)
  })

  const texts = (count: number): string => `<text x="1" y="9">${'a b '.repeat(count / 4)}</text>`
  const hostileSvgs: [what: string, bytes: () => Buffer][] = [
    ['20,000 characters of text', () => svg(texts(20_000))],
    [
      '20,000 characters of text in 2,000 pieces',
      () => svg(`<text>${'<tspan>abcdefghij</tspan>'.repeat(2000)}</text>`),
    ],
    ['20,000 characters of text in CDATA', () => svg(`<text><![CDATA[${'a b '.repeat(5000)}]]></text>`)],
    ['20,000 characters of text as references', () => svg(`<text>${'&#97;'.repeat(20_000)}</text>`)],
    ['an entity', () => Buffer.from(`<!DOCTYPE svg [<!ENTITY a "x">]>${svg('<text>&a;</text>')}`)],
    ['a billion laughs', () => Buffer.from(`<!DOCTYPE svg [${laughs()}]>${svg('<text>&l9;</text>')}`)],
    [
      'an external entity',
      () => Buffer.from(`<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`),
    ],
    ['an external DTD', () => Buffer.from(`<!DOCTYPE svg SYSTEM "${outside.url('/evil.dtd')}">${svg('')}`)],
    [
      'a parameter entity',
      () => Buffer.from(`<!DOCTYPE svg [<!ENTITY % p SYSTEM "${outside.url('/p.dtd')}"> %p;]>${svg('')}`),
    ],
    ['a script', () => svg('<script>alert(1)</script>')],
    [
      'a script in a namespace prefix',
      () =>
        Buffer.from(
          '<s:svg xmlns:s="http://www.w3.org/2000/svg" width="9" height="9"><s:script>alert(1)</s:script></s:svg>',
        ),
    ],
    ['an event handler', () => svg('<rect width="9" height="9" onload="alert(1)"/>')],
    ['an event handler in capitals', () => svg('<rect width="9" height="9" ONCLICK="alert(1)"/>')],
    ['a javascript link', () => svg('<a href="javascript:alert(1)"><rect width="9" height="9"/></a>')],
    [
      'a javascript link with a line break in it',
      () => svg('<a xlink:href="java&#10;script:alert(1)"><rect width="9" height="9"/></a>'),
    ],
    [
      'foreign HTML',
      () =>
        svg(
          '<foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="/"/></body></foreignObject>',
        ),
    ],
    ['an external image', () => svg(`<image href="${outside.url('/i.png')}" width="9" height="9"/>`)],
    ['an external image by xlink', () => svg(`<image xlink:href="${outside.url('/i.png')}" width="9" height="9"/>`)],
    ['an image of the machine', () => svg('<image href="file:///etc/passwd" width="9" height="9"/>')],
    ['an image by path', () => svg('<image href="../../../etc/hostname" width="9" height="9"/>')],
    ['an image without a scheme', () => svg(`<image href="//localhost:${outside.port}/i.png" width="9" height="9"/>`)],
    ['an external use', () => svg(`<use href="${outside.url('/u.svg#a')}"/>`)],
    [
      'an external filter image',
      () =>
        svg(
          `<filter id="f"><feImage href="${outside.url('/f.png')}"/></filter><rect width="9" height="9" filter="url(#f)"/>`,
        ),
    ],
    ['an external style sheet', () => svg(`<style>@import url("${outside.url('/s.css')}");</style>`)],
    [
      'an external style sheet in a processing instruction',
      () => Buffer.from(`<?xml-stylesheet href="${outside.url('/s.css')}"?>${svg('')}`),
    ],
    ['an external colour', () => svg(`<rect width="9" height="9" fill="url(${outside.url('/p.svg#p')})"/>`)],
    [
      'an external colour in a style',
      () => svg(`<rect width="9" height="9" style="fill: u\\72l('${outside.url('/p.svg#p')}')"/>`),
    ],
    ['an external font', () => svg(`<style>@font-face{font-family:f;src:url(${outside.url('/f.woff')})}</style>`)],
    ['50,000 elements in each other', () => svg(`${'<g>'.repeat(50_000)}${'</g>'.repeat(50_000)}`)],
    ['a path of 3 MB', () => svg(`<path d="M0 0${'L1 1L9 9'.repeat(375_000)}"/>`)],
    ['a compressed SVG', () => Buffer.from('1f8b080000000000000303000000000000000000', 'hex')],
    [
      'UTF-7',
      () =>
        Buffer.from('<?xml version="1.0" encoding="UTF-7"?>+ADw-svg xmlns=+ACI-http://www.w3.org/2000/svg+ACI-/+AD4-'),
    ],
    ['an open tag', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect')],
  ]
  for (const [label, bytes] of hostileSvgs) {
    test(`an SVG with ${label} is rejected`, async () => {
      await refuse(bytes())
    })
  }

  test('an SVG in UTF-16 is checked by its content: a script in it is rejected', async () => {
    const text = `<?xml version="1.0" encoding="UTF-16"?>${svg('<script>alert(1)</script>')}`
    await refuse(Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from(text, 'utf16le')]))
  })

  test('an SVG with a billion uses is rejected, and does not delay other requests', async () => {
    const upload = api.upload([file(svg(uses()), 'slow.svg')])
    await assertAlive(api.service)
    ok(await api.upload([file(svg('<rect width="9" height="9"/>'))]), 201)
    assert.deepEqual(issuePaths(await upload), ['file'])
  })

  test('a harmless SVG with gradients, a style and references to itself is accepted', async () => {
    const fine = svg(
      '<defs><linearGradient id="g"><stop stop-color="red"/></linearGradient></defs><style>.a{fill:blue}</style>' +
        '<rect class="a" width="9" height="9"/><rect fill="url(#g)" width="5" height="5"/><use href="#r"/><text>hello</text>',
    )
    assert.equal(ok(await api.upload([file(fine)]), 201).format, 'svg')
  })
})

function laughs(): string {
  const levels = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`)
  return ['<!ENTITY l0 "ha">', ...levels].join('')
}

function uses(): string {
  const levels = Array.from({ length: 9 }, (_, i) => `<g id="u${i + 1}">${`<use href="#u${i}"/>`.repeat(10)}</g>`)
  return `<defs><rect id="u0" width="1" height="1"/>${levels.join('')}</defs><use href="#u9"/>`
}

function tiffLoop(): Buffer {
  const bytes = Buffer.alloc(14)
  bytes.write('II*\0', 'latin1')
  bytes.writeUInt32LE(8, 4)
  bytes.writeUInt16LE(0, 8)
  bytes.writeUInt32LE(8, 10)
  return bytes
}

function lengthLie(webp: Buffer): Buffer {
  const copy = Buffer.from(webp)
  copy.writeUInt32LE(0xfffffff0, 4)
  copy.writeUInt32LE(0xfffffff0, 16)
  return copy
}
