import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberOf, stepped } from './number-text.ts'

test('a number is read as it is typed, and any other text is kept', () => {
  const numbers: [string, number][] = [
    ['12.7', 12.7],
    ['-40', -40],
    ['\u221240', -40],
    ['1e9', 1e9],
    ['+3', 3],
    [' 8 ', 8],
    ['.5', 0.5],
    ['007', 7],
  ]
  for (const [text, number] of numbers) assert.equal(numberOf(text), number, text)
  for (const text of ['12px', '1,5', '1 000', '-', '1e', '0x10', 'Infinity', '1e999', 'ten', '1.2.3'])
    assert.equal(numberOf(text), text)
  for (const text of ['', '  ']) assert.equal(numberOf(text), undefined)
})

test('a step stays within the bounds', () => {
  assert.equal(stepped(0.1, 0.2, {}), 0.3)
  assert.equal(stepped(9, 5, { maximum: 10 }), 10)
  assert.equal(stepped(0, -1, { minimum: 0 }), 0)
})
