import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redact, redactedCharsMax } from './redact.ts'

const key = 'sk-a/b+c==key'

test('removes a secret as it is, in a URL, in JSON and in base64', () => {
  const spellings = [
    key,
    encodeURIComponent(key),
    Buffer.from(key).toString('base64'),
    Buffer.from(`${key}:`).toString('base64'),
    Buffer.from(`:${key}`).toString('base64url'),
  ]
  for (const spelling of spellings) {
    const clean = redact(`wrong key ${spelling} here`, [key])
    assert.match(clean, /^wrong key …=* here$/, spelling)
  }
  assert.equal(redact('keys one and longer-key-one', ['key-one', 'longer-key-one']), 'keys one and …')
})

test('keeps a secret that would remove ordinary words', () => {
  assert.equal(redact('this is it', ['is', '']), 'this is it')
})

test('removes images and other long base64, and keeps words and ids', () => {
  const long = Buffer.alloc(300, 7).toString('base64')
  assert.equal(redact(`got data:image/png;base64,${long} and ${long}.`, []), 'got … and ….')
  const id = 'req_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'
  assert.equal(redact(`request ${id}`, []), `request ${id}`)
})

test('a text is one line without control characters, with a maximum length', () => {
  assert.equal(redact('a\n\u0000\u001b[31mb', []), 'a [31mb')
  const clean = redact('wörd '.repeat(10_000), [])
  assert.equal(clean.length, redactedCharsMax)
  assert.ok(clean.endsWith('…'))
  assert.ok(redact(`${'a'.repeat(0)}${'é 🎈 '.repeat(500)}`, []).isWellFormed())
})
