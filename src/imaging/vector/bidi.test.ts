import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visualOrder } from './bidi.ts'

const seen = (parts: [string, number][], rightToLeft: boolean) =>
  visualOrder(
    parts.map(([text, style]) => ({ text, style })),
    rightToLeft,
  ).map(({ text, rightToLeft: rtl }) => `${rtl ? '<' : '>'}${text}`)

test('leaves a line of one style to the canvas', () => {
  assert.deepEqual(seen([['abc שלום', 1]], true), ['<abc שלום'])
})

test('keeps the order of parts from left to right', () => {
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

test('reverses the order of parts from right to left', () => {
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

test('keeps the order of Latin words and numbers inside', () => {
  const line: [string, number][] = [
    ['מן ', 1],
    ['Tintype', 2],
    [' 2.0 ', 1],
    ['טוב', 2],
  ]
  assert.deepEqual(seen(line, true), ['<טוב', '< ', '>Tintype', '> 2.0', '<מן '])
})
