import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageOf } from './han.ts'

const rows = [
  ['東京タワー', 'ja'],
  ['한국어 漢字', 'ko'],
  ['ㄅㄆㄇ 中文', 'zh-Hant'],
  ['简体中文', 'zh-Hans'],
  ['繁體中文', 'zh-Hant'],
  ['中文', 'zh-Hans'],
  ['Hello', 'zh-Hans'],
] as const

for (const [text, language] of rows) {
  test(`${text} uses the glyphs of ${language}`, () => assert.equal(languageOf(text), language))
}
