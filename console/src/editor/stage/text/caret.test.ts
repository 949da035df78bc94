import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TextLine } from '../../../../../shared/frames.ts'
import { areasOf, type CaretPlace, caretAt, type DrawnText, lineEdge, placeAt, placeBeside, wordAt } from './caret.ts'
import { expectedText } from './expected.ts'

/** A line of characters that are 10 wide, at 20 for each line. */
function line(value: string, start: number, end: number, top: number, rightToLeft = false): TextLine {
  const width = (end - start) * 10
  const characters = Array.from(value.slice(start, end), (_, i): [number, number, number] =>
    rightToLeft ? [start + i, width - i * 10, width - (i + 1) * 10] : [start + i, i * 10, (i + 1) * 10],
  )
  return { start, end, x: 0, width, top, height: 18, baseline: top + 14, rightToLeft, characters }
}

/** `lines`: the ends of the lines. */
function drawn(value: string, ends: number[], rightToLeft = false): DrawnText {
  let start = 0
  const lines = ends.map((end, index) => {
    const found = line(value, start, end, index * 20, rightToLeft)
    start = value[end] === '\n' ? end + 1 : end
    return found
  })
  return { param: 'text', value, size: 20, lines }
}

const wrapped = drawn('one two three\n\nfour', [8, 13, 14, 19])

test('the nearest place of each caret is the caret itself, in each line and direction', () => {
  for (const text of [wrapped, drawn('שלום עולם', [5, 9], true)])
    for (const [index, { start, end }] of text.lines.entries())
      for (let offset = start; offset <= end; offset++) {
        const { x, top, height } = caretAt(text, { offset, line: index })
        assert.deepEqual(placeAt(text, [x, top + height / 2]), { offset, line: index })
      }
})

test('a click in the left half of a character is before it, in the right half after it', () => {
  assert.equal(placeAt(wrapped, [14, 5]).offset, 1)
  assert.equal(placeAt(wrapped, [16, 5]).offset, 2)
  assert.equal(placeAt(drawn('שלום', [4], true), [14, 5]).offset, 3)
  assert.equal(placeAt(wrapped, [-50, -50]).offset, 0)
  assert.equal(placeAt(wrapped, [500, 500]).offset, 19)
})

test('an offset at which a line wraps is in the next line, unless a key or a click says otherwise', () => {
  assert.equal(caretAt(wrapped, { offset: 8 }).line, 1)
  assert.equal(caretAt(wrapped, { offset: 8, line: 0 }).x, 80)
  // An offset of a value that is not drawn yet.
  assert.equal(caretAt(wrapped, { offset: 99, line: 7 }).line, 3)
})

test('up and down keep their column and go through empty lines, to the start and the end of the text', () => {
  let place: CaretPlace = { offset: 7 }
  const down = () => {
    place = placeBeside(wrapped, place, 1, 70)
    return place.offset
  }
  assert.deepEqual([down(), down(), down(), down()], [13, 14, 19, 19])
  assert.equal(placeBeside(wrapped, { offset: 3 }, -1, 30).offset, 0)
})

test('home and end go to the edges of the drawn line, before the space at which it wraps', () => {
  assert.equal(lineEdge(wrapped, { offset: 10 }, 'start').offset, 8)
  assert.equal(lineEdge(wrapped, { offset: 2 }, 'end').offset, 7)
  assert.equal(lineEdge(wrapped, { offset: 10 }, 'end').offset, 13)
})

test('a selection has one area in each line and for each direction', () => {
  assert.deepEqual(
    areasOf(wrapped, 4, 10).map(({ x, y, width }) => [x, y, width]),
    [
      [40, 0, 40],
      [0, 20, 20],
    ],
  )
  // An empty line is seen too.
  assert.equal(areasOf(wrapped, 0, 19).length, 4)
  const mixed = drawn('ab שלום', [7])
  const [first] = mixed.lines as [TextLine]
  // The word is drawn from right to left after the first three characters.
  first.characters = first.characters.map(([at, from, to]) => (at < 3 ? [at, from, to] : [at, 100 - from, 100 - to]))
  assert.deepEqual(
    areasOf(mixed, 1, 5).map(({ x, width }) => [x, width]),
    [
      [10, 20],
      [50, 20],
    ],
  )
})

test('a double click takes a word, also in Japanese', () => {
  assert.deepEqual(wordAt('one two', 5), [4, 7])
  assert.deepEqual(wordAt('one two', 7), [4, 7])
  assert.deepEqual(wordAt('', 0), [0, 0])
  const [from, to] = wordAt('吾輩は猫である', 0)
  assert.ok(to - from < 7)
})

test('while the service draws, a new character has the average width, and those after it move', () => {
  const before = drawn('one two', [7])
  const after = expectedText(before, 'one X two')
  assert.equal(after.value, 'one X two')
  assert.deepEqual(
    after.lines[0]?.characters,
    Array.from('one X two', (_, i) => [i, i * 10, (i + 1) * 10]),
  )
  assert.equal(expectedText(before, 'one two'), before)
  assert.deepEqual(caretAt(expectedText(before, ''), { offset: 0 }).x, 0)
  const rtl = expectedText(drawn('שלום', [4], true), 'שלוםא')
  assert.equal(caretAt(rtl, { offset: 5 }).x, -10)
})

test('lines after a change keep their place with other offsets, and deleted lines are gone', () => {
  const inserted = expectedText(wrapped, 'one, two three\n\nfour')
  assert.deepEqual(
    inserted.lines.map(({ start, end }) => [start, end]),
    [
      [0, 9],
      [9, 14],
      [15, 15],
      [16, 20],
    ],
  )
  const deleted = expectedText(wrapped, 'onefour')
  assert.deepEqual(caretAt(deleted, { offset: 7 }).top, deleted.lines.at(-1)?.top)
  assert.equal(deleted.lines.at(-1)?.end, 7)
})
