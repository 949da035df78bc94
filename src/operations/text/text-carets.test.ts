/** The places of a caret in a text: `text` of its frame. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FrameText, TextLine } from '../../../shared/frames.ts'
import { checker } from '../../domain/validate.ts'
import { pixelsOf } from '../../imaging/raster/image.ts'
import { contextFor } from '../../imaging/raster/test-images.ts'
import { text } from './text.ts'

const context = { ...contextFor(), placesCarets: true }
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const samples = {
  Latin: 'Quick brown fox, efficient AVATAR',
  German: 'Grüße aus Köln und Weißwasser',
  Greek: 'Καλημέρα κόσμε, Ἄνδρα μοι',
  Cyrillic: 'Привет, мир и ёжик',
  Arabic: 'مرحبا بالعالم الجميل',
  Hebrew: 'שלום עולם טוב',
  Hindi: 'नमस्ते दुनिया क्षत्रिय',
  Thai: 'สวัสดีชาวโลก ยินดีต้อนรับ',
  Japanese: '吾輩は猫である。名前はまだ無い。',
  Korean: '안녕하세요 세계',
  Chinese: '你好，世界！繁體與简体',
  Bengali: 'বাংলা ওহে বিশ্ব',
  Tamil: 'தமிழ் வணக்கம்',
  Vietnamese: 'Tiếng Việt được viết',
  emoji: 'go 😀👍🏽🇯🇵 ❤️‍🔥 3️⃣ ©︎ end',
  'mixed from the left': 'Hello שלום 123 עולם 😀 end',
  'mixed from the right': 'مرحبا Tintype 2.0 بالعالم 😀 (طيب)',
}

async function drawn(params: Record<string, unknown>) {
  const filled = structuredClone(params)
  assert.deepEqual(checker(text.params)(filled), [])
  const { image, drawn = [] } = await text.run({ image: undefined }, filled as never, context)
  return { image, carets: drawn[0]?.text, lines: drawn[0]?.lines ?? [] }
}

async function caretsOf(params: Record<string, unknown>): Promise<Required<FrameText>> {
  const { carets } = await drawn(params)
  assert.ok(carets?.lines)
  return { ...carets, lines: carets.lines }
}

const shown = ({ start, end }: TextLine, value: string) => value.slice(start, end)

/** Each character once, side by side from the left edge of the line to the right one. */
function assertContinuous({ x, width, characters }: TextLine, name: string): void {
  const edges = characters.map(([, from, to]) => [Math.min(from, to), Math.max(from, to)] as const)
  const inOrder = edges.toSorted(([a, b], [c, d]) => a - c || b - d)
  assert.ok(Math.abs((inOrder[0]?.[0] ?? 0) - x) < 0.01, `${name} starts at its left edge`)
  assert.ok(Math.abs((inOrder.at(-1)?.[1] ?? 0) - x - width) < 0.01, `${name} ends at its right edge`)
  for (const [i, [left]] of inOrder.entries())
    if (i > 0) assert.ok(Math.abs(left - (inOrder[i - 1]?.[1] ?? 0)) < 0.01, `${name}, ${i}: no gap, no overlap`)
}

for (const [name, value] of Object.entries(samples))
  test(`a caret has a place before and after each character: ${name}`, async () => {
    for (const more of [{}, { letterSpacing: 0.1 }, { letterSpacing: -0.03, weight: 800 }, { align: 'center' }]) {
      const { lines, value: seen, param } = await caretsOf({ text: value, size: 40, ...more })
      assert.deepEqual([lines.length, seen, param], [1, value, 'text'])
      const [line] = lines as [TextLine]
      assert.deepEqual(
        line.characters.map(([start]) => start),
        Array.from(graphemes.segment(value), ({ index }) => index),
      )
      assert.equal(shown(line, value), value)
      assertContinuous(line, name)
    }
  })

const box = { width: 300, height: 200 }

test('lines have all characters of the value, also those that are not drawn', async () => {
  const value = 'One two three four\n\n  five\tsix  \r\nseven\u00adeight nine ten\nß end '
  const { lines } = await caretsOf({ text: value, size: 40, box: { width: 240, height: 900 }, transform: 'uppercase' })
  assert.equal(lines[0]?.start, 0)
  assert.equal(lines.at(-1)?.end, value.length)
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1]
    if (before) assert.match(value.slice(before.end, line.start), /^(\r\n|\n)?$/)
    assert.deepEqual(
      line.characters.map(([start]) => start),
      Array.from(graphemes.segment(shown(line, value)), ({ index }) => line.start + index).filter(
        (at) => value[at] !== '\u00ad' || at === line.end - 1,
      ),
    )
  }
  const texts = lines.map((line) => shown(line, value))
  assert.deepEqual(texts.slice(0, 4), ['One two ', 'three ', 'four', ''])
  const sharp = lines.at(-1)?.characters ?? []
  assert.equal(value[sharp[0]?.[0] ?? 0], 'ß')
  assert.ok(width(sharp[0]) > 1.5 * width(sharp[2]), 'SS is as wide as two letters')
})

const width = ([, from, to]: readonly number[] = []) => Math.abs((to ?? 0) - (from ?? 0))

test('an empty text has one line, at the place of its first letter', async () => {
  const place = async (value: string, align: string) => {
    const image = { width: 400, height: 200 }
    const params = { text: value, size: 40, align, verticalAlign: 'middle', box: image }
    const [line] = (await caretsOf(params)).lines
    return line
  }
  for (const [align, x] of [
    ['left', 0],
    ['center', 200],
    ['right', 400],
  ] as const) {
    const empty = await place('', align)
    assert.deepEqual([empty?.start, empty?.end, empty?.x, empty?.characters.length], [0, 0, x, 0])
    assert.equal(empty?.baseline, (await place('Mg', align))?.baseline)
  }
})

test('spaces at the end of a line move the caret', async () => {
  const ends = async (value: string) =>
    (await caretsOf({ text: value, size: 40, box })).lines[0]?.characters.at(-1)?.[2] ?? 0
  const [none, one, two] = [await ends('Word'), await ends('Word '), await ends('Word  ')]
  assert.ok(one > none + 5 && Math.abs(two - one - (one - none)) < 0.1)
  const rtl = await caretsOf({ text: 'שלום ', size: 40, box, align: 'right' })
  const [line] = rtl.lines
  assert.ok((line?.characters.at(-1)?.[2] ?? 0) < (line?.x ?? 0) - 5, 'to the left, from right to left')
})

test('text after an ellipsis has no place, and the rest keeps its own', async () => {
  const value = 'The size stays as it is, and what does not fit is left out'
  const { lines } = await caretsOf({ text: value, box: { width: 220, height: 60 }, size: 22, fit: 'ellipsis' })
  assert.equal(lines.length, 2)
  const last = lines[1] as TextLine
  assert.ok(last.end < value.length && last.characters.length > 5)
  assert.equal(last.characters.at(-1)?.[0], last.end - 1)
  assert.ok((last.characters.at(-1)?.[2] ?? 0) < last.x + last.width - 5, 'the ellipsis follows')
  const own = await caretsOf({ text: 'Short\u2026', box, size: 22, fit: 'ellipsis' })
  assert.equal(own.lines[0]?.end, 6)
})

test('justified lines end at the edges of the box, in words and in Japanese', async () => {
  for (const value of [
    'Good typography is invisible, and readers go on without thinking of it',
    '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。',
  ]) {
    const { lines } = await caretsOf({ text: value, box, size: 24, align: 'justify' })
    assert.ok(lines.length > 1)
    const [first] = lines as [TextLine]
    const drawn = first.characters.filter(([start]) => value[start] !== ' ' || start < first.end - 1)
    assertContinuous({ ...first, characters: drawn }, value)
    assert.ok(Math.abs(first.width - 300) < 0.01)
  }
})

test('the size is the one that is drawn, and markup has no places', async () => {
  const short = await caretsOf({ text: 'Hi', size: 48, box: { width: 200, height: 60 } })
  const long = await caretsOf({ text: 'Hi there, this is long', size: 48, box: { width: 200, height: 60 } })
  assert.equal(short.size, 48)
  assert.ok(long.size < 30)
  const { carets } = await drawn({ text: '<b>Hi</b>', markup: true })
  assert.deepEqual(carets, { param: 'text', value: '<b>Hi</b>', size: 48 })
})

test('places lie between the letters of the image', async () => {
  for (const name of ['Latin', 'Cyrillic', 'Hebrew', 'Japanese', 'Korean', 'Chinese'] as const) {
    const { image, carets } = await drawn({ text: samples[name], size: 60, letterSpacing: 0.25, font: 'Inter' })
    assert.ok(image)
    const pixels = await pixelsOf(image, context)
    const inked = (x: number) => {
      for (let y = 0; y < pixels.height; y += 1)
        if ((pixels.data[(y * pixels.width + x) * 4 + 3] ?? 0) > 100) return true
      return false
    }
    const places = carets?.lines?.[0]?.characters.slice(1).map(([, from]) => Math.floor(from)) ?? []
    const hit = places.filter((x) => inked(x) && inked(x - 1))
    assert.ok(hit.length <= places.length * 0.05, `${name}: ${hit.length} of ${places.length} lie in a letter`)
  }
})

test('letters of Arabic have the places that they have in the word', async () => {
  // The first letter alone is wider than at the start of a word.
  const [{ lines: word }, { lines: alone }] = [
    await caretsOf({ text: 'بين', size: 80 }),
    await caretsOf({ text: 'ب', size: 80 }),
  ]
  assert.ok(width(word[0]?.characters[0]) < width(alone[0]?.characters[0]) / 2)
})
