import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../limits.ts'
import { parseSignedUrl, signUrl } from './signed-url.ts'

const signed = (count: number) => {
  const parameters = Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, 'a b']))
  return signUrl({ path: '/i/card.png', parameters, expires: 4_000_000_000, keyId: 'skey_1' }, 'secret')
}

test('a URL has at most as many parameters as a workflow, so that reading a long one costs little', () => {
  assert.equal(parseSignedUrl(signed(limits.parametersMax))?.parameters.length, limits.parametersMax)
  assert.equal(parseSignedUrl(signed(limits.parametersMax + 1)), undefined)
})
