/** Places and looks of texts, as Chromium draws them with a size of 20 px. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { importSvg } from '../../shared/svg-import/import-svg.ts'

const imported = (text: string) =>
  importSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" font-family="Inter" font-size="20">${text}</svg>`,
    'a',
  )
const cssOf = (text: string) => JSON.stringify(imported(text).document.nodes.card).replace(/.*#title/, '')
const topOf = (text: string) => Number(/top: ([-\d.]+)px/.exec(cssOf(text))?.[1])
const plain = topOf('<text id="title" y="50">x</text>')

const baselines: [attributes: string, down: number][] = [
  ['dominant-baseline="middle"', 5.46],
  ['dominant-baseline="central"', 7.28],
  ['dominant-baseline="hanging"', 15.5],
  ['dominant-baseline="text-before-edge"', 19.38],
  ['dominant-baseline="text-after-edge"', -4.82],
  ['dominant-baseline="mathematical"', 9.69],
  ['alignment-baseline="middle"', 5.46],
  ['baseline-shift="super"', -12.1],
  ['baseline-shift="-10"', 10],
  ['baseline-shift="50%"', -10],
  ['dy="0.5em"', 10],
]

describe('texts have the baseline of the SVG', () => {
  for (const [attributes, down] of baselines)
    test(attributes, () => {
      for (const text of [
        `<text id="title" y="50" ${attributes}>x</text>`,
        `<text id="title" y="50"><tspan ${attributes}>x</tspan></text>`,
      ])
        assert.ok(Math.abs(topOf(text) - plain - down) < 0.05, `${topOf(text) - plain} is not ${down}`)
    })
})

const looks: [attributes: string, css: RegExp][] = [
  ['word-spacing="5"', /word-spacing: 5px/],
  ['letter-spacing="0.1em"', /letter-spacing: 2px/],
  ['text-decoration="underline"', /text-decoration: underline/],
  ['style="text-decoration-line: overline line-through"', /text-decoration: overline line-through/],
  ['text-transform="uppercase"', /text-transform: uppercase/],
  ['font-variant="small-caps"', /font-variant-caps: small-caps/],
  ['x="50%"', /left: 100px/],
  ['x="1in" dx="1em"', /left: 116px/],
  ['direction="rtl"', /direction: rtl; text-align: right;.*translateX\(-100%\)/],
  ['direction="rtl" text-anchor="end"', /left: 0px.*direction: rtl; color/],
  ['font-size="2em"', /font-size: 40px/],
  ['font-size="150%"', /font-size: 30px/],
  ['font-size="large"', /font-size: 18px/],
  ['style="font:italic bold 14px/1.2 Lora, serif"', /"Lora\\"; font-size: 14px; font-weight: 700; font-style: italic/],
  ['fill="currentColor" color="red"', /color: red/],
  ['opacity="50%" fill-opacity="0.5"', /opacity: 0.25/],
  ['fill="var(--a)"', /color: black/],
  ['fill="nocolor"', /color: black/],
]

describe('texts have the look of the SVG', () => {
  for (const [attributes, css] of looks)
    test(attributes, () => {
      assert.match(cssOf(`<text id="title" ${attributes}>x</text>`), css)
    })
})

const stays: [what: string, text: string, note: RegExp][] = [
  ['a text path', '<textPath href="#p">x</textPath>', /has a text path, which is not drawn/],
  [
    'vertical text',
    '<tspan writing-mode="tb">x</tspan>',
    /has a vertical writing mode\. It is drawn in a font of the ma/,
  ],
  ['rotated characters', '<tspan rotate="20">x</tspan>', /has a rotation of each character, which is not drawn/],
  ['positions of characters', '<tspan x="0 9 90">abc</tspan>', /has a position for each character, which is not drawn/],
  ['moves of characters', '<tspan dx="0 9">ab</tspan>', /has a position for each character/],
  ['a raised part', 'H<tspan baseline-shift="sub">2</tspan>', /has a part with another baseline/],
  ['a lower part', 'H<tspan dy="3">2</tspan>', /has a part that is moved up or down/],
  ['a gap', 'H<tspan dx="30">2</tspan>', /has a part that is moved by dx/],
  ['columns', '<tspan x="0">Name</tspan><tspan x="150">Price</tspan>', /has a part at another place of the line/],
  ['an indent', '<tspan x="0">A</tspan><tspan x="60" y="30">B</tspan>', /has a line that starts at another place/],
  [
    'anchors',
    '<tspan x="0">A</tspan><tspan x="0" y="30" text-anchor="end">B</tspan>',
    /has a line with another text-anch/,
  ],
  ['distances', '<tspan x="0">A</tspan><tspan x="0" y="30">B</tspan><tspan x="0" y="75">C</tspan>', /another distance/],
]

describe('a text that HTML cannot draw stays in the SVG, with the reason', () => {
  for (const [label, parts, note] of stays)
    test(label, () => {
      const { document, report } = imported(`<text id="title">${parts}</text>`)
      assert.match(report[0]?.note ?? '', note)
      assert.deepEqual(document.parameters, [])
    })
})

const lines = (parts: string) => {
  const { document, report } = imported(`<text id="title">${parts}</text>`)
  return [document.parameters[0]?.default, report[0]?.note]
}

test('lines and parts of a text become one text', () => {
  const kerned = '<tspan x="0">Ke</tspan><tspan x="24">rning</tspan>'
  assert.deepEqual(lines(kerned), ['Kerning', 'its parts have their own positions: they follow each other'])
  assert.deepEqual(lines('<tspan x="0">A</tspan><tspan x="0" dy="24">B</tspan><tspan x="0" dy="48">C</tspan>'), [
    'A\nB\n\nC',
    '',
  ])
  assert.deepEqual(lines('<tspan x="0 9 18">abc</tspan>'), [
    'abc',
    'its characters have their own positions: they follow each other',
  ])
  assert.match(lines('<tspan textLength="90">abc</tspan>')[1] as string, /textLength is not supported/)
})

test('lines that are centered by their starts, as Illustrator writes them, are centered', () => {
  const css = cssOf(`<text id="title" transform="translate(10 20)"><tspan x="20" y="0">Centered</tspan>
    <tspan x="0" y="26">by Illustrator</tspan><tspan x="41" y="52">here</tspan></text>`)
  assert.match(css, /left: 10px;.*text-align: center/)
  assert.doesNotMatch(css, /transform/)
})

test('white space is kept if an ancestor preserves it', () => {
  const preserved = '<g xml:space="preserve"><text id="title">a  b\nc </text></g>'
  assert.equal(imported(preserved).document.parameters[0]?.default, 'a  b c ')
  assert.equal(imported('<text id="title"> a  b\n</text>').document.parameters[0]?.default, 'a b')
})
