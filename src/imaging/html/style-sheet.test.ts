import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'css-tree/dist/csstree.esm'
import { preparedCss } from './style-sheet.ts'
import { emptyUsage, type Usage } from './usage.ts'

function prepared(text: string): { css: string; usage: Usage } {
  const usage = emptyUsage()
  return { css: preparedCss(text, parse(text, { positions: true }), new Set(['my font']), usage), usage }
}

test('an empty content becomes a character without width and height', () => {
  for (const empty of ['""', "''", ' "" ']) {
    const { css } = prepared(`a::before{content:${empty};width:1px}`)
    assert.match(
      css,
      /content:\s*"\\200b"\s*;--tintype-content-line-height:0;--tintype-content-overflow:hidden;width:1px/,
    )
  }
})

test('another content has its own line', () => {
  const { css } = prepared('a::before{content:"x" !important}')
  assert.match(css, /content:"x"\s*!important;--tintype-content-line-height:inherit!important;/)
})

test('the families of variables are noted, and generic ones replaced', () => {
  const { css, usage } = prepared(
    ':root{--a:"Oswald", serif;--b:My Font;--c:"serif"} p{font-family:var(--a)} a{font-family:var(--b, ui-monospace)}',
  )
  assert.equal(
    css,
    ':root{--a:"Oswald", "Lora";--b:My Font;--c:"serif"} p{font-family:var(--a)} a{font-family:var(--b, "JetBrains Mono")}',
  )
  assert.deepEqual([...usage.families].sort(), ['JetBrains Mono', 'Lora', 'My Font', 'Oswald'])
})

test('the text of variables and attributes in content is noted', () => {
  const { usage } = prepared(
    'a{--x:"\\65E5 本" attr(title)} a::before{content:var(--x)} a::after{content:attr( data-Label ) "y"}',
  )
  assert.deepEqual(usage.texts, ['日本', 'y'])
  assert.deepEqual([...usage.attributes], ['title', 'data-label'])
})

test('an alignment is also that of header cells, unless it is the default', () => {
  assert.match(prepared('table{text-align:right}').css, /text-align:right;--tintype-header-align:right/)
  assert.match(prepared('th{text-align:initial !important}').css, /--tintype-header-align:center!important/)
})

test('an element with a background image gets corners, so that the image ends at its box', () => {
  for (const background of ['url(node:a) center', 'linear-gradient(red, blue)', 'var(--a)'])
    assert.match(prepared(`a{background:${background}}`).css, /;--tintype-clipping-radius:0\.01px/)
  assert.match(prepared('a{background:red}').css, /;--tintype-clipping-radius:0\}/)
  for (const none of ['0', '0px 0', '0 / .0em', '0%', 'initial'])
    assert.match(prepared(`a{border-radius:${none}}`).css, /border-radius:var\(--tintype-clipping-radius\)/, none)
  for (const radius of ['1px', '0 4px', '0.5em', '10px / 0', 'var(--r)'])
    assert.equal(prepared(`a{border-radius:${radius}}`).css, `a{border-radius:${radius}}`)
})
