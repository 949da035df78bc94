import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'css-tree/dist/csstree.esm'
import { preparedCss, type Usage } from './style-sheet.ts'

function prepared(text: string): { css: string; usage: Usage } {
  const usage: Usage = { families: new Set(), texts: [], changesCase: false, problems: [] }
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
