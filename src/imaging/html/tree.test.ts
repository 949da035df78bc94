import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspectHtml } from './check-html.ts'
import { attributeTexts, type Tree, treeOf } from './tree.ts'
import { emptyUsage, type Usage } from './usage.ts'

function treeFrom(html: string): Tree & { usage: Usage; attributesOf: (names: string[]) => string[] } {
  const { document, problems } = inspectHtml(html, [])
  assert.deepEqual(problems, [])
  assert.ok(document)
  const usage = emptyUsage()
  const tree = treeOf(document, { images: new Map(), accountFamilies: new Set(), imageRules: [], usage })
  return { ...tree, usage, attributesOf: (names) => attributeTexts(document, new Set(names)) }
}

test('the families of elements without CSS are noted', () => {
  for (const name of ['code', 'kbd', 'samp', 'pre'])
    assert.ok(treeFrom(`<div><${name}>a</${name}></div>`).usage.families.has('JetBrains Mono'), name)
  assert.ok(!treeFrom('<p><b>a</b></p>').usage.families.has('JetBrains Mono'))
})

test('the values of attributes that content draws are found', () => {
  const { attributesOf } = treeFrom('<p data-x="1"><b title="2" data-x="3">a</b></p>')
  assert.deepEqual(attributesOf(['data-x', 'title']).sort(), ['1', '2', '3'])
  assert.deepEqual(attributesOf([]), [])
})

/** The texts of the tree, with a bar between two. */
const textsOf = (html: string): string => {
  const collect = (node: { text?: string; children?: object[] }): string[] =>
    node.text !== undefined ? [node.text] : (node.children ?? []).flatMap((child) => collect(child))
  return collect(treeFrom(html).root).join('|')
}

test('white space after a line break is not drawn, except in pre', () => {
  assert.equal(textsOf('<p>one<br>\n   two</p>'), 'one|\n|two')
  assert.equal(textsOf('<pre>one<br> two</pre>'), 'one|\n| two')
})

test('a line break ends a line, and a line of its own is empty', () => {
  assert.equal(textsOf('<p>one<br></p>'), 'one')
  assert.equal(textsOf('<p>one<br> <!-- end --></p>').trim(), 'one')
  assert.equal(textsOf('<p>one<br><br></p>'), 'one|\n|\u200b')
  assert.equal(textsOf('<div><p>a</p><br><p>b</p></div>'), 'a|\u200b|b')
  assert.equal(textsOf('<p><b>one<br></b>two</p>'), 'one|\n|two')
})

test('words of scripts without spaces can be on different lines', () => {
  assert.equal(textsOf('<p>สวัสดีชาวโลก</p>').replaceAll('\u200b', ' '), 'สวัสดี ชาว โลก')
  assert.equal(textsOf('<p>Hello world, 日本語</p>'), 'Hello world, 日本語')
})

test('dir="auto" is the direction of the first letter, and a part of a line is separated from the text around it', () => {
  const directionOf = (html: string) => {
    const [body] = treeFrom(html).root.children ?? []
    return (body as { children: { dir?: string }[] }).children[0]?.dir
  }
  assert.equal(directionOf('<p dir="auto">1. <b>שלום</b> abc</p>'), 'rtl')
  assert.equal(directionOf('<p dir="auto">abc שלום</p>'), 'ltr')
  assert.equal(directionOf('<p dir="auto">1. 2.</p>'), 'ltr')
  assert.equal(directionOf('<p>שלום</p>'), undefined)
  assert.equal(textsOf('<p>a <span dir="rtl">שלום!</span> b</p>'), 'a |\u2067|שלום!|\u2069| b')
  assert.equal(textsOf('<p>a <q dir="auto">b</q></p>'), 'a |\u2066“|b|”\u2069')
  assert.equal(textsOf('<p dir="rtl">שלום</p>'), 'שלום')
})

test('the type of a list is its numbering, also in a list', () => {
  const list = JSON.stringify(treeFrom('<ol type="A"><li>a<ol type="i"><li>b</li></ol></li></ol>').root)
  assert.match(list, /"listStyleType":"upper-alpha".*"listStyleType":"lower-roman"/)
})
