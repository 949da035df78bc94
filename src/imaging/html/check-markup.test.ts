import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { limits } from '../../limits.ts'
import { inspectCss } from './check-css.ts'
import { inspectHtml } from './check-html.ts'
import { checkCssSource, checkHtmlSource } from './check-markup.ts'
import { maskTemplates, placeholder } from './mask.ts'

const html = (source: string, wired: string[] = ['photo']) => checkHtmlSource(source, wired)
const css = (source: string, wired: string[] = ['photo']) => checkCssSource(source, wired)

test('all <style> elements together have at most as many characters as the param css', () => {
  const sheet = `<style>/*${'a'.repeat(limits.cssCharsMax / 2 - 4)}*/</style>`
  assert.deepEqual(html(`${sheet}${sheet}`), [])
  const [first, ...more] = html(`${sheet}${sheet}\n<style>a</style><style>a{color:x}</style>`)
  assert.deepEqual([first?.line, first?.column, more.length], [2, 1, 0])
  assert.match(first?.message ?? '', /more than 50000 characters together, the maximum\. Remove rules, or move some/)
})

const wrongHtml: [source: string, line: number, column: number, message: RegExp][] = [
  ['<div>\n  <script>x</script></div>', 2, 3, /<script> is not supported\. An image runs no scripts/],
  ['<p>a</p>\n<dvi>b</dvi>', 2, 1, /<dvi> is not supported\. Did you mean "div"/],
  ['<div><b>a</div>', 1, 10, /<b> of line 1 is not closed\. Add <\/b>/],
  ['<div>', 1, 1, /<div> is not closed\. Add <\/div>/],
  ['a</span>', 1, 2, /<\/span> closes nothing/],
  ['<p><b>a<p>b</p></b>', 1, 8, /<b> of line 1 is not closed/],
  ['<p onclick="x">a</p>', 1, 4, /onclick of <p> is not supported/],
  ['<img src="http://host/a.png">', 1, 6, /can't load "http:\/\/host\/a.png": images come from connected nodes/],
  ['<img src="data:image/svg+xml,<svg/>">', 1, 6, /can't load/],
  ['<img src="file:///etc/passwd">', 1, 6, /can't load/],
  ['<img src="node:phto">', 1, 6, /"node:phto" is not connected .*Did you mean "photo"/],
  ['<img alt="">', 1, 1, /has no src/],
  ['<svg></svg>', 1, 1, /operation "svg"/],
  ['<p style="color: redd">a</p>', 1, 18, /color has an invalid value/],
  ['<p\n  style="\n  colr: red">a</p>', 3, 3, /"colr" is not supported\. Did you mean "color"/],
  ['<p class={{ a }}>x</p>', 1, 4, /must be in quotation marks/],
  ['<p {{ a }}>x</p>', 1, 4, /attribute can't come from a template/],
  ['<style>a { colr: red }</style>', 1, 12, /"colr"/],
  ['<style>a { color: {{ c }} }</style>', 1, 8, /Move the style sheet to the param css/],
  ['<div/>', 1, 1, /only elements without content can end with "\/>"/],
  ['<p>a<path/></p>', 1, 5, /<path> is not supported/],
  ['<p><b>a<pre>b</pre></b></p>', 1, 8, /<b> of line 1 is not closed/],
  [`${'<div>'.repeat(65)}${'</div>'.repeat(65)}`, 1, 321, /nested more than 64 deep/],
  [`${'<i></i>'.repeat(3_001)}`, 1, 21_001, /more than 3000 elements/],
]

describe('a mistake in HTML is reported with its place and the fix', () => {
  for (const [source, line, column, message] of wrongHtml)
    test(source.slice(0, 60), () => {
      const [first] = html(source)
      assert.ok(first)
      assert.match(first.message, message)
      assert.deepEqual([first.line, first.column], [line, column])
    })
})

const wrongCss: [source: string, line: number, column: number, message: RegExp][] = [
  ['a { color: red;\n  colr: blue }', 2, 3, /the property "colr" is not supported/],
  ['a { color: redd }', 1, 12, /color has an invalid value\. An example: `color: crimson`/],
  ['ol { list-style-type: lower-greek }', 1, 23, /"lower-greek" of list-style-type is not supported\. Use "disc"/],
  ['ol { list-style: hebrew inside }', 1, 18, /"hebrew" of list-style is not supported/],
  ['a { position: sticky }', 1, 15, /"sticky" of position is not supported\. Use "relative"/],
  ['a { overflow: auto }', 1, 15, /no scroll bars/],
  ['a { width: clamp(1px, 2px, 3px) }', 1, 12, /clamp\(\) is not supported/],
  ['a { width: 3ch }', 1, 12, /the unit "ch" is not supported/],
  ['a:hover { color: red }', 1, 2, /:hover is not supported\. An image has no pointer/],
  ['@import "a.css";', 1, 1, /@import is not supported\. Nothing is loaded/],
  ['@font-face { font-family: x }', 1, 1, /@font-face is not supported\. Upload the font/],
  ['a { background: url(http://host/a.png) }', 1, 17, /url\(\) can't load "http:\/\/host\/a.png"/],
  ['a { background: url("file:///etc/passwd") }', 1, 17, /can't load/],
  ['a { background: url(data:image/svg+xml,x) }', 1, 17, /can't load/],
  ['a { background: url(node:foto) }', 1, 17, /"node:foto" is not connected/],
  ['a { --x: url(http://host) }', 1, 9, /can't load/],
  ['a { color: red', 1, 3, /"\{" is not closed/],
  ['a { color: rgb(1 2 3 }', 1, 22, /"\)" is missing before it/],
  ['a { content: "x }', 1, 14, /string is not closed/],
  ['/* a { }', 1, 1, /comment is not closed/],
  ['a { float: left }', 1, 5, /"float" is not supported\. Use flexbox or grid/],
  ['a { border: 1px solid red !important }', 1, 5, /!important after border/],
  ['a { grid-area: main }', 1, 16, /names of lines and areas/],
  ['a { display: inline-block; margin: 0 8px }', 1, 28, /inline-flex/],
  [
    'a { display: inline-flex; max-width: 30% }',
    1,
    27,
    /max-width in percent is not supported for display: inline-flex/,
  ],
  [`a { width: ${'('.repeat(40)}1px${')'.repeat(40)} }`, 1, 43, /nested more than 32 deep/],
  [':root { --a: var(--b); --b: var(--a) }', 1, 9, /contains itself/],
  [
    `:root { ${Array.from({ length: 30 }, (_, i) => `--v${i + 1}: var(--v${i}) var(--v${i})`).join(';')}; --v0: 1px }`,
    1,
    191,
    /too long/,
  ],
]

describe('the parser repeats no elements', () => {
  const many = (count: number, text: (i: number) => string) => Array.from({ length: count }, (_, i) => text(i)).join('')
  const open = many(60, (i) => `<b id="${i}">`)
  const sources = {
    'that end in their start tag': `<p>${many(500, (i) => `<b id="${i}"/>`)}</p>${many(500, () => '<p>a</p>')}`,
    'of a style sheet in SVG': `<svg><style><p>${many(500, (i) => `<b id="${i}">`)}${many(500, () => '<p>a')}</style></svg>`,
    'before a list': `<p>${open}${many(500, () => '<li>a</li>')}${'</b>'.repeat(60)}</p>`,
    'before an unknown block': `<p>${open}${many(500, () => '<form>a</form>')}${'</b>'.repeat(60)}</p>`,
  }
  for (const [name, source] of Object.entries(sources))
    test(name, () => {
      const { document, problems } = inspectHtml(source, [])
      assert.ok(problems.length > 0)
      assert.equal(document, undefined)
    })
})

test('a paragraph around a table stays open', () => {
  assert.deepEqual(html('<p><table><tr><td><ul><li>a</ul><p>b</table></p>'), [])
})

test('elements whose end tags are omitted are not nested', () => {
  const many = (text: string) => text.repeat(200)
  for (const source of [
    `<ul>${many('<li>a')}</ul>`,
    `<ol>${many('<li><p>a<ul><li>b</ul>')}</ol>`,
    `<dl>${many('<dt>a<dd>b<p>c')}</dl>`,
    `<table>${many('<tr><td>a<th><p>b')}</table>`,
    `<table>${many('<thead><tr><td>a<tbody><tr><td>a<td>b')}</table>`,
  ]) {
    assert.deepEqual(html(source), [], source.slice(0, 60))
    const { document } = inspectHtml(source, [])
    assert.ok(document && depthOf(document) < 12)
  }
  // The parser ignores <th>, and knows nothing of its end.
  assert.match(html('<th><dd></th><li>'.repeat(100))[0]?.message ?? '', /nested more than 64 deep/)
  for (const part of ['<ul><li>', '<dl><dd>', '<li><dd>', '<table><tr><td>', '<li><div>'])
    assert.match(html(part.repeat(65))[0]?.message ?? '', /nested more than 64 deep/, part)
})

function depthOf(node: DefaultTreeAdapterTypes.Node): number {
  return 'childNodes' in node ? 1 + Math.max(0, ...node.childNodes.map(depthOf)) : 0
}

describe('a mistake in CSS is reported with its place and the fix', () => {
  for (const [source, line, column, message] of wrongCss)
    test(source.slice(0, 60), () => {
      const [first] = css(source)
      assert.ok(first)
      assert.match(first.message, message)
      assert.deepEqual([first.line, first.column], [line, column])
    })
})

test('the parser of CSS stops after many mistakes', () => {
  const { tree, problems } = inspectCss({ text: `a { ${'!;'.repeat(24_000)} }`, context: 'stylesheet' }, [])
  assert.equal(tree, undefined)
  assert.equal(problems.length, limits.issuesMax)
})

test('templates are accepted as values, and their branches are checked', () => {
  assert.deepEqual(
    html(
      '<table>{% for r in rows %}<tr><td class="{{ r.a }}" style="width: {{ r.b }}%; color: {{ r.c }}">{{ r }}</td></tr>{% endfor %}</table>',
    ),
    [],
  )
  assert.deepEqual(html('{% if a %}<div class="x">{% else %}<div class="y">{% endif %}z</div>'), [])
  assert.deepEqual(html('<img src="node:{{ which }}"><img src="{{ source }}"><img src="node:photo/{{ index }}">'), [])
  assert.deepEqual(css('a { color: {% if a %}red{% else %}blue{% endif %}; width: {{ w }}px; --x: {{ y }} }'), [])
  assert.match(css('{% if a %}a { colr: red }{% else %}a { colour: red }{% endif %}')[1]?.message ?? '', /"colour"/)
  assert.match(html('{% if a %}<script></script>{% endif %}')[0]?.message ?? '', /<script>/)
  assert.deepEqual(html('{% comment %}<script>{% endcomment %}<p>a</p>'), [])
})

test('masks keep lines and columns', () => {
  const source = 'a {{ b\n}} {% if c %}d{% else %}e{% endif %}\n f'
  const [first = '', last = ''] = maskTemplates(source)
  assert.deepEqual([first.length, last.length], [source.length, source.length])
  assert.deepEqual([first.split('\n').length, last.indexOf('f')], [3, source.indexOf(' f') + 1])
  assert.ok(first.includes('d') && !first.includes('e') && last.includes('e') && !last.includes('d'))
  assert.ok(first.startsWith(`a ${placeholder}`))
})
