import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FailureReason } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { isFault } from '../raster/test-faults.ts'
import { dataFromLists, dataFromText } from './chart-data.ts'

const read = (text: string, header: 'auto' | 'yes' | 'no' = 'auto') => dataFromText(text, header)

test('lines of label and values become series, and a first line without numbers names them', () => {
  const expected = {
    labels: ['Jan', 'Feb'],
    series: [
      { name: 'Shop', values: [1, -2.5] },
      { name: 'Web', values: [30, 4e3] },
    ],
  }
  assert.deepEqual(read('Month,Shop,Web\nJan,1,30\nFeb,-2.5,4e3'), expected)
  assert.deepEqual(read('\ufeffMonth\tShop\tWeb\r\nJan\t1\t30\r\n\r\nFeb\t-2,5\t4000\r\n'), expected)
  assert.deepEqual(read('Month; Shop; Web\nJan; 1; 30\nFeb; -2,5; 4000'), expected)
})

test('years name series if the option is set, and are points otherwise', () => {
  assert.deepEqual(
    read('x,2025,2026\nJan,1,2', 'yes').series.map(({ name }) => name),
    ['2025', '2026'],
  )
  assert.deepEqual(read('x,2025,2026\nJan,1,2').labels, ['x', 'Jan'])
  assert.throws(() => read('x,Shop\nJan,1', 'no'), isFault('input_invalid', /Line 1.*"Shop"/))
})

test('a long text of digits is compared with a number in linear time: quadratic time would take hours', () => {
  assert.throws(() => read(`a,1\nb,${'1'.repeat(1e6)}x`), isFault('input_invalid', /Line 2.*is not a number/))
})

test('the gaps of a short text with thousands of lines and of series are counted before they are read', () => {
  const text = `a${','.repeat(4_000)}\n${'a\n'.repeat(4_000)}`
  const before = process.threadCpuUsage().user
  assert.throws(() => read(text), isFault('limit_exceeded', /4000 series; at most 12/))
  const time = process.threadCpuUsage().user - before
  // Some 5 ms. With a value for each gap, half a second.
  assert.ok(time < 100_000, `${time} µs`)
})

test('a quoted label can contain commas, quotes and line ends', () => {
  assert.deepEqual(read('"Tea, ""green""",3\n"two\nlines",4').labels, ['Tea, "green"', 'two\nlines'])
})

test('an empty or missing value at the end of a line is a gap', () => {
  assert.deepEqual(
    read('a,1,\nb,,2\nc,3').series.map(({ values }) => values),
    [
      [1, null, 3],
      [null, 2, null],
    ],
  )
})

test('accepts lists; without labels the points are numbered', () => {
  assert.deepEqual(dataFromLists([], [{ values: [5, 6] }]), {
    labels: ['1', '2'],
    series: [{ name: 'Series 1', values: [5, 6] }],
  })
})

const refused: [string, () => unknown, FailureReason, RegExp][] = [
  [
    'a value that is not a number',
    () => read('a,1\n\nb,12 %'),
    'input_invalid',
    /Line 3 of `data`: "12 %" is not a number/,
  ],
  ['no lines', () => read(' \n \n'), 'input_invalid', /no lines/],
  ['only labels', () => read('a\nb'), 'input_invalid', /only labels/],
  ['only a header', () => read('a,b'), 'input_invalid', /no line with values/],
  ['no value at all', () => read('x,a\nb,\nc,'), 'input_invalid', /no values/],
  ['infinite numbers', () => read('a,Infinity'), 'input_invalid', /header|names of series/],
  ['two series with the same name', () => read('x,a,a\nb,1,2'), 'input_invalid', /"a"/],
  [
    'different numbers of values and labels',
    () => dataFromLists(['a'], [{ values: [1, 2] }]),
    'input_invalid',
    /2 values for 1/,
  ],
  ['a long label', () => read(`${'a'.repeat(limits.labelCharsMax + 1)},1`), 'limit_exceeded', /201 characters/],
]

for (const [name, make, reason, message] of refused) {
  test(`rejects data with ${name} as ${reason}`, () => {
    assert.throws(make, isFault(reason, message))
  })
}

test('accepts series and points up to the limits, and rejects one more', () => {
  const wide = (count: number) => read(`a${',1'.repeat(count)}`)
  assert.equal(wide(limits.chartSeriesMax).series.length, limits.chartSeriesMax)
  assert.throws(() => wide(limits.chartSeriesMax + 1), isFault('limit_exceeded', /13 series; at most 12/))
  const long = (count: number) => read('a,1\n'.repeat(count))
  assert.equal(long(limits.chartPointsMax).labels.length, limits.chartPointsMax)
  assert.throws(() => long(limits.chartPointsMax + 1), isFault('limit_exceeded', /501 values; at most 500/))
  const full = (rows: number) => read(`a${',1'.repeat(10)}\n`.repeat(rows))
  assert.equal(full(limits.chartValuesMax / 10).labels.length, 100)
  assert.throws(() => full(limits.chartValuesMax / 10 + 1), isFault('limit_exceeded', /1010 values; at most 1000/))
})
