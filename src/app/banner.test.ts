import assert from 'node:assert/strict'
import { test } from 'node:test'
import { banner } from './banner.ts'

const facts = {
  version: '1.0.0',
  publicUrl: 'http://localhost:8080',
  dataDir: '/data',
  hasConsole: true,
  hasDocs: true,
  areDocsBuilt: true,
  isSelfSigned: true,
}
const workflow = { id: 'wf_1', parameters: { headline: "It's" } }
const key = 'tt_live_abc'

test('prints the first key once, in a command that can be pasted', () => {
  const text = banner({ ...facts, first: { key, workflow } })
  assert.equal(text.split(key).length, 2)
  assert.match(text, /^curl .* -H 'Authorization: Bearer tt_live_abc' .* -d '\{.*It'\\''s/m)
  assert.equal(banner({ ...facts, first: { key, workflow: undefined } }).split(key).length, 2)
})

test('does not print a key that is written to a file', () => {
  const text = banner({ ...facts, first: { key, keyFile: '/data/first-key', workflow } })
  assert.ok(!text.includes(key))
  assert.match(text, /API key {4}\/data\/first-key/)
  assert.match(text, /-H "Authorization: Bearer \$\(cat '\/data\/first-key'\)"/)
})

test('says at the first start what verifiers show of a self-signed certificate', () => {
  const first = { key, workflow }
  assert.match(banner({ ...facts, first }), /Signing .* unknown signer/)
  assert.doesNotMatch(banner({ ...facts, first, isSelfSigned: false }), /Signing/)
  assert.doesNotMatch(banner({ ...facts, first: undefined }), /Signing/)
})

test('prints no key if the service has started before', () => {
  assert.doesNotMatch(banner({ ...facts, first: undefined }), /API key|curl/)
})
