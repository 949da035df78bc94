import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byteSize, dollars, duration, timeAgo } from './format.ts'

test('a duration has units with two or three digits', () => {
  const texts = [0.4, 4.25, 380.4, 999.6, 2412, 59_999, 185_000, 7_440_000].map(duration)
  assert.deepEqual(texts, ['0.4 ms', '4.3 ms', '380 ms', '1 s', '2.41 s', '1 min 0 s', '3 min 5 s', '2 h 4 min'])
})

test('a relative time uses the largest unit that has passed', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  const texts = ['2026-11-21T11:59:55Z', '2026-11-21T11:30:00Z', '2026-11-20T11:00:00Z', '2026-11-01T00:00:00Z'].map(
    (at) => timeAgo(at, now),
  )
  assert.deepEqual(texts, ['just now', '30 min. ago', 'yesterday', '2 wk. ago'])
})

test('Small costs keep their significant digits', () => {
  assert.deepEqual([0, 0.00134, 0.04, 12.5].map(dollars), ['$0', '$0.0013', '$0.04', '$12.50'])
  assert.deepEqual([812, 48_200, 2_410_000].map(byteSize), ['812 B', '48 kB', '2.4 MB'])
})
