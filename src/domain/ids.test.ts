import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hashKey, newKeyText } from './accounts/key.ts'
import { newId, randomBase62 } from './ids.ts'

describe('ids', () => {
  it('have the prefix of their kind and at least 20 characters of lower-case base32', () => {
    assert.match(newId('img', Date.now()), /^img_[0-9a-hjkmnp-tv-z]{20,}$/)
  })
  it('sort in the order of their creation, even within one millisecond', () => {
    const now = Date.now() + 10_000
    const ids = [...Array.from({ length: 9_000 }, () => newId('wf', now)), newId('wf', now + 60_000)]
    assert.deepEqual([...ids].sort(), ids)
    assert.equal(new Set(ids).size, ids.length)
  })
  it('do not predict the next one: 16 characters of each are random', () => {
    const [a, b] = [newId('img', 1), newId('img', 1)]
    assert.notEqual(a.slice(-16), b.slice(-16))
  })
})

describe('keys', () => {
  it('are tt_live_ and at least 40 characters of base62', () => {
    assert.match(newKeyText('live'), /^tt_live_[0-9A-Za-z]{40,}$/)
    assert.equal(hashKey('tt_live_x').length, 64)
  })
  it('use every character of base62', () => {
    assert.equal(new Set(randomBase62(20_000)).size, 62)
  })
})
