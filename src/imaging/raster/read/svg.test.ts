import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remains } from '../../../../test/harness/wait.ts'
import { limits } from '../../../limits.ts'
import { imageFromBytes, pixelsOf } from '../image.ts'
import { isFault } from '../test-faults.ts'
import { contextFor, pixelAt } from '../test-images.ts'
import { measureSvg, renderSvg } from './svg.ts'

const context = contextFor()
const size = 'width="40" height="20"'

function svg(inside: string, attributes = size): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`,
  )
}

test('draws an SVG with soft and full transparency, in straight alpha', async () => {
  const drawing = svg('<rect width="20" height="20" fill="#c86432" fill-opacity=".5"/>')
  const image = await imageFromBytes(drawing, context)
  assert.deepEqual([image.format, image.width, image.height], ['svg', 40, 20])
  const pixels = await pixelsOf(image, context)
  assert.deepEqual(pixelAt(pixels, 30, 10), [0, 0, 0, 0])
  const [r = 0, g = 0, b = 0, alpha] = pixelAt(pixels, 10, 10)
  assert.equal(alpha, 128)
  assert.ok(Math.abs(r - 200) <= 2 && Math.abs(g - 100) <= 2 && Math.abs(b - 50) <= 2)
})

const sizes: [string, number, number][] = [
  ['width="1in" height="72pt"', 96, 96],
  ['viewBox="0 0 300 200"', 300, 200],
  ['width="100%" height="100%" viewBox="0 0 300 200"', 300, 200],
  ['width="150" viewBox="0 0 300 200"', 150, 100],
]

for (const [attributes, width, height] of sizes) {
  test(`an SVG with ${attributes} has a size`, async () => {
    assert.deepEqual(await measureSvg(svg('', attributes), context), { width, height })
  })
}

test('draws an SVG as editors write it, with declaration, comment and the W3C document type', async () => {
  const text = `\uFEFF<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Generator: an editor -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
${svg('<title>A</title><style>.a{fill:url(#g)}</style><g id="g"/><use xlink:href="#g"/>')}`
  const image = await imageFromBytes(Buffer.from(text), context)
  assert.deepEqual([image.width, image.height], [40, 20])
})

const lol = [
  '<!ENTITY a "lol">',
  ...'bcdefgh'.split('').map((name, at) => `<!ENTITY ${name} "${`&${'abcdefgh'[at]};`.repeat(10)}">`),
]

const prefixed =
  '<s:svg xmlns:s="http://www.w3.org/2000/svg" width="9" height="9"><s:script>alert(1)</s:script></s:svg>'
const utf16 = `<?xml version="1.0" encoding="UTF-16"?>${svg('<script>alert(1)</script>')}`
const utf7 = '<?xml version="1.0" encoding="UTF-7"?>+ADw-svg xmlns=+ACI-http://www.w3.org/2000/svg+ACI-/+AD4-'

const invalid: Record<string, Buffer | string> = {
  'a script': svg('<script>alert(1)</script>'),
  'a script in a namespace prefix': prefixed,
  'a script in UTF-16': Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from(utf16, 'utf16le')]),
  'UTF-7': utf7,
  'an event handler': svg('<rect onload="alert(1)"/>'),
  'an event handler in capitals': svg('<rect ONCLICK="alert(1)"/>'),
  'a javascript link': svg('<a href="javascript:alert(1)"><rect/></a>'),
  'a javascript link with a line break in it': svg('<a xlink:href="java&#10;script:alert(1)"><rect/></a>'),
  'a foreign object': svg('<foreignObject><p/></foreignObject>'),
  'an entity': `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('<text>&a;</text>')}`,
  'an external entity': `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${svg('&a;')}`,
  'an external document type': `<!DOCTYPE svg SYSTEM "http://127.0.0.1/a.dtd">${svg('')}`,
  'a billion laughs': `<!DOCTYPE svg [${lol.join('')}]>${svg('<text>&h;</text>')}`,
  'an undeclared entity': svg('&nbsp;'),
  'a style sheet in a processing instruction': `<?xml-stylesheet href="a.css"?>${svg('')}`,
  'an image from the web': svg('<image href="https://example.com/a.png"/>'),
  'an image from the disk': svg('<image xlink:href="file:///etc/passwd"/>'),
  'an image by a relative path': svg('<image href="../../../operations/raster/a.png"/>'),
  'a nested SVG': svg('<image href="data:image/svg+xml,%3Csvg/%3E"/>'),
  'a use of another file': svg('<use href="other.svg#a"/>'),
  'an @import': svg('<style>@import "a.css";</style>'),
  'an escaped @import': svg('<style>@\\69 mport "a.css";</style>'),
  'an external fill': svg('<rect fill="url(http://example.com/#a)"/>'),
  'an @import with a comment in it': svg('<style>@im<!-- -->port "a.css";</style>'),
  'an @import in two parts': svg('<style>@im<![CDATA[port "a.css";]]></style>'),
  'an external style': svg(`<rect style="fill: URL( 'http://example.com/#a')"/>`),
  'elements 2,000 deep': svg('<g>'.repeat(2_000) + '</g>'.repeat(2_000)),
  'elements that are not closed': svg('<g>'),
  'another root': '<html xmlns="http://www.w3.org/1999/xhtml"><svg/></html>',
  'no size': svg('', ''),
}
const tooLarge: Record<string, Buffer> = {
  '20,000 characters of text': svg(`<text>${'a'.repeat(20_000)}</text>`),
  '20,000 characters of text in 2,000 pieces': svg(`<text>${'<tspan>abcdefghij</tspan>'.repeat(2_000)}</text>`),
  '20,000 characters of text in CDATA': svg(`<text><![CDATA[${'a b '.repeat(5_000)}]]></text>`),
  '20,000 characters of text as references': svg(`<text>${'&#97;'.repeat(20_000)}</text>`),
  'more bytes than allowed': svg(' '.repeat(limits.svgBytesMax)),
  '100,000 pixels a side': svg('', 'width="100000" height="100000"'),
}

for (const [reason, drawings] of [
  ['input_invalid', invalid],
  ['limit_exceeded', tooLarge],
] as const) {
  for (const [name, drawing] of Object.entries(drawings)) {
    test(`rejects an SVG with ${name} as ${reason}`, async () => {
      await assert.rejects(imageFromBytes(Buffer.from(drawing as string), context), isFault(reason))
    })
  }
}

/** Each level uses the one below ten times: 10^12 rectangles. */
function explosion(): Buffer {
  const levels = Array.from(
    { length: 12 },
    (_, level) => `<g id="u${level + 1}">${`<use xlink:href="#u${level}"/>`.repeat(10)}</g>`,
  )
  return svg(`<rect id="u0" width="1" height="1"/>${levels.join('')}<use xlink:href="#u12"/>`)
}

const noisy = svg(
  '<filter id="f"><feTurbulence baseFrequency=".5" numOctaves="1000"/></filter><rect width="4000" height="4000" filter="url(#f)"/>',
  'width="4000" height="4000"',
)

for (const [name, bytes] of [
  ['uses of uses', explosion()],
  ['an endless filter', noisy],
] as const) {
  test(`stops an SVG with ${name} at its time limit, and draws the next one`, async (t) => {
    t.mock.property<{ svgSeconds: number }, 'svgSeconds'>(limits, 'svgSeconds', 0.8)
    await assert.rejects(renderSvg(bytes, 1, context), isFault('limit_exceeded', /took longer than 0\.8 s of CPU time/))
    assert.equal((await renderSvg(svg('<rect/>'), 1, context)).width, 40)
  })
}

test('stops an SVG that takes too much memory, and draws the next one', async (t) => {
  const filters = '<feOffset dx="1" result="a"/><feOffset dx="2" in="a"/>'.repeat(40)
  const greedy = svg(
    `<filter id="f" filterUnits="userSpaceOnUse" width="9900" height="9900">${filters}</filter><rect width="9900" height="9900" filter="url(#f)"/>`,
    'width="9900" height="9900"',
  )
  // On a busy machine the time would be over first.
  t.mock.property<{ svgSeconds: number }, 'svgSeconds'>(limits, 'svgSeconds', 600)
  const patient = contextFor({ secondsLeft: () => 600 })
  await assert.rejects(renderSvg(greedy, 1, patient), isFault('limit_exceeded', /memory/))
  assert.equal((await renderSvg(svg('<rect/>'), 1, context)).width, 40)
})

test('stops drawing an SVG immediately when the execution is cancelled', async () => {
  const controller = new AbortController()
  const drawing = renderSvg(noisy, 1, contextFor({ signal: controller.signal }))
  const rejection = assert.rejects(drawing, isFault('cancelled'))
  await remains('it is drawn', () => true, 15)
  controller.abort()
  await rejection
})
