import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { importSvg } from '../../shared/svg-import/import-svg.ts'

const imported = (svg: string) =>
  importSvg(`<svg xmlns="http://www.w3.org/2000/svg" id="root" class="page" width="90" height="60">${svg}</svg>`, 'a')

/** The colour of a text with the id and the classes `title a b`, in a group of the class `g`. */
function colorWith(css: string, attributes = ''): string | undefined {
  const { document } = imported(
    `<style>${css}</style><g class="g"><g><text id="title" class="a b" ${attributes}>x</text></g></g>`,
  )
  return /color: ([^;]+);? }/.exec(JSON.stringify(document.nodes.card).replace(/.*#title/, ''))?.[1]
}

const cascade: [what: string, css: string, attributes: string, color: string][] = [
  ['an element', 'text{fill:red}', '', 'red'],
  ['the universal selector', '*{fill:red}', '', 'red'],
  ['an id', '#title{fill:red}', '', 'red'],
  ['a list', 'rect, #title ,circle{fill:red}', '', 'red'],
  ['two classes', '.a.b{fill:red} .a.c{fill:blue}', '', 'red'],
  ['an element with a class', 'text.a{fill:red} rect.a{fill:blue}', '', 'red'],
  ['an ancestor', '.g .a{fill:red} .b .a{fill:blue}', '', 'red'],
  ['a parent', '.page > g > g > .a{fill:red} .g > .a{fill:blue}', '', 'red'],
  ['an ancestor of a parent', '#root g > text{fill:red}', '', 'red'],
  ['a class wins over an element', '.a{fill:red} text{fill:blue}', '', 'red'],
  ['an id wins over classes', '#title{fill:red} .g .a.b{fill:blue}', '', 'red'],
  ['the last of equal rules wins', '.b{fill:blue} .a{fill:red}', '', 'red'],
  ['a rule wins over an attribute', 'text{fill:red}', 'fill="blue"', 'red'],
  ['style wins over an id', '#title{fill:blue}', 'style="fill:red"', 'red'],
  ['!important wins over style', 'text{fill:red!important}', 'style="fill:blue"', 'red'],
  ['!important in style wins', '#title{fill:blue!important}', 'style="fill:red !important;fill:green"', 'red'],
  ['!important wins over a later rule', '.a{fill:red ! important} .a{fill:blue}', '', 'red'],
  ['an escaped name', '.a\\.x{fill:blue} #\\74itle{fill:red}', '', 'red'],
  ['a semicolon in a string', '.a{x:"; fill:blue";fill:red}', '', 'red'],
  ['a namespace', '@namespace svg url(http://www.w3.org/2000/svg); svg|text{fill:red}', '', 'red'],
]

describe('the properties of texts follow the cascade of CSS', () => {
  for (const [label, css, attributes, color] of cascade)
    test(label, () => {
      assert.equal(colorWith(css, attributes), color)
    })
})

test('the report names selectors and at-rules that are not applied, and no renderer applies them', () => {
  const unsupported = ['.a:hover', 'g::before', 'g[x]', '.g+.a', '.a:nth-child', ':is', '>g']
  const atRules = ['@media', '@import', '@font-face', '@keyframes']
  const css = `@import url(x.css); @media screen{.a{fill:blue}} @font-face{font-family:A;src:url(a.woff2)}
    @keyframes k{} .a:hover,rect{fill:red} g::before{} g[x]{} .g + .a{} .a:nth-child(2){} :is(.a){} > g{} a,,{}
    rect{.z{fill:blue} stroke:url(http://host/a)}`
  const { document, report } = imported(`<style>${css}</style><rect class="a" width="9" height="9"/>`)
  const layers = report.filter(({ became }) => became === 'left out').map(({ layer }) => layer)
  for (const part of [...unsupported, ...atRules]) assert.ok(layers.includes(part), `${part} is not in ${layers}`)
  assert.match(JSON.stringify(document.nodes.shapes), /<style>rect\{fill:red\}rect\{\}<\/style>/)
})

test('a report names at most 20 parts of style sheets', () => {
  const rules = Array.from({ length: 30 }, (_, index) => `.a${index}:hover{}`).join('')
  const { report } = imported(`<style>${rules}</style><rect width="9" height="9"/>`)
  assert.equal(report.length, 22)
  assert.match(report.at(-1)?.note ?? '', /10 other parts/)
})

test('a style sheet for print, and one in another language, are not applied', () => {
  const { document, report } = imported(
    '<style media="print">text{fill:blue}</style><style type="text/less">text{fill:blue}</style><text id="title">x</text>',
  )
  assert.match(JSON.stringify(document.nodes.card), /color: black/)
  assert.equal(report.at(-1)?.layer, 'media="print"')
})

test('a shape with a parameter for its colour keeps the other properties of its rules', () => {
  const { document } = imported(
    '<style>#bg{fill:#123456!important;stroke:red}</style><rect id="bg" data-param="tone" width="9" height="9"/>',
  )
  assert.deepEqual(document.parameters[0]?.default, '#123456')
  assert.match(JSON.stringify(document.nodes.shapes), /fill:\{\{ tone \| escape \}\}!important/)
  assert.match(JSON.stringify(document.nodes.shapes), /stroke:red/)
})
