import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFileNames } from './file-names.ts'

test('a name has at most 255 bytes, whole characters, and no space or dot at its end', () => {
  const nameOf = createFileNames([])
  for (const key of [
    '\u6f22'.repeat(200),
    '\u{1f388}'.repeat(100),
    `a${'\u00e9'.repeat(199)}`,
    `${'a'.repeat(199)}. b`,
  ]) {
    const name = nameOf(key, 'webp', 100_000)
    assert.ok(Buffer.byteLength(name) <= 255, name)
    assert.ok(!name.includes('\ufffd'), name)
    assert.match(name, /[^. ]\.webp$/)
  }
})

test('names differ, also of many outputs whose names are cut off', () => {
  const nameOf = createFileNames(['results.csv'])
  const names = Array.from({ length: 32 }, (_, i) => nameOf(`${'k'.repeat(200)}-${i}`, 'png', 7))
  assert.equal(new Set(names).size, 32)
})
