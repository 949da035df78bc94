import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWidths } from './measure-in-pieces.ts'

const han = (count: number) => Array.from({ length: count }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('')

function counted() {
  const measured: string[] = []
  const widths = createWidths((text) => {
    measured.push(text)
    return [...text].length
  })
  return { measured, widths }
}

test('each glyph of a large font is measured once, in whatever texts it occurs', () => {
  const { measured, widths } = counted()
  assert.equal(widths.of(`${han(30)} abc`), 34)
  for (let length = 2; length <= 30; length += 1) assert.equal(widths.of(han(length)), length)
  assert.equal(measured.length, 31)
})

test('text of other scripts, and characters with marks, are measured as a whole', () => {
  const { measured, widths } = counted()
  for (const text of ['Waves', 'か\u3099き', '日']) widths.of(text)
  assert.deepEqual(measured, ['Waves', 'か\u3099き', '日'])
})
