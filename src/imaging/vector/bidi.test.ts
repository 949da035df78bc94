import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visualOrder } from './bidi.ts'

const seen = (parts: [string, number][], rightToLeft: boolean) =>
  visualOrder(
    parts.map(([text, style]) => ({ text, style })),
    rightToLeft,
  ).map(({ text, rightToLeft: rtl }) => `${rtl ? '<' : '>'}${text}`)

test('a line of one style is left to the canvas', () => {
  assert.deepEqual(seen([['abc שלום', 1]], true), ['<abc שלום'])
})

test('parts from left to right stay in their order', () => {
  assert.deepEqual(
    seen(
      [
        ['one ', 1],
        ['two', 2],
      ],
      false,
    ),
    ['>one ', '>two'],
  )
})

test('parts from right to left are seen in the other order', () => {
  assert.deepEqual(
    seen(
      [
        ['שלום ', 1],
        ['עולם', 2],
      ],
      true,
    ),
    ['<עולם', '<שלום '],
  )
})

test('Latin words and numbers inside keep theirs', () => {
  const line: [string, number][] = [
    ['מן ', 1],
    ['Tintype', 2],
    [' 2.0 ', 1],
    ['טוב', 2],
  ]
  assert.deepEqual(seen(line, true), ['<טוב', '< ', '>Tintype', '> 2.0', '<מן '])
})
