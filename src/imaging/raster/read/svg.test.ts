import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remains } from '../../../../test/harness/wait.ts'
import { type FailureReason, Fault } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { imageFromBytes, pixelsOf } from '../image.ts'
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

const refused: [string, Buffer, FailureReason][] = [
  ['a script', svg('<script>alert(1)</script>'), 'input_invalid'],
  ['an event handler', svg('<rect onload="alert(1)"/>'), 'input_invalid'],
  ['a foreign object', svg('<foreignObject><p/></foreignObject>'), 'input_invalid'],
  ['an entity', Buffer.from(`<!DOCTYPE svg [<!ENTITY a "b">]>${svg('<text>&a;</text>')}`), 'input_invalid'],
  [
    'an external entity',
    Buffer.from(`<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${svg('&a;')}`),
    'input_invalid',
  ],
  [
    'an external document type',
    Buffer.from(`<!DOCTYPE svg SYSTEM "http://127.0.0.1/a.dtd">${svg('')}`),
    'input_invalid',
  ],
  ['a billion laughs', Buffer.from(`<!DOCTYPE svg [${lol.join('')}]>${svg('<text>&h;</text>')}`), 'input_invalid'],
  ['an undeclared entity', svg('&nbsp;'), 'input_invalid'],
  [
    'a style sheet in a processing instruction',
    Buffer.from(`<?xml-stylesheet href="a.css"?>${svg('')}`),
    'input_invalid',
  ],
  ['an image from the web', svg('<image href="https://example.com/a.png"/>'), 'input_invalid'],
  ['an image from the disk', svg('<image xlink:href="file:///etc/passwd"/>'), 'input_invalid'],
  ['an image by a relative path', svg('<image href="../../../operations/raster/a.png"/>'), 'input_invalid'],
  ['a nested SVG', svg('<image href="data:image/svg+xml,%3Csvg/%3E"/>'), 'input_invalid'],
  ['a use of another file', svg('<use href="other.svg#a"/>'), 'input_invalid'],
  ['an @import', svg('<style>@import "a.css";</style>'), 'input_invalid'],
  ['an escaped @import', svg('<style>@\\69 mport "a.css";</style>'), 'input_invalid'],
  ['an external fill', svg('<rect fill="url(http://example.com/#a)"/>'), 'input_invalid'],
  ['an @import with a comment in it', svg('<style>@im<!-- -->port "a.css";</style>'), 'input_invalid'],
  ['an @import in two parts', svg('<style>@im<![CDATA[port "a.css";]]></style>'), 'input_invalid'],
  ['an external style', svg(`<rect style="fill: URL( 'http://example.com/#a')"/>`), 'input_invalid'],
  ['elements 2,000 deep', svg('<g>'.repeat(2_000) + '</g>'.repeat(2_000)), 'input_invalid'],
  ['elements that are not closed', svg('<g>'), 'input_invalid'],
  ['another root', Buffer.from('<html xmlns="http://www.w3.org/1999/xhtml"><svg/></html>'), 'input_invalid'],
  ['no size', svg('', ''), 'input_invalid'],
  ['20,000 characters of text', svg(`<text>${'a'.repeat(20_000)}</text>`), 'limit_exceeded'],
  ['more bytes than allowed', svg(' '.repeat(limits.svgBytesMax)), 'limit_exceeded'],
  ['100,000 pixels a side', svg('', 'width="100000" height="100000"'), 'limit_exceeded'],
]

for (const [name, bytes, reason] of refused) {
  test(`rejects an SVG with ${name} as ${reason}`, async () => {
    await assert.rejects(imageFromBytes(bytes, context), isFault(reason))
  })
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

function isFault(reason: FailureReason, message = /\S/): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Fault, String(error))
    assert.equal(error.details.reason, reason)
    assert.match(error.message, message)
    return true
  }
}
