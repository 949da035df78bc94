import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emojiSequences, missingSequences } from '../../../scripts/derive/characters.ts'
import { contextFor } from '../raster/test-images.ts'
import { withFaces } from './char-styles.ts'
import { createRuler } from './measure-text.ts'
import { presentations } from './prepare-text.ts'
import type { TextStyle } from './text-style.ts'

test('every emoji of emoji-test.txt that the font has is one glyph, also with U+FE0F and joiners', async () => {
  const missing = new Set(await missingSequences())
  assert.equal(emojiSequences.length, 3948)
  // Only sequences of Emoji 15.1 and later, which follow the font.
  assert.equal(missing.size, 275)
  for (const text of missing)
    assert.match(
      text,
      /\u27a1|\u2194|\u2195|\u{1f1f6}|\u26d3|\u{1f426}|\u{1f34b}|\u{1f344}|\u{1f9d1}\u200d|\u{1f9d2}|\u{1fa70}|\u{1f430}|\u{1faef}|[\u{1f46f}\u{1f93c}][\u{1f3fb}-\u{1f3ff}]|\p{Cn}|[\u{1fa89}-\u{1faff}]|[\u{1f6d8}\u{1fac8}]/u,
    )
  for (const text of ['🏳️‍🌈', '❤️‍🔥', '❤️‍🩹', '🏴‍☠️', '👁️‍🗨️', '👨‍⚖️', '3️⃣', '#️⃣', '©️', '🏳️‍⚧️', '👩🏿‍❤️‍💋‍👩🏻', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'])
    assert.ok(emojiSequences.includes(text) && !missing.has(text), text)
})

test('an emoji between letters of any direction is as wide as alone', async () => {
  for (const [before, after] of [
    ['a ', ' b'],
    ['مرحبا ', ' عالم'],
    ['שלום ', ' עולם'],
    ['日', '本'],
    ['😀', '😀'],
  ] as const) {
    for (const emoji of ['❤️‍🔥', '🏳️‍🌈', '3️⃣', '👨‍⚖️', '☺️']) {
      const parts = presentations(`${before}${emoji}${after}`)
      assert.deepEqual(
        parts.map(({ text, presentation }) => [text, presentation]),
        [
          [before, 'either'],
          [emoji, 'emoji'],
          [after, 'either'],
        ],
      )
    }
  }
})

test('a digit, a sign and an emoji without U+FE0F stay in their run', () => {
  for (const text of [
    '3 # * © ™',
    '😀 👨‍👩‍👧 🇯🇵 👍🏽 ☝🏽 ⌚',
    '3\ufe0f\u20e2',
    '\ufe0f',
    'a\ufe0fb',
    '\u200d'.repeat(9),
  ])
    assert.deepEqual(presentations(text), [{ text, presentation: 'either' }])
})

test('an emoji makes no line higher', async () => {
  const { chars, plain, release } = await withFaces([{ text: 'Hg 3️⃣', style: {} }], styleOf('Hg 3️⃣'), contextFor())
  const ruler = await createRuler(0)
  assert.equal(chars.length, 2)
  for (const { style } of chars) assert.deepEqual(ruler.heightsOf(style), ruler.heightsOf(plain))
  assert.equal(ruler.widthOf('3️⃣', chars[1]?.style ?? plain), 1)
  release()
})

test('20,000 joiners, selectors or emoji are laid out', async () => {
  const ruler = await createRuler(0)
  for (const text of ['\ufe0f', '\u200d', '👩\u200d', '❤\ufe0f\u200d🔥', '3\ufe0f\u20e3', 'aب日க😀ก']) {
    const all = text.repeat(Math.ceil(20_000 / text.length))
    const { chars, release } = await withFaces([{ text: all, style: {} }], styleOf(all), contextFor())
    const width = chars.reduce((sum, run) => sum + ruler.widthOf(run.text, run.style), 0)
    assert.ok(Number.isFinite(width))
    assert.ok(chars.length <= all.length)
    release()
  }
})

function styleOf(text: string): TextStyle {
  return {
    text,
    markup: false,
    transform: 'none',
    balance: false,
    direction: 'auto',
    letterSpacing: 0,
    align: 'left',
    verticalAlign: 'top',
    underline: false,
    strike: false,
    color: 'black',
    outlineWidth: 0,
    outlineColor: 'black',
    size: 40,
    lineHeight: 1.2,
    fit: 'ellipsis',
    font: 'Inter',
    weight: 400,
    italic: false,
    language: 'auto',
  }
}
