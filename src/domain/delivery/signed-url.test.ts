import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../limits.ts'
import { parseSignedUrl, signUrl } from './signed-url.ts'

const signed = (count: number) => {
  const parameters = Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, 'a b']))
  return signUrl({ path: '/i/card.png', parameters, expires: 4_000_000_000, keyId: 'skey_1' }, 'secret')
}

test('a URL has at most as many parameters as a workflow, so that reading a long one costs little', () => {
  assert.equal(parseSignedUrl(signed(limits.parametersMax))?.parameters.length, limits.parametersMax)
  assert.equal(parseSignedUrl(signed(limits.parametersMax + 1)), undefined)
})

test('a proxy may send the URL with scheme and host', () => {
  const url = signUrl({ path: '/i/card.png', parameters: {}, expires: 4_000_000_000, keyId: 'skey_1' }, 'secret')
  assert.deepEqual(parseSignedUrl(`http://images.example.com:8080${url}`), parseSignedUrl(url))
  assert.equal(parseSignedUrl(url)?.path, '/i/card.png')
})

test('the signature is the last pair, and the only one: each content has one URL', () => {
  const url = signed(2)
  assert.ok(parseSignedUrl(url))
  const [path = '', query = ''] = url.split('?')
  const pairs = query.split('&')
  const signature = pairs.pop() ?? ''
  for (let at = 0; at < pairs.length; at += 1)
    assert.equal(parseSignedUrl(`${path}?${pairs.toSpliced(at, 0, signature).join('&')}`), undefined)
  assert.equal(parseSignedUrl(`${url}&${signature}`), undefined)
  assert.equal(parseSignedUrl(`${url}&${pairs[0]}`), undefined)
  assert.equal(parseSignedUrl(`${path}?${pairs.join('&')}&sig`), undefined)
})
