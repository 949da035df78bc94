import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesBelow, truncateLabel, wrapLabel } from './chart-labels.ts'
import { formatter } from './chart-style.ts'

const widthOf = (text: string) => text.length
const room = { width: 60, height: 60, fontSize: 1, widthOf }

test('draws names that fit upright, on one line or on several', () => {
  assert.deepEqual(namesBelow(['one', 'two'], room), { texts: ['one', 'two'], rotate: 0, all: true })
  const long = ['Northern Europe and the Baltic states', 'Rest']
  assert.deepEqual(namesBelow(long, room).texts, ['Northern Europe and the\nBaltic states', 'Rest'])
})

test('slants names that are too long, and omits some only if there is no room for all', () => {
  const names = Array.from({ length: 12 }, (_, at) => `Donaudampfschifffahrt${at}`)
  assert.deepEqual(namesBelow(names, room), {
    texts: names.map((name) => truncateLabel(name, 20, widthOf)),
    rotate: 40,
    all: true,
  })
  const many = Array.from({ length: 200 }, (_, at) => `Day ${at}`)
  assert.deepEqual([namesBelow(many, room).all, namesBelow(many, room).rotate], [false, 0])
})

test('no line of a wrapped text exceeds its width, and omitted text ends with an ellipsis', () => {
  const text = 'The quick brown fox jumps over the lazy dog'
  for (const width of [3, 8, 12, 20, 50]) {
    const lines = wrapLabel(text, width, 2, widthOf).split('\n')
    assert.ok(lines.length <= 2 && lines.every((line) => line.length <= width), `${width}: ${lines.join('/')}`)
    assert.equal(lines.join('').includes('…'), width < 22, String(width))
  }
  assert.equal(truncateLabel('👍🏽👍🏽👍🏽', 9, widthOf), '👍🏽👍🏽…')
})

test('formats numbers as requested, with a minus before the currency sign', () => {
  const plain = { numberFormat: '1,234.5', compact: false, prefix: '', suffix: '' } as const
  assert.equal(formatter(plain)(1234567.891), '1,234,567.89')
  assert.equal(formatter({ ...plain, numberFormat: '1.234,5', decimals: 1 })(1234), '1.234,0')
  assert.equal(formatter({ ...plain, numberFormat: '1 234,5' })(-12_345.5), '\u221212\u202f345,5')
  assert.equal(formatter({ ...plain, numberFormat: '1234.5', suffix: ' km' })(9_876), '9876 km')
  assert.equal(formatter({ ...plain, prefix: '$', compact: true })(-1_250_000), '\u2212$1.3M')
  assert.equal(formatter({ ...plain, decimals: 0 })(-0.2), '0')
})
