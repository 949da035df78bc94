import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../../test/harness/repetitions.ts'
import { unbrokenIn } from './breaks.ts'
import { type LayoutOptions, layoutText } from './layout.ts'
import type { Run } from './runs.ts'

/** A style is how large it is. Every character is half as wide as its size. */
const plain: LayoutOptions<number> = {
  size: 10,
  lineHeight: 1.2,
  fit: 'ellipsis',
  style: 1,
  widthOf: (text, size) => ([...text].length / 2) * size,
  heightsOf: (size) => ({ size, ascent: 0.8 * size, descent: 0.2 * size }),
}

type Options = Partial<LayoutOptions<number>>

async function laid(text: string | Run<number>[], options: Options) {
  const runs = typeof text === 'string' ? [{ text, style: 1 }] : text
  const { lines: found, ...facts } = await layoutText(runs, { ...plain, ...options })
  return { ...facts, lines: found.map((line) => ({ ...line, text: line.parts.map((part) => part.text).join('') })) }
}

async function lines(text: string | Run<number>[], options: Options): Promise<string[]> {
  return (await laid(text, options)).lines.map((line) => line.text)
}

test('fills lines word by word, without spaces at their ends', async () => {
  assert.deepEqual(await lines('one two  three four', { box: { width: 40, height: 99 } }), ['one two', 'three', 'four'])
})

test('keeps line ends and empty lines of the text', async () => {
  assert.deepEqual(await lines('a\n\nb\r\nc', {}), ['a', '', 'b', 'c'])
})

test('keeps punctuation with its word', async () => {
  assert.deepEqual(await lines('“Well,” she said', { box: { width: 35, height: 99 } }), ['“Well,”', 'she', 'said'])
})

test('breaks a compound after its hyphen', async () => {
  assert.deepEqual(await lines('well-known', { box: { width: 30, height: 99 } }), ['well-', 'known'])
})

test('breaks Japanese between words without spaces, and never before a full stop', async () => {
  const found = await lines('吾輩は猫である。名前はまだ無い。', { box: { width: 25, height: 99 } })
  assert.ok(found.length > 2)
  assert.ok(
    found.every((line) => !/^[。、]/.test(line)),
    found.join('|'),
  )
})

test('breaks a word that is wider than the box between characters, not inside an emoji', async () => {
  const family = '👨‍👩‍👧'
  const widthOf = (text: string) => [...new Intl.Segmenter().segment(text)].length / 2
  assert.deepEqual(await lines(family.repeat(4), { box: { width: 10, height: 99 }, widthOf }), [
    family.repeat(2),
    family.repeat(2),
  ])
})

test('shrink uses the largest size at which everything fits, without breaking words', async () => {
  const box = { width: 60, height: 24 }
  const { size, lines: found, height } = await laid('considerable words', { size: 40, fit: 'shrink', box })
  assert.deepEqual(
    found.map((line) => line.text),
    ['considerable', 'words'],
  )
  assert.ok(size > 9.7 && size <= 10, `${size}`)
  assert.ok(height <= 24.1)
})

test('shrink breaks a word that would otherwise need less than half the size', async () => {
  const found = await laid('a'.repeat(100), { size: 40, fit: 'shrink', box: { width: 100, height: 100 } })
  assert.ok(found.size > 10 && found.lines.length > 4, `${found.size}, ${found.lines.length} lines`)
  assert.equal(found.lines.map((line) => line.text).join(''), 'a'.repeat(100))
})

test('shrink does not change a text that fits', async () => {
  assert.equal((await laid('word', { fit: 'shrink', box: { width: 100, height: 100 } })).size, 10)
})

test('ends a text that does not fit at a fixed size with an ellipsis inside the box', async () => {
  const { lines: found } = await laid('one two three four five', { box: { width: 30, height: 26 } })
  assert.equal(found.length, 2)
  assert.match(found[1]?.text ?? '', /…$/)
  assert.ok((found[1]?.width ?? 99) <= 30.1)
})

test('keeps the digit and the key of a keycap in one piece', async () => {
  assert.deepEqual(await lines('1\ufe0f\u20e3 first', {}), ['1\ufe0f\u20e3 first'])
})

test('breaks lines between Tibetan syllables and between Ethiopic words', async () => {
  assert.ok((await lines('བཀྲ་ཤིས་བདེ་ལེགས', { box: { width: 40, height: 99 } })).every((line) => line.length <= 8))
  assert.deepEqual(unbrokenIn('ሰላም፡ዓለም'), ['ሰላም፡', 'ዓለም'])
})

test('draws a line of a right-to-left script from right to left', async () => {
  const { lines: found } = await laid('123 مرحبا\nhello', {})
  assert.deepEqual(
    found.map((line) => line.rightToLeft),
    [true, false],
  )
})

const mixed = [
  { text: 'small ', style: 1 },
  { text: 'LARGE', style: 2 },
  { text: ' small again', style: 1 },
]

test('wraps words of several styles by their own widths', async () => {
  assert.deepEqual(await lines(mixed, { box: { width: 80, height: 999 } }), ['small LARGE', 'small again'])
  assert.deepEqual(await lines(mixed, { box: { width: 79, height: 999 } }), ['small', 'LARGE', 'small again'])
})

test('does not break a word between two styles', async () => {
  const runs = [
    { text: 'one tw', style: 1 },
    { text: 'o-one', style: 1.5 },
  ]
  assert.deepEqual(await lines(runs, { box: { width: 40, height: 999 } }), ['one', 'two-', 'one'])
})

test('a line has the height of its largest style, and all styles share one baseline', async () => {
  const { lines: found, height } = await laid(mixed, { box: { width: 80, height: 999 } })
  const half = (1.2 - 1) / 2
  assert.deepEqual(
    found.map((line) => [line.height, line.baseline].map((value) => Math.round(value * 1e6) / 1e6)),
    [
      [24, (0.8 + half) * 20],
      [12, (0.8 + half) * 10],
    ],
  )
  assert.ok(Math.abs(height - 36) < 1e-9)
})

test('a line of small characters only has the height of the base style', async () => {
  assert.equal((await laid([{ text: 'tiny', style: 0.5 }], {})).height, 12)
})

test('finds the place of the ellipsis with few measurements, also after thousands of invisible characters', async () => {
  let measured = 0
  const widthOf = (text: string) => {
    measured += 1
    return text.replaceAll('\u200b', '').length / 2
  }
  const text = `${'W'.repeat(20)}${'\u200b'.repeat(4_900)} ${'W'.repeat(29)}`
  const [line] = await lines(text, { box: { width: 100, height: 20 }, linesMax: 1, widthOf })
  assert.equal(line, `${'W'.repeat(19)}…`)
  assert.ok(measured < 200, `${measured}`)
})

test('an ellipsis follows as many characters as fit, although a shorter text is wider', async () => {
  // As letters that are wider at the end of a word.
  const widthOf = (text: string) => text.length / 2 + (text.endsWith('b…') ? 1 : 0)
  assert.deepEqual(await lines('aaaaaabacc', { box: { width: 45, height: 12 }, widthOf }), ['aaaaaaba…'])
})

test('ends a text with too many lines with an ellipsis, with and without a box', async () => {
  assert.deepEqual(await lines('a\nb\nc', { linesMax: 2 }), ['a', 'b…'])
  assert.deepEqual(await lines('one two three', { linesMax: 1, box: { width: 40, height: 999 } }), ['one two…'])
})

test('shrink reduces the size until the text has at most the maximum number of lines', async () => {
  const box = { width: 40, height: 999 }
  const { lines: found, size } = await laid('one two three', { fit: 'shrink', linesMax: 1, box })
  assert.deepEqual(
    found.map((line) => line.text),
    ['one two three'],
  )
  assert.ok(size > 5.9 && size <= 6.16, `${size}`)
})

test('balanced lines have the same number and nearly equal widths', async () => {
  const text = 'the quick brown fox jumps over the lazy dog and then on'
  const box = { width: 190, height: 999 }
  const widths = async (balance: boolean) => (await laid(text, { box, balance })).lines.map((line) => line.width)
  const [greedy, balanced] = [await widths(false), await widths(true)]
  const spread = (all: number[]) => Math.max(...all) - Math.min(...all)
  assert.equal(balanced.length, greedy.length)
  assert.ok(spread(balanced) < spread(greedy) / 2, `${balanced} beside ${greedy}`)
})

test('an explicit direction applies to every paragraph', async () => {
  for (const direction of ['ltr', 'rtl'] as const) {
    const { lines: found } = await laid('123 مرحبا\nhello', { direction })
    assert.deepEqual(
      found.map((line) => line.rightToLeft),
      [direction === 'rtl', direction === 'rtl'],
    )
  }
})

test('letter spacing after the last letter is not part of the line', async () => {
  assert.equal((await laid('abcd', { afterOf: () => 0.3 })).lines[0]?.width, 17)
})

test('any text in any box ends in lines that fit its width, except single characters', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 1, max: 200 }),
      fc.constantFrom('shrink', 'ellipsis'),
      async (text, width, height, fit) => {
        const layout = await laid(text, { fit, box: { width, height } })
        assert.ok(layout.size >= 1 && layout.size <= 10)
        for (const line of layout.lines) {
          const characters = [...new Intl.Segmenter().segment(line.text)].length
          assert.ok(line.width <= width * 1.01 || characters <= 2, `${JSON.stringify(line)} in ${width}`)
        }
      },
    ),
    { numRuns: repetitions(60, 300), seed: 7 },
  )
})

test('a text of one look has the same layout if it is split into spans anywhere', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ maxLength: 60 }),
      fc.nat(60),
      fc.integer({ min: 20, max: 100 }),
      async (text, at, width) => {
        const other = [
          { text: text.slice(0, at), style: 1 },
          { text: text.slice(at), style: 1 },
        ]
        const options = { box: { width, height: 1e9 } }
        assert.deepEqual(await lines(other, options), await lines(text, options))
      },
    ),
    { numRuns: repetitions(60, 300), seed: 7 },
  )
})

test('keeps every character if nothing is truncated', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.integer({ min: 20, max: 100 }),
      async (text, width) => {
        const kept = (all: string) => all.replaceAll(/[\s\p{Cc}]/gu, '')
        assert.equal(kept((await lines(text, { box: { width, height: 1e9 } })).join('')), kept(text))
      },
    ),
    { numRuns: repetitions(60, 300), seed: 7 },
  )
})
