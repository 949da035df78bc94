import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodingFor } from './encoding.ts'

const cases: [accepted: string | undefined, expected: string | undefined][] = [
  [undefined, undefined],
  ['', undefined],
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['gzip, br', 'br'],
  ['gzip;q=1.0, br;q=0.1', 'br'],
  ['*', 'br'],
  ['br;q=0, *;q=0.5', 'gzip'],
  ['*;q=0', undefined],
  ['*;q=0, gzip', 'gzip'],
  [' BR ; Q=0.5 ', 'br'],
  ['br;q=x', undefined],
  ['deflate, zstd', undefined],
]
for (const [accepted, expected] of cases) {
  test(`Accept-Encoding ${accepted} selects ${expected ?? 'the uncompressed bytes'}`, () => {
    assert.equal(encodingFor(accepted), expected)
  })
}
