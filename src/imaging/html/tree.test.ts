import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finish } from './check-css.ts'
import { inspectHtml } from './check-html.ts'
import { attributeTexts, type Tree, treeOf } from './tree.ts'
import { emptyUsage, type Usage } from './usage.ts'

function treeFrom(html: string): Tree & { usage: Usage; attributesOf: (names: string[]) => string[] } {
  const { document, problems } = finish(inspectHtml(html, []))
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
