import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAllowList } from './allow.ts'

function allows(entries: string[], url: string): boolean {
  return createAllowList(entries)(new URL(url))
}

test('a host alone allows every port of exactly that host', () => {
  assert.equal(allows(['img.internal'], 'http://img.internal/a'), true)
  assert.equal(allows(['img.internal'], 'https://img.internal:8443/a'), true)
  for (const other of ['a.img.internal', 'img.internal.evil.test', 'ximg.internal', 'img.internal.', 'internal']) {
    assert.equal(allows(['img.internal'], `http://${other}/`), false, other)
  }
})

test('a host with a port allows that port only, even if the URL omits the default port', () => {
  assert.equal(allows(['img.internal:9000'], 'http://img.internal:9000/'), true)
  assert.equal(allows(['img.internal:9000'], 'http://img.internal:9001/'), false)
  assert.equal(allows(['img.internal:80'], 'http://img.internal/'), true)
  assert.equal(allows(['img.internal:80'], 'https://img.internal/'), false)
  assert.equal(allows(['img.internal:443'], 'https://img.internal/'), true)
})

test('ignores upper and lower case', () => {
  assert.equal(allows(['IMG.Internal'], 'http://img.INTERNAL/'), true)
})

test('accepts addresses literally, IPv6 in brackets', () => {
  assert.equal(allows(['127.0.0.1:9000'], 'http://127.1:9000/'), true)
  assert.equal(allows(['[::1]:9000'], 'http://[0::1]:9000/'), true)
  assert.equal(allows(['[::1]'], 'http://[::1]/'), true)
  assert.equal(allows(['127.0.0.1'], 'http://127.0.0.2/'), false)
})

test('does not take the user name of a URL for its host', () => {
  assert.equal(allows(['img.internal'], 'http://img.internal@evil.test/'), false)
})

test('rejects ambiguous entries instead of guessing', () => {
  const wrong = [
    '',
    ' ',
    '*.internal',
    'http://img.internal',
    'img.internal/a',
    'a@b',
    'img:0',
    'img:65536',
    'img:',
    '::1',
  ]
  for (const entry of [...wrong, 'img.internal:http', '[::1', 'a b', 'a?b', 'a#b']) {
    assert.throws(() => createAllowList([entry]), /hosts or host:port/, entry)
  }
})
