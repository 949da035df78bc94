import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createBoundedCache } from './bounded-cache.ts'

function cacheOf(bounds = { bytesMax: 100, accountBytesMax: 40 }) {
  const left: string[] = []
  const cache = createBoundedCache<string>(bounds, (value) => left.push(value))
  const set = (key: string, bytes: number, accountId = 'a') => cache.set(key, key, { accountId, bytes })
  return { cache, left, set }
}

it('an account above its share loses its own least recently used entries, and other accounts lose none', () => {
  const { cache, left, set } = cacheOf()
  set('other', 30, 'b')
  set('first', 20)
  set('second', 20)
  cache.get('first')
  set('third', 20)
  assert.deepEqual(left, ['second'])
  assert.ok(cache.get('other') && cache.get('first') && cache.get('third'))
})

it('all accounts together stay within the limit', () => {
  const { cache, left, set } = cacheOf()
  for (const account of 'abcdefghij') set(account, 30, account)
  assert.equal(cache.bytes, 90)
  assert.deepEqual(left, [...'abcdefg'])
})

it('a value above the share is not cached, and replaces the entry of its key', () => {
  const { cache, left, set } = cacheOf()
  set('key', 10)
  set('key', 41)
  assert.deepEqual(left, ['key'])
  assert.equal(cache.get('key'), undefined)
  assert.equal(cache.bytes, 0)
})

it('a removed value no longer counts, and a replaced one counts once', () => {
  const { cache, left, set } = cacheOf()
  set('key', 10)
  set('key', 30)
  assert.equal(cache.bytes, 30)
  assert.equal(cache.take('key'), 'key')
  assert.equal(cache.bytes, 0)
  set('next', 40)
  assert.deepEqual(left, [])
})
