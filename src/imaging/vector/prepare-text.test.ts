import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unbrokenIn } from './breaks.ts'
import { presentations, type Transform, warnOfControls, withCase, withoutControls } from './prepare-text.ts'

const cased = (text: string, transform: Transform, language?: string) => withCase([{ text, transform, language }])[0]

test('words for capitalize are those of UAX 29', () => {
  for (const [text, expected] of [
    ["don't o’brien’s it's", "Don't O’brien’s It's"],
    ['mother-in-law foo/bar 3rd', 'Mother-In-Law Foo/Bar 3rd'],
    ['mcDonald élan «quoted»', 'McDonald Élan «Quoted»'],
    ['ǆ ß ﬁx ა', 'ǅ Ss Fix ა'],
  ] as const)
    assert.equal(cased(text, 'capitalize'), expected)
  assert.deepEqual(withCase(['d', "on't", ' go'].map((text) => ({ text, transform: 'capitalize' }))), [
    'D',
    "on't",
    ' Go',
  ])
  assert.equal(cased('ijsland', 'capitalize', 'nl-BE'), 'IJsland')
})

test('the language decides the case of letters, and the machine does not', () => {
  assert.equal(cased('Άνθρωπος Μαΐου', 'uppercase', 'el'), 'ΑΝΘΡΩΠΟΣ ΜΑΪΟΥ')
  assert.equal(cased('Άνθρωπος', 'uppercase'), 'ΆΝΘΡΩΠΟΣ')
  assert.equal(cased('istanbul', 'uppercase', 'tr'), 'İSTANBUL')
  assert.equal(cased('istanbul', 'uppercase', 'not a language'), 'ISTANBUL')
  assert.equal(cased('ΟΔΟΣ', 'lowercase'), 'οδος')
})

test('control characters are dropped with a warning, except those that break lines', () => {
  assert.equal(
    withoutControls('a\0\u0007\u001f\u007f\u0080\ufffe\u{1ffff}\ufdd0b\t\n\v\f\r\u0085'),
    'ab\t\n\v\f\r\u0085',
  )
  const warnings: string[] = []
  warnOfControls('a\u0007\u0007b\u001f', { warn: (warning) => warnings.push(warning) })
  warnOfControls('a\v\u0085', { warn: (warning) => warnings.push(warning) })
  assert.deepEqual(warnings, ['The text has control characters, which are not drawn: U+0007, U+001F.'])
})

test('the presentation of a character depends on its selector and not on other characters', () => {
  for (const other of ['', '😀'])
    for (const sign of ['♥', '☎', '✔', '☀'])
      for (const [selector, presentation] of [
        ['', 'text'],
        ['\ufe0e', 'text'],
        ['\ufe0f', 'emoji'],
      ] as const)
        assert.equal(presentations(`a ${sign}${selector} ${other}`)[1]?.presentation, presentation)
  assert.deepEqual(presentations('😀\ufe0e ⌚')[0], { text: '😀', presentation: 'text' })
  assert.deepEqual(presentations('1\u20e3'), [{ text: '1\ufe0f\u20e3', presentation: 'emoji' }])
})

test('lines break where UAX 14 allows, and after the slash of a word as little as in browsers', () => {
  for (const [text, pieces] of [
    ['Donau\u00addampf', ['Donau\u00ad', 'dampf']],
    ['a\u200bb', ['a\u200b', 'b']],
    ['one—two', ['one', '—', 'two']],
    ['some?thing=else', ['some?', 'thing=else']],
    ['either/or', ['either/or']],
    ['a\u2060b\u00a0c\u202fd\u2011e', ['a\u2060b\u00a0c\u202fd\u2011e']],
    ['👨‍👩‍👧👍🏽🇩🇪🇫🇷', ['👨‍👩‍👧', '👍🏽', '🇩🇪', '🇫🇷']],
    ['日本語text', ['日本語', 'text']],
  ] as const)
    assert.deepEqual(unbrokenIn(text), pieces)
})
