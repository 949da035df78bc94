import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testProcesses } from '../raster/test-images.ts'
import { loadCanvas } from './canvas.ts'
import { drawText } from './draw-text.ts'
import { facesFor } from './fonts.ts'
import { after, familiesOf, spansOf } from './large-fonts.ts'
import { familyList, type TextStyle } from './text-style.ts'

/** A family for each character, and one for all others. */
const families = familiesOf([
  { name: 'latin', covered: [0x61] },
  ...Array.from('日本語文字列処理', (char) => ({ name: char, covered: [char.codePointAt(0) ?? 0] })),
])

test('a few families are used for all characters of a text', () => {
  const few = familiesOf([
    { name: 'latin', covered: [0x61] },
    { name: 'han', covered: [0x65e5] },
  ])
  assert.deepEqual(spansOf('a日', few), [{ text: 'a日', names: ['latin', 'han'], rightToLeft: false }])
})

test('with many families, a character of a large font is drawn with those that have it, and other text with the others', () => {
  assert.deepEqual(
    spansOf('ab日か\u3099本', families).map(({ text, names }) => [text, ...names]),
    [
      ['ab', 'latin'],
      ['日', '日'],
      // No family has this character.
      ['か\u3099', 'latin'],
      ['本', '本'],
    ],
  )
  assert.deepEqual(
    spansOf('a日', after('own', families)).map(({ names }) => names),
    [
      ['own', 'latin'],
      ['own', '日'],
    ],
  )
})

test('spans are in the order in which they are drawn, also from right to left', () => {
  const order = (text: string, rightToLeft: boolean) => spansOf(text, families, rightToLeft).map((span) => span.text)
  assert.deepEqual(order('שלום 日本', true), ['日', '本', 'שלום '])
  assert.deepEqual(order('日 שלום 本', false), ['日', ' ', 'שלום', ' ', '本'])
})

test('each character looks as in the list of all families', async () => {
  const text = Array.from({ length: 40 }, (_, i) => String.fromCodePoint(0x4e00 + i * 97)).join('')
  const style = { font: 'Inter', weight: 400, italic: false, language: 'ja' } as const
  const { names, namesOfLarge, language } = await facesFor(text, style, {})
  assert.ok(namesOfLarge)
  const large = [...new Set(Array.from(text, namesOfLarge).flat())]
  const inOrder = ['sans-jp', 'sans-sc', 'sans-tc', 'sans-kr'].flatMap((font) =>
    large.filter((name) => name.includes(font)),
  )
  const all = [...names, ...inOrder]
  const { createCanvas } = await loadCanvas()
  const drawn = (char: string, list: string[]) => {
    const canvas = createCanvas(48, 48)
    const pen = canvas.getContext('2d')
    pen.lang = language
    pen.font = `40px ${familyList(list)}`
    pen.fillText(char, 4, 40)
    return canvas.data()
  }
  for (const char of text) {
    const one = drawn(char, namesOfLarge(char))
    assert.ok(one.some((value) => value > 0) && one.equals(drawn(char, all)), char)
  }
})

const style: Omit<TextStyle, 'text'> = {
  ...({
    font: 'Inter',
    weight: 400,
    italic: false,
    language: 'auto',
    size: 12,
    lineHeight: 1.2,
    fit: 'ellipsis',
  } as const),
  ...({
    markup: false,
    transform: 'none',
    balance: false,
    direction: 'auto',
    letterSpacing: 0,
    align: 'left',
  } as const),
  ...({
    verticalAlign: 'top',
    underline: false,
    strike: false,
    color: 'black',
    outlineWidth: 20,
    outlineColor: 'red',
  } as const),
}
const box = { x: 0, y: 0, width: 400, height: 400 }
const long = Array.from({ length: 1_000 }, (_, i) => String.fromCodePoint(0x4e00 + i * 4)).join('')

test('a cancelled execution measures no further', async () => {
  const aborted = new AbortController()
  let turns = 0
  const count = () => {
    turns += 1
    if (turns === 20) aborted.abort(new Error('cancelled'))
    else setImmediate(count)
  }
  setImmediate(count)
  await assert.rejects(
    drawText({ ...style, text: long }, { processes: testProcesses, signal: aborted.signal }, { box }),
  )
  assert.ok(turns < 100)
})
