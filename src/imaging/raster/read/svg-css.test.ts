import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contextFor, pixelAt } from '../test-images.ts'
import { renderSvg } from './svg.ts'

function svg(inside: string, attributes = 'width="60" height="60"'): Buffer {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`)
}

const styled = (css: string) => svg(`<style>${css}</style><rect class="a" x="10" y="10" width="30" height="30"/>`)
const rect = (style: string, attributes = '') =>
  svg(`<rect x="10" y="10" width="30" height="30" fill="#008000" ${attributes} style="${style}"/>`)

async function draw(drawing: Buffer, scale = 1) {
  const warnings: string[] = []
  const pixels = await renderSvg(drawing, scale, contextFor({ warn: (warning) => warnings.push(warning) }))
  return { pixels, warnings }
}

// The size in CSS pixels, as browsers have it.
const sizes: [string, number, number][] = [
  ['width="1in" height="0.5in"', 96, 48],
  ['width="50mm" height="25mm"', 189, 94],
  ['width="5cm" height="2.54cm"', 189, 96],
  ['width="75pt" height="37.5pt"', 100, 50],
  ['width="6pc" height="40Q"', 96, 38],
  ['width="10em" height="2rem"', 160, 32],
]

for (const [attributes, width, height] of sizes) {
  test(`${attributes} is ${width} x ${height} pixels, and twice as large at a scale of 2`, async () => {
    const { pixels } = await draw(svg('', `${attributes} viewBox="0 0 2 1"`))
    assert.deepEqual([pixels.width, pixels.height], [width, height])
    const { pixels: large } = await draw(svg('', `${attributes} viewBox="0 0 2 1"`), 2)
    assert.ok(Math.abs(large.width - 2 * width) <= 1 && Math.abs(large.height - 2 * height) <= 1)
  })
}

// Each draws a square of this side.
const lengths: [string, Buffer, number][] = [
  ['an attribute in inches', svg('<rect width=".25in" height=".25in"/>'), 24],
  ['a property in points', svg('<rect style="width:18pt;height:18pt"/>'), 24],
  ['a rule in millimetres', svg('<style>rect{width:6.35mm;height:6.35mm}</style><rect/>'), 24],
  ['em without a font size', svg('<rect width="1.5em" height="1.5em"/>'), 24],
  ['em of a font size in points', svg('<g font-size="12pt"><rect width="1.5em" height="1.5em"/></g>'), 24],
  ['em of a font size by keyword', svg('<g style="font-size:x-large"><rect width="1em" height="1em"/></g>'), 24],
  [
    'em of the font size of the root',
    svg('<rect width="2em" height="2em"/>', 'width="60" height="60" font-size="12"'),
    24,
  ],
]

for (const [name, drawing, side] of lengths) {
  test(`${name} has the size of CSS, at every scale`, async () => {
    for (const scale of [1, 2]) {
      const { pixels, warnings } = await draw(drawing, scale)
      assert.deepEqual(warnings, [])
      const at = (x: number) => pixelAt(pixels, Math.round(x * scale), Math.round(x * scale))[3]
      assert.deepEqual([at(side - 2), at(side + 2)], [255, 0])
    }
  })
}

const red = [255, 0, 0, 255]
const green = [0, 128, 0, 255]
const black = [0, 0, 0, 255]

const drawn: [string, Buffer, number[]][] = [
  ['a variable', styled(':root{--c:red}.a{fill:var(--c)}'), red],
  ['a variable of a variable', styled('svg{--b:red;--c:var(--b)}.a{fill:var(--c)}'), red],
  ['the fallback of a variable', styled('.a{fill:var(--none, rgb(255,0,0))}'), red],
  [
    'a variable in an attribute',
    svg('<style>:root{--c:red}</style><rect width="60" height="60" fill="var(--c)"/>'),
    red,
  ],
  ['the medium of screens', styled('@media screen{.a{fill:red}}'), red],
  ['light colours', styled('@media (prefers-color-scheme: light){.a{fill:red}}'), red],
  ['dark colours, which images don’t have', styled('@media (prefers-color-scheme: dark){.a{fill:red}}'), black],
  ['the medium of paper', styled('@media print{.a{fill:red}}'), black],
  [
    'a style sheet for paper',
    svg('<style media="print">.a{fill:red}</style><rect class="a" width="60" height="60"/>'),
    black,
  ],
  [
    'a style sheet in another language',
    svg('<style type="text/less">.a{fill:red}</style><rect class="a" width="60" height="60"/>'),
    black,
  ],
  [
    'CDATA',
    svg('<style><![CDATA[.b>.a{fill:red}]]></style><g class="b"><rect class="a" width="60" height="60"/></g>'),
    red,
  ],
  ['a transform in CSS', rect('transform:translate(5px,5px)'), green],
  ['a rule of a state', styled('.a:hover{fill:red}'), black],
]

for (const [name, drawing, color] of drawn) {
  test(`draws ${name}, without a warning`, async () => {
    const { pixels, warnings } = await draw(drawing)
    assert.deepEqual(pixelAt(pixels, 25, 25), color)
    assert.deepEqual(warnings, [])
  })
}

// Features that Chromium draws and librsvg doesn't, as a comparison of both showed.
const missing: [string, Buffer][] = [
  ['var()', styled(':root{--c:red}g{--c:blue}.a{fill:var(--c)}')],
  ['calc()', rect('width:calc(10px + 10px)')],
  ['oklch()', svg('<rect width="9" height="9" fill="oklch(60% 0.2 30)"/>')],
  ['color-mix()', rect('fill:color-mix(in srgb, red, blue)')],
  ['canvastext', rect('fill:CanvasText')],
  ['unset', rect('fill:unset')],
  ['circle()', rect('clip-path:circle(20px at 30px 30px)')],
  ['linear-gradient()', rect('mask:linear-gradient(black,transparent)')],
  ['transform-origin', rect('transform:rotate(45deg);transform-origin:30px 30px')],
  ['transform-origin', rect('', 'transform="rotate(45)" transform-origin="25 25"')],
  ['transform-box', rect('transform:rotate(45deg);transform-box:fill-box')],
  ['translate3d()', rect('transform:translate3d(5px,5px,0)')],
  ['percentages in transform', rect('transform:translate(10%,0)')],
  ['rotate', rect('rotate:10deg')],
  ['background', svg('', 'width="9" height="9" style="background:red"')],
  ['the unit vw', rect('width:20vw')],
  ['@media', styled('@media (min-width: 10px){.a{fill:red}}')],
  ['@supports', styled('@supports (fill:red){.a{fill:red}}')],
  ['nested rules', styled('svg{.a{fill:red}}')],
  [':is', styled(':is(.a,.b){fill:red}')],
  ['animation', styled('@keyframes k{from{fill:red}}.a{animation:k 1s}')],
  ['<animate>', svg('<rect width="9" height="9"><animate attributeName="width" to="60" dur="2s"/></rect>')],
  ['<textPath>', svg('<path id="p" d="M5 30H55"/><text><textPath href="#p">a</textPath></text>')],
  ['textLength', svg('<text y="20" textLength="50">a</text>')],
  ['rotate', svg('<text y="20" rotate="20">a</text>')],
]

for (const [name, drawing] of missing) {
  test(`a warning names ${name} in ${drawing.toString().slice(-100)}`, async () => {
    const { warnings } = await draw(drawing)
    assert.equal(warnings.length, 1)
    assert.ok(warnings[0]?.includes(`browsers: `) && warnings[0].includes(name), warnings[0])
  })
}

test('escapes the text and the attributes that the renderer reads', async () => {
  const { pixels } = await draw(
    svg(
      '<text id="a&lt;b&quot;&#10;&amp;">&lt;rect/&gt;]]&gt;<![CDATA[<b>&amp;]]></text><rect width="60" height="60" fill="red"/>',
    ),
  )
  assert.deepEqual(pixelAt(pixels, 59, 59), red)
})

const text =
  '<?xml version="1.0" encoding="ENCODING"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect id="é" width="9" height="9" fill="red"/></svg>'
const encodings: [string, Buffer][] = [
  ['UTF-16 with a mark', Buffer.from(`\uFEFF${text.replace('ENCODING', 'UTF-16')}`, 'utf16le')],
  ['UTF-16 without a mark', Buffer.from(text.replace('ENCODING', 'UTF-16'), 'utf16le')],
  ['big-endian UTF-16', Buffer.from(`\uFEFF${text.replace('ENCODING', 'UTF-16')}`, 'utf16le').swap16()],
  ['Latin-1', Buffer.from(text.replace('ENCODING', 'ISO-8859-1'), 'latin1')],
  ['UTF-8 that says UTF-16', Buffer.from(text.replace('ENCODING', 'UTF-16'))],
]

for (const [name, drawing] of encodings) {
  test(`reads ${name}`, async () => {
    assert.deepEqual(pixelAt((await draw(drawing)).pixels, 4, 4), red)
  })
}
