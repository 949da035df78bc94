import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redact, redactedCharsMax } from './redact.ts'

const key = 'sk-a/b+c==key'

test('a secret is taken out as it is, in a URL, in JSON and in base64', () => {
  const spellings = [
    key,
    encodeURIComponent(key),
    Buffer.from(key).toString('base64'),
    Buffer.from(`${key}:`).toString('base64'),
    Buffer.from(`:${key}`).toString('base64url'),
  ]
  for (const each of spellings) {
    const clean = redact(`wrong key ${each} here`, [key])
    assert.match(clean, /^wrong key …=* here$/, each)
  }
  assert.equal(redact('keys one and longer-key-one', ['key-one', 'longer-key-one']), 'keys one and …')
})

test('a secret that would take out ordinary words is left alone', () => {
  assert.equal(redact('this is it', ['is', '']), 'this is it')
})

test('pictures and other long base64 are taken out, and words and ids are kept', () => {
  const long = Buffer.alloc(300, 7).toString('base64')
  assert.equal(redact(`got data:image/png;base64,${long} and ${long}.`, []), 'got … and ….')
  const id = 'req_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'
  assert.equal(redact(`request ${id}`, []), `request ${id}`)
})

test('a text is one line without control characters, and bounded', () => {
  assert.equal(redact('a\n\u0000\u001b[31mb', []), 'a [31mb')
  const clean = redact('wörd '.repeat(10_000), [])
  assert.equal(clean.length, redactedCharsMax)
  assert.ok(clean.endsWith('…'))
  assert.ok(redact(`${'a'.repeat(0)}${'é 🎈 '.repeat(500)}`, []).isWellFormed())
})
